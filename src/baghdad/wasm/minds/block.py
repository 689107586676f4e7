"""Players' memory in a block of bytes: what NumPy allocates piece by piece, at fixed places."""

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from baghdad.jit.compiler import numba

if numba is not None:
    import numba.extending

Block: TypeAlias = npt.NDArray[np.uint8]
"""[SIZE]: all memory of one mind."""

ALIGNED = 16


if numba is None:

    def _at(block: Block, offset: int) -> Any:
        return block[offset:]

    def _array(begin: Any, shape: tuple[int, ...], dtype: Any) -> npt.NDArray[Any]:
        size = int(np.prod(shape)) * dtype.itemsize
        array: npt.NDArray[Any] = begin[:size].view(dtype).reshape(shape)
        return array

else:
    _array = numba.carray

    @numba.extending.intrinsic  # type: ignore[untyped-decorator, unused-ignore]
    def _at(context: Any, block: Any, offset: Any) -> Any:  # noqa: ARG001
        """The address of a byte of a block."""

        def code(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            array = context.make_array(signature.args[0])(context, builder, given[0])
            return builder.gep(array.data, [given[1]])

        return numba.types.voidptr(block, offset), code


class Layout:
    """Where everything lies in a block."""

    def __init__(self) -> None:
        self.size = 0

    def place(self, memory: Any) -> Callable[[Block], Any]:
        """Find room for arrays like these, or tuples of them; returns a compiled function that
        finds them in a block."""
        names: dict[str, Any] = {}
        return _compiled("block", self._expression(memory, names, {}), names)

    def _expression(self, memory: Any, names: dict[str, Any], known: dict[int, int]) -> str:
        if isinstance(memory, tuple):
            kind = type(memory)
            names[kind.__name__] = kind
            parts = (self._expression(each, names, known) for each in memory)
            return f"{kind.__name__}({', '.join(parts)})"
        address = memory.__array_interface__["data"][0]
        if address not in known:  # what shares memory shares it here, too
            begin = -(-self.size // ALIGNED) * ALIGNED
            self.size = begin + memory.nbytes
            known[address] = begin
        dtype = f"dtype{len(names)}"
        names[dtype] = memory.dtype
        return f"_array(_at(block, {known[address]}), {memory.shape}, {dtype})"


def tuple_of(kind: type) -> Callable[[Any], Any]:
    """A compiled function that makes a named tuple of an array with as many numbers."""
    fields: tuple[str, ...] = kind._fields  # type: ignore[attr-defined]
    return _compiled("numbers", f"{kind.__name__}({_each(fields)})", {kind.__name__: kind})


def _each(fields: tuple[str, ...]) -> str:
    return ", ".join(f"numbers[{place}]" for place in range(len(fields)))


def _compiled(given: str, expression: str, names: dict[str, Any]) -> Callable[[Any], Any]:
    """A compiled function of an expression. It is inlined, so that there is nothing to be kept."""
    names |= {"_at": _at, "_array": _array}
    exec(f"def found({given}):\n    return {expression}\n", names)
    function: Callable[[Any], Any] = names["found"]
    return function if numba is None else numba.njit(forceinline=True)(function)
