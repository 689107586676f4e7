"""Ways to have PyTorch do the same work in less time: compiled code, CUDA streams, CUDA graphs.

Where compiling or recording fails, there is a warning, and the work goes on without.
"""

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor


def compiled(function: Callable[..., Any], enabled: bool) -> Callable[..., Any]:
    """The function compiled by PyTorch; as it is, with a warning, where that fails."""
    if not enabled:
        return function
    fast: Callable[..., Any] | None = torch.compile(function, dynamic=False)

    def call(*given: Any) -> Any:
        nonlocal fast
        if fast is not None:
            try:
                return fast(*given)
            except torch.OutOfMemoryError:
                raise
            except Exception as error:
                warnings.warn(f"PyTorch can't compile, it goes on without: {error}", stacklevel=2)
                fast = None
        return function(*given)

    return call


def in_parallel_streams(device: str, works: Sequence[Callable[[], Any]]) -> list[Any]:
    """What each of them returns; on a GPU all run at once, for one alone leaves much of it idle."""
    if device == "cpu":
        return [work() for work in works]
    now = torch.cuda.current_stream()
    results = []
    streams = [torch.cuda.Stream() for _ in works[1:]]
    for stream in streams:
        stream.wait_stream(now)
    for work, stream in zip(works, [now, *streams], strict=True):
        with torch.cuda.stream(stream):
            results.append(work())
    for stream in streams:
        now.wait_stream(stream)
    return results


class CudaGraph:
    """A function whose work on a GPU is always the same: recorded once, then launched as a whole.

    A GPU is done with a small network before Python has asked for the next kernel. The function is
    given tensors of the same sizes every time, and may change others in place. What it returns is
    written over by the next call. Not enabled, it is called as it is.
    """

    WARM_UPS = 3
    """Calls before recording: by then everything is compiled, and lasting buffers exist."""

    def __init__(self, work: Callable[..., Any], enabled: bool) -> None:
        self._work, self._enabled, self._calls = work, enabled, 0
        self._graph: Any = None
        self._inputs: list[Tensor] = []
        self._result: Any = None

    def __call__(self, *given: Tensor) -> Any:
        if not self._enabled:
            return self._work(*given)
        if self._graph is None:
            self._calls += 1
            if self._calls <= self.WARM_UPS:
                return self._warm_up(given)
            self._record(given)
            if self._graph is None:
                return self._work(*given)
        for kept, now in zip(self._inputs, given, strict=True):
            kept.copy_(now)
        self._graph.replay()
        return self._result

    def _warm_up(self, given: tuple[Tensor, ...]) -> Any:
        """Call it in a stream of its own: buffers bound to the default one can't be recorded."""
        now, aside = torch.cuda.current_stream(), torch.cuda.Stream()
        aside.wait_stream(now)
        with torch.cuda.stream(aside):
            result = self._work(*given)
        now.wait_stream(aside)
        torch.cuda.synchronize()
        return result

    def _record(self, given: tuple[Tensor, ...]) -> None:
        """Only records: what is recorded is not done."""
        graph = torch.cuda.CUDAGraph()
        self._inputs = [each.clone() for each in given]
        try:
            with torch.cuda.graph(graph):
                self._result = self._work(*self._inputs)
            self._graph = graph
        except Exception as error:
            warnings.warn(f"PyTorch can't record, it goes on without: {error}", stacklevel=2)
            self._enabled = False
