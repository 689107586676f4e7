"""The module in wasmtime, called as the same functions are called natively: with NumPy's arrays."""

from typing import Any

import numpy as np
import numpy.typing as npt
import wasmtime

from baghdad.wasm.all_exports import EXPORTS
from baghdad.wasm.exports.export import Record
from baghdad.wasm.module import MODULE

PAGE = 65536
ALIGNED = 16


def instance() -> tuple[wasmtime.Store, dict[str, Any]]:
    """The module with a memory of its own: its store, and what it exports."""
    store = wasmtime.Store()
    module = wasmtime.Module(store.engine, MODULE.read_bytes())
    found = wasmtime.Instance(store, module, []).exports(store)
    return store, {name: found[name] for name in found}


class Module:
    """The module with a memory of its own."""

    def __init__(self) -> None:
        self._store, self._exports = instance()
        self._memory = self._exports["memory"]
        self._base: int = self._exports["__heap_base"].value(self._store)

    def call(self, name: str, *given: Any) -> Any:
        """Call a function: the arrays that it is given lie in the module's memory meanwhile."""
        numbers, free = [], self._base
        for each in given:
            if not isinstance(each, np.ndarray):
                numbers.append(each)
                continue
            free = -(-free // ALIGNED) * ALIGNED
            numbers.append(free)
            free += each.nbytes
        if (missing := free - self._memory.data_len(self._store)) > 0:
            self._memory.grow(self._store, missing // PAGE + 1)
        lent = [
            (at, each)
            for at, each in zip(numbers, given, strict=True)
            if isinstance(each, np.ndarray)
        ]
        for address, array in lent:
            self._memory.write(self._store, array.tobytes(), address)
        returned = self._exports[name](self._store, *numbers)
        for address, array in lent:
            data = self._memory.read(self._store, address, address + array.nbytes)
            array.reshape(-1).view(np.uint8)[:] = np.frombuffer(data, np.uint8)
        return returned


class Resident:
    """Something that stays in a memory of its own, and is asked again and again."""

    def __init__(self, size: int) -> None:
        self._store, self._exports = instance()
        self._memory = self._exports["memory"]
        self._free: int = self._exports["__heap_base"].value(self._store)
        self._home = self._room(size)

    def _call(self, name: str, *given: float) -> Any:
        """Ask what lives here."""
        return self._exports[name](self._store, self._home, *given)

    def _write(self, array: npt.NDArray[Any], address: int) -> None:
        self._memory.write(self._store, array.tobytes(), address)

    def _room(self, size: int) -> int:
        address = -(-self._free // ALIGNED) * ALIGNED
        self._free = address + size
        if (missing := self._free - self._memory.data_len(self._store)) > 0:
            self._memory.grow(self._store, missing // PAGE + 1)
        return address


class Both:
    """Calls a function natively and in the module, and holds them to the same bytes."""

    def __init__(self) -> None:
        self._module = Module()
        self.called: set[str] = set()

    def __call__(self, name: str, *given: Any) -> Any:
        """What both return. A record is given as an array of one; both leave the same in them."""
        export = EXPORTS[name]
        self.called.add(name)
        mine = [_copied(each) if isinstance(each, np.ndarray) else each for each in given]
        kinds = export.parameters.values()
        native = export.native(
            *(
                each[0] if isinstance(kind, Record) else each
                for kind, each in zip(kinds, mine, strict=True)
            )
        )
        theirs = self._module.call(name, *given)
        for parameter, here, there in zip(export.parameters, mine, given, strict=True):
            if isinstance(here, np.ndarray):
                assert here.tobytes() == there.tobytes(), f"{name}: {parameter}"
        assert native == theirs or export.returns is None, name
        return theirs


def _copied(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The same bytes, those between fields included, which NumPy's own copy leaves to chance."""
    return np.frombuffer(bytearray(array.tobytes()), array.dtype).reshape(array.shape)
