"""The package as a whole: what it imports, what it caches, who knows whom."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import baghdad
from baghdad.bots.neural.versions import FIRST_READING, READING, Reading
from baghdad.bots.neural.weights_file import FORMAT
from baghdad.jit.compiler import COMPILED
from baghdad.jit.sources import Sources
from baghdad.rules.engine.actions import (
    ACTIONS,
    MEANING,
    ROW_START,
    TOKENS,
)
from baghdad.rules.engine.observation import (
    LATER_AT,
    LATER_FEATURES,
    OBSERVATION_VERSION,
    PALACE_FEATURES,
    SEAT_FEATURES,
    TABLE_FEATURES,
)
from baghdad.rules.engine.state import STATE

SOURCE = Path(baghdad.__file__).parent


def run_python(code: str, **environment: str) -> str:
    result = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | environment,
    )
    return result.stdout


@pytest.mark.parametrize(
    "code",
    [
        "import baghdad",
        "from baghdad import Game, Options, View, IllegalMoveError",
        "from baghdad.bots import Bot, Budget, bot_names, make_bot; bot_names()",
        "from baghdad.bots.neural import WEIGHTS_FILE",
        "from baghdad.cli import main\ntry: main(['--help'])\nexcept SystemExit: pass",
        "from baghdad.cli import main\ntry: main(['bench', '--help'])\nexcept SystemExit: pass",
        "from baghdad.cli import main; main(['rules', 'de'])",
    ],
)
def test_numba_is_not_imported_before_it_is_needed(code: str) -> None:
    assert run_python(f"import sys\n{code}\nprint('numba' in sys.modules)").endswith("False\n")


def test_help_does_not_even_import_numpy() -> None:
    code = (
        "import sys\nfrom baghdad.cli import main\ntry: main(['--help'])\nexcept SystemExit: pass"
    )
    assert run_python(f"{code}\nprint('numpy' in sys.modules)").endswith("False\n")


def test_the_state_is_an_aligned_record_of_at_most_160_bytes() -> None:
    assert STATE.itemsize <= 160
    assert STATE.isalignedstruct


def test_no_byte_of_a_state_belongs_to_no_field() -> None:
    """A compiled copy leaves such bytes to chance, and states are compared as bytes."""
    assert STATE.fields is not None
    assert sum(field[0].itemsize for field in STATE.fields.values()) == STATE.itemsize


def test_the_action_table_is_what_it_always_was() -> None:
    """Another table needs another version."""
    assert baghdad.ACTION_TABLE_VERSION == 2
    assert len(ACTIONS) == len(TOKENS) == len(set(TOKENS)) == baghdad.ACTION_COUNT == 375
    assert MEANING.shape == (375, 7)
    assert ROW_START.tolist() == [0, 15, 69, *range(99, 370, 30), 375]
    digest = hashlib.sha256(" ".join(TOKENS[:369]).encode()).hexdigest()
    assert digest[:16] == "c5f4bfa6238fd8f9", "those of version 1 keep their numbers"
    assert TOKENS[369:] == ("-R", "-G", "-W", "-P", "-Y", "-B")


def pinned(features: list[dict[str, int]]) -> str:
    told = json.dumps([list(each.items()) for each in features])
    return hashlib.sha256(told.encode()).hexdigest()[:16]


def test_the_observation_is_what_it_always_was() -> None:
    """Another one needs another version."""
    assert OBSERVATION_VERSION == 2
    assert LATER_AT == 144, "where version 1 ended"
    first = [PALACE_FEATURES, SEAT_FEATURES, TABLE_FEATURES | {"cards to come": 9}]
    assert pinned(first) == "1042514b71ce80f7", "all numbers of version 1, where they were"
    assert pinned([TABLE_FEATURES, LATER_FEATURES]) == "6a4ea8c57721bef1"


@pytest.mark.parametrize(
    ("reading", "digest"), [(FIRST_READING, "a4296667111d21cc"), (READING, "8724d7ba68e66103")]
)
def test_a_network_is_given_what_it_always_was(reading: Reading, digest: str) -> None:
    """Weights that have learned from other inputs need another `FORMAT`."""
    assert FORMAT == "baghdad network 1"
    palace, table = reading.palace, reading.table
    inputs = [
        palace.threshold_columns,
        palace.threshold_values,
        table.threshold_columns,
        table.threshold_values,
        np.concatenate([*[palace.scale] * 6, table.scale]),
    ]
    told = json.dumps([each.tolist() for each in inputs])
    assert hashlib.sha256(told.encode()).hexdigest()[:16] == digest


def test_the_cache_is_named_after_what_the_sources_say(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("one")
    before = Sources(tmp_path)
    os.utime(tmp_path / "a.py", (1, 1))
    assert Sources(tmp_path).name == before.name
    (tmp_path / "a.py").write_text("another")
    assert Sources(tmp_path).name != before.name
    assert not before.unchanged()
    (tmp_path / "a.py").write_text("one")
    (tmp_path / "b.py").write_text("")
    assert Sources(tmp_path).name != before.name


def test_a_cache_depends_on_the_sources_below(tmp_path: Path) -> None:
    rules, bots = tmp_path / "rules", tmp_path / "bots"
    for folder in (rules, bots):
        folder.mkdir()
        (folder / "a.py").write_text("one")
    below = Sources(rules)
    above = Sources(bots, below)
    assert above.unchanged()
    (rules / "a.py").write_text("three")
    assert not above.unchanged()
    assert Sources(bots, Sources(rules)).name != above.name


@pytest.fixture
def editable_copy(tmp_path: Path) -> dict[str, str]:
    """A package that a test may edit, with a cache of its own: the environment to run it in."""
    shutil.copytree(SOURCE, tmp_path / "baghdad")
    return {"PYTHONPATH": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}


PLAY = "from baghdad import Game\ng = Game(2); g.play('@R')\nprint(g.state.turn)"
OLD = "    state.guards[palace, owner] += 1\n    state.unplaced"
NEW = "    state.guards[palace, owner] += 1\n    state.turn = 7\n    state.unplaced"


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled here")
def test_an_edit_in_a_called_function_is_never_missed(
    tmp_path: Path, editable_copy: dict[str, str]
) -> None:
    """Numba alone would run the old `steps` from its cache here."""
    assert run_python(PLAY, **editable_copy) == "0\n"
    steps = tmp_path / "baghdad" / "rules" / "engine" / "steps.py"
    assert OLD in steps.read_text()
    steps.write_text(steps.read_text().replace(OLD, NEW))
    assert run_python(PLAY, **editable_copy) == "7\n"
    assert len(list((tmp_path / "cache" / "baghdad" / "compiled").iterdir())) == 2


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled here")
def test_an_edit_outside_the_engine_compiles_nothing_again(
    tmp_path: Path, editable_copy: dict[str, str]
) -> None:
    """A message, say: what was compiled before is found again."""
    assert run_python(PLAY, **editable_copy) == "0\n"
    compiled = tmp_path / "cache" / "baghdad" / "compiled"
    before = {path: path.stat().st_mtime_ns for path in compiled.rglob("*.nb[ci]")}
    assert before
    for name in ("errors", "options", "refusals", "game"):
        path = tmp_path / "baghdad" / "rules" / f"{name}.py"
        path.write_text(path.read_text() + "# An edit.\n")
    assert run_python(PLAY, **editable_copy) == "0\n"
    assert {path: path.stat().st_mtime_ns for path in compiled.rglob("*.nb[ci]")} == before


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled here")
def test_an_edit_while_the_package_is_running_leaves_nothing_stale(
    tmp_path: Path, editable_copy: dict[str, str]
) -> None:
    """What was imported before the edit must not be found under the edited sources' name."""
    material = tmp_path / "baghdad" / "rules" / "engine" / "material.py"
    draw = (
        "from pathlib import Path\nfrom baghdad import Game\n"
        f"edit = Path({str(material)!r})\n"
        "{edit}\n"
        "g = Game(2, hands='seen', seed=1)\n"
        "for palace in 'RGWPYBRG': g.play(f'@{{palace}}')\n"
        "g.play(next(t for t in g.legal_tokens() if '>' in t)); g.play('.')\n"
        "print(len(g.tokens[-1]) - 1)"
    )
    change = (
        "edit.write_text(edit.read_text()"
        ".replace('CARDS_AFTER_ACTIONS = 3', 'CARDS_AFTER_ACTIONS = 2'))"
    )
    assert run_python(draw.format(edit=change), **editable_copy) == "3\n"
    assert run_python(draw.format(edit=""), **editable_copy) == "2\n"


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled here")
def test_without_a_cache_folder_the_rules_compile_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    code = "from baghdad import Game\ng = Game(2); g.play('@R')\nprint(g.tokens)"
    assert run_python(code, XDG_CACHE_HOME=str(tmp_path / "file")) == "('@R',)\n"


def test_without_numba_the_same_source_runs_uncompiled() -> None:
    code = (
        "import sys; sys.modules['numba'] = None\n"
        "from baghdad import Game\ng = Game(2, seed=1); g.play('@R')\n"
        "from baghdad.jit.compiler import COMPILED\nprint(g.tokens, COMPILED)"
    )
    assert run_python(code) == "('@R',) False\n"


def test_compiled_and_uncompiled_play_the_same_games() -> None:
    code = (
        "from baghdad.rules.engine.simulate import random_steps\n"
        "from baghdad.bench import random_game\n"
        "work = random_game(3, 0); random_steps(*work, 600); print(work[0].tobytes().hex())"
    )
    assert run_python(code) == run_python(code, BAGHDAD_PLAIN="1")


def test_public_names_are_listed_and_there() -> None:
    for name in baghdad.__all__:
        assert getattr(baghdad, name) is not None
        assert name in dir(baghdad)
    with pytest.raises(AttributeError, match="no attribute 'Jafar'"):
        baghdad.Jafar  # noqa: B018


def test_a_broken_numba_is_told(tmp_path: Path) -> None:
    (tmp_path / "numba.py").write_text("raise ImportError('Numba needs another NumPy')")
    code = (
        "import warnings\nwarnings.simplefilter('ignore')\n"
        "with warnings.catch_warnings(record=True) as told:\n"
        "    warnings.simplefilter('always')\n"
        "    from baghdad.jit.compiler import COMPILED\n"
        "print(COMPILED, told[0].message)"
    )
    told = run_python(code, PYTHONPATH=str(tmp_path))
    assert told == "False the rules run uncompiled, far slower: Numba needs another NumPy\n"
    code = "from baghdad.jit.compiler import COMPILED; print(COMPILED)"
    assert run_python(code, NUMBA_DISABLE_JIT="1") == "False\n"
