"""Builds the module: `make wasm`. Needs a linker, see `link`.

Compiled anew and unoptimized by Numba, so that the same sources give the same bytes wherever they
are compiled with the same versions.
"""

import gzip
import json
import os
import subprocess
import sys
from importlib.metadata import version

from baghdad.jit.compiler import UNCACHED

from .module import BUILT_FROM, MODULE, sources

_UNOPTIMIZED = {"NUMBA_OPT": "0", UNCACHED: "1", "PYTHONHASHSEED": "0"}


def build() -> bytes:
    """The module's bytes, from the sources as they are."""
    from .all_exports import EXPORTS
    from .link import link
    from .lower import object_file

    return link(object_file(EXPORTS.values()), EXPORTS)


def main() -> None:
    """Write the module, and what it was made from."""
    if not _UNOPTIMIZED.items() <= os.environ.items():
        again = [sys.executable, "-m", f"{__package__}.build"]
        sys.exit(subprocess.run(again, env=os.environ | _UNOPTIMIZED, check=False).returncode)
    made_from = sources()
    module = build()
    MODULE.write_bytes(module)
    compilers = {name: version(name) for name in ("llvmlite", "numba", "numpy")}
    about = {"compilers": compilers, "sources": made_from}
    BUILT_FROM.write_text(json.dumps(about, indent=2) + "\n", "utf-8")
    small = len(gzip.compress(module, 9))
    print(f"{MODULE.name}: {len(module)} bytes, {small} with gzip")


if __name__ == "__main__":
    main()
