"""Inputs changed by chance, for tests without a fuzzer: in the same way every time."""

from collections.abc import Iterator, Sequence
from random import Random

LONGEST = 4096
"""Bytes of an input: long enough for a request with all its headers."""


def mutated(inputs: Sequence[bytes], words: Sequence[bytes], count: int) -> Iterator[bytes]:
    """So many inputs that are like these."""
    rng = Random(count)
    for _ in range(count):
        data = bytearray(rng.choice(inputs))
        for _ in range(rng.choice((1, 1, 1, 2, 4))):  # most stay good enough to get far
            at = rng.randrange(len(data) + 1)
            end = min(len(data), at + 1 + rng.randrange(16))
            match rng.randrange(6):
                case 0:
                    data[at:end] = rng.randbytes(end - at)
                case 1:
                    del data[at:end]
                case 2:
                    data[at:at] = rng.choice(words)
                case 3:
                    data[at:at] = data[at:end] * rng.randrange(1, 40)
                case 4:
                    other = rng.choice(inputs)
                    data[at:] = other[rng.randrange(len(other) + 1) :]
                case _:
                    data[at:end] = bytes(each ^ 1 << rng.randrange(8) for each in data[at:end])
        yield bytes(data[:LONGEST])
