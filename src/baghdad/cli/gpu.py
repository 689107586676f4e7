"""Looking for a GPU, and saying what is missing."""

from baghdad.text import say

from .files import UsageError


def find_gpu(language: str) -> str:
    """The GPU's name; `UsageError` says what is missing."""
    try:
        from baghdad.rules.engine.gpu import gpu_name

        return gpu_name()
    except Exception as error:  # every missing piece of CUDA has an exception of its own
        reason = str(error).strip().splitlines()[-1:] or [type(error).__name__]
        no_gpu = say("cli.bench.no_cuda", language, reason=reason[0])
        raise UsageError(f"{no_gpu}\n{say('cli.bench.cuda_hint', language)}") from None
