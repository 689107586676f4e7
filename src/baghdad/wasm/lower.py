"""From the functions to one object file: Numba's own LLVM, told to write for WebAssembly.

Numba compiles for a machine with 64-bit addresses. To LLVM an address is an address, so that the
same words can be told of a machine with 32-bit ones, once all that is that machine's own, and
Python's, is taken out of them. Numba must not have optimized them for its machine: `build` asks it.
"""

import re
from collections.abc import Iterable
from importlib import import_module
from typing import Any

import llvmlite.binding as llvm

from .exports.export import Cells, Export, Kind, Record, Records

numba: Any = import_module("numba")
codegen: Any = import_module("numba.core.codegen")

TRIPLE = "wasm32-unknown-unknown"
FEATURES = "+simd128,+bulk-memory,+sign-ext,+nontrapping-fptoint,+mutable-globals"
OPTIMIZE = 3

_KEPT_ATTRIBUTES = ("alwaysinline", "noreturn")
_PYTHON = re.compile(r"Py|_Py|numba_|NRT_")
_TRAP = "declare void @llvm.trap()"


def object_file(exports: Iterable[Export]) -> bytes:
    """The functions, and all that they call, as an object file for a WebAssembly linker."""
    _write_words_alone()
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    target = llvm.Target.from_triple(TRIPLE)
    machine = target.create_target_machine(opt=OPTIMIZE, features=FEATURES)
    names, whole = set(), llvm.parse_assembly(f'target triple = "{TRIPLE}"')
    for export in exports:
        compiled = bridge(export)
        part = llvm.parse_assembly(without_machine(compiled.inspect_llvm(), machine))
        part.get_function(compiled.native_name).name = export.name
        whole.link_in(part)  # what several call comes but once
        names.add(export.name)
    whole = llvm.parse_assembly(without_python(str(whole)))
    for value in (*whole.functions, *whole.global_variables):
        if not value.is_declaration and value.name not in names:
            value.linkage = "internal"
    whole.verify()
    _optimize(whole, machine)
    binary: bytes = machine.emit_object(whole)
    return binary


def _write_words_alone() -> None:
    """Have Numba neither optimize nor write code for its own machine: hours of work, for nothing.

    From here on no function that it compiles in this process can be called.
    """
    library, machine = codegen.JITCodeLibrary, codegen.JITCPUCodegen
    library._optimize_functions = lambda *_: None
    library._optimize_final_module = lambda *_: None
    library._finalize_specific = lambda *_: None
    library.get_pointer_to_function = lambda found, _: found._ensure_finalized() or 1
    machine._add_module = machine.set_env = lambda *_: None


def bridge(export: Export) -> Any:
    """The function as the module has it: an address comes in place of a record or an array."""
    given = []
    for name, kind in export.parameters.items():
        if isinstance(kind, Record):
            given.append(f"carray({name}, 1)[0]")
        elif isinstance(kind, Cells | Records):
            given.append(f"carray({name}, {kind.length})")
        else:
            given.append(name)
    source = f"""\
def {export.name}({", ".join(export.parameters)}):
    return function({", ".join(given)})
"""
    names = {"carray": numba.carray, "function": numba.njit(forceinline=True)(export.function)}
    exec(source, names)
    return numba.cfunc(signature(export))(names[export.name])


def signature(export: Export) -> Any:
    """What it is given and returns: addresses, 32-bit integers, floats."""
    types = numba.types
    result: dict[type | None, Any] = {None: types.void, int: types.int32, bool: types.int32}
    result[float] = types.float64
    return result[export.returns](*map(_given, export.parameters.values()))


def _given(kind: Kind) -> Any:
    if isinstance(kind, Record):
        return numba.types.CPointer(numba.from_dtype(kind.dtype))
    if isinstance(kind, Records):
        return numba.types.CPointer(numba.from_dtype(kind.record.dtype))
    if isinstance(kind, Cells):
        return numba.types.CPointer(numba.from_dtype(kind.dtype))
    return numba.types.int32 if kind is int else numba.types.float64


def without_machine(text: str, machine: Any) -> str:
    """What Numba has written, told of another machine."""
    text = re.sub(r"^target triple = .*$", f'target triple = "{TRIPLE}"', text, flags=re.M)
    layout = f'target datalayout = "{machine.target_data}"'
    text = re.sub(r"^target datalayout = .*$", layout, text, flags=re.M)
    # Numba's places for Python's objects: the same name in each part, and nobody looks at them.
    text = text.replace(" = common global ", " = internal global ")
    text = text.replace(" = linkonce global ", " = internal global ")
    # Not a library's function but an instruction, and rounded the same everywhere.
    text = text.replace("@sqrt(", "@llvm.sqrt.f64(")
    return re.sub(r"^attributes (#\d+) = \{(.*)\}$", _portable, text, flags=re.M)


def _portable(group: re.Match[str]) -> str:
    kept = [name for name in _KEPT_ATTRIBUTES if re.search(rf"\b{name}\b", group[2])]
    return f"attributes {group[1]} = {{ {' '.join(['nounwind', *kept])} }}"


def without_python(text: str) -> str:
    """Without Python: no references are counted, and where an error is raised the module stops."""
    text = re.sub(
        r"^define [^\n]*@(NRT_(?:inc|dec)ref)\([^\n]*\{\n.*?^\}$",
        r"define internal void @\1(ptr %each) alwaysinline { ret void }",
        text,
        flags=re.M | re.S,
    )
    text = re.sub(r"^declare ([^@\n]*)@([\w.$]+)\(([^)\n]*)\)[^\n]*$", _stopping, text, flags=re.M)
    return text if _TRAP in text else f"{text}\n{_TRAP}\n"


def _stopping(declared: re.Match[str]) -> str:
    """What a function of Python's does here: it is called where an error is raised."""
    if not _PYTHON.match(declared[2]):
        return declared[0]
    returned = declared[1].split()[-1]
    return (
        f"define internal {returned} @{declared[2]}({declared[3]}) noreturn cold "
        "{ call void @llvm.trap() unreachable }"
    )


def _optimize(module: Any, machine: Any) -> None:
    tuning = llvm.create_pipeline_tuning_options(speed_level=OPTIMIZE)
    builder = llvm.create_pass_builder(machine, tuning)
    builder.getModulePassManager().run(module, builder)
