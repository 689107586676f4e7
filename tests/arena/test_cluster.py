"""The arena on a Ray cluster: a real one, of two nodes on this machine."""

import json
import os
import signal
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
import ray
from ray.cluster_utils import Cluster

from baghdad import Options
from baghdad.arena import cluster as playing
from baghdad.arena import runner
from baghdad.arena.match import Match, Played
from baghdad.arena.results import write_deal
from baghdad.bots import Budget
from baghdad.cli import main
from baghdad.text import LANGUAGES, say

pytestmark = pytest.mark.xdist_group("ray")  # one cluster is enough

NODE: dict[str, Any] = {"num_cpus": 1, "object_store_memory": 80 << 20}
if sys.platform == "linux":
    NODE["node_ip_address"] = "127.0.0.2"
"""Loopback; Ray takes 127.0.0.1 for another name of the machine's address in its network."""

BOT = '''
import os
from pathlib import Path
from threading import Event

from baghdad.bots.heuristic.bot import HeuristicBot

class PatientBot(HeuristicBot):
    """Plays like any other; but where a node is to die, it waits for that."""

    decisions = 0

    def choose(self, view, legal, budget, rng):
        self.decisions += 1
        if "DOOMED" in os.environ and self.decisions == 50:
            Path(os.environ["DOOMED"]).write_text("in the middle of a game")
            Event().wait()
        if "SPARED" in os.environ and Path(os.environ["SPARED"]).exists():
            Path(os.environ["SPARED"]).read_text()
        return super().choose(view, legal, budget, rng)
'''


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """For Ray's sockets, whose paths must be short; and for a bot that another package brings."""
    with tempfile.TemporaryDirectory(
        prefix="ray", dir="/tmp" if os.name == "posix" else None, ignore_cleanup_errors=True
    ) as name:
        about = Path(name) / "patient-1.dist-info"
        about.mkdir()
        (about / "METADATA").write_text("Metadata-Version: 2.1\nName: patient\nVersion: 1\n")
        (about / "entry_points.txt").write_text("[baghdad.bots]\npatient = patient:PatientBot\n")
        (Path(name) / "patient.py").write_text(BOT)
        yield Path(name)


@pytest.fixture(scope="module")
def cluster(folder: Path) -> Iterator[Any]:
    """A cluster of one node; tests add another."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_TMPDIR", str(folder))
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        patch.setenv("PYTHONPATH", str(folder), prepend=os.pathsep)
        patch.setenv("SPARED", str(folder / "spared"))
        patch.syspath_prepend(str(folder))
        found: Any = Cluster(
            initialize_head=True,
            head_node_args=NODE | {"include_dashboard": False, "dashboard_agent_listen_port": 0},
        )
        patch.delenv("SPARED")
        yield found
        found.shutdown()


def deals_of(path: Path) -> list[str]:
    return path.read_text().splitlines()[1:]


def test_a_node_dies_and_the_result_is_complete_and_the_same(
    cluster: Any,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["arena", "patient", "random", "--games", "24", "--seed", "x", "--json"]
    here, there = folder / "here.jsonl", folder / "there.jsonl"
    assert main([*words, "-o", str(here)]) == 0
    alone = json.loads(capsys.readouterr().out)

    doomed, spared = folder / "doomed", folder / "spared"
    os.mkfifo(doomed)
    os.mkfifo(spared)
    monkeypatch.setenv("DOOMED", str(doomed))
    node = cluster.add_node(**NODE)
    monkeypatch.delenv("DOOMED")

    def strike() -> None:
        doomed.read_text()  # returns when the node is in the middle of a game
        cluster.remove_node(node, allow_graceful=False)
        spared.write_text("now the other may play")
        spared.unlink()

    striker = Thread(target=strike, daemon=True)
    striker.start()
    assert main([*words, "-o", str(there), "--ray", cluster.address]) == 0
    striker.join()
    together = json.loads(capsys.readouterr().out)
    assert len(deals_of(there)) == 12
    assert deals_of(there) == deals_of(here)
    assert together.pop("cluster") == f"Ray {ray.__version__}, 2 nodes, 2 cores"
    assert together == alone


def test_an_interrupted_match_on_a_cluster_goes_on(
    cluster: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def interrupting(file: Any, games: list[Played]) -> None:
        write_deal(file, games)
        if games[0].deal == 3:
            os.kill(os.getpid(), signal.SIGINT)

    words = ["arena", "heuristic", "random", "--games", "12", "--seed", "x", "--json"]
    there = [*words, "-o", str(tmp_path / "there.jsonl"), "--ray", cluster.address]
    with monkeypatch.context() as patch:
        patch.setattr(runner, "write_deal", interrupting)
        assert main(there) == 0
    assert json.loads(capsys.readouterr().out)["deals"] == 3
    assert main(there) == 0
    assert json.loads(capsys.readouterr().out)["deals"] == 6
    assert main([*words, "-o", str(tmp_path / "here.jsonl")]) == 0
    assert deals_of(tmp_path / "there.jsonl") == deals_of(tmp_path / "here.jsonl")


def test_a_sequential_test_stops_where_it_does_on_one_machine(
    cluster: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["arena", "heuristic", "random", "--sprt", "0", "200", "--seed", "1", "--json"]
    assert main(words) == 0
    alone = json.loads(capsys.readouterr().out)
    assert main([*words, "--ray", cluster.address]) == 0
    together = json.loads(capsys.readouterr().out)
    assert alone["sprt"]["accepted"] == "elo1"
    assert together["sprt"] == alone["sprt"]
    assert together["deals"] == alone["deals"]


def refused(address: str, capsys: pytest.CaptureFixture[str], language: str = "en") -> str:
    """What is said where a match on a cluster can't be played."""
    words = ["arena", "heuristic", "random", "--games", "2", "--lang", language, "--ray", address]
    assert main(words) == 2
    assert not ray.is_initialized()
    return capsys.readouterr().err.strip()


def test_another_baghdad_on_a_node(
    cluster: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    theirs = playing.FINGERPRINT
    monkeypatch.setattr(playing, "FINGERPRINT", "baghdad 0.0.9 (abc)")
    said = refused(cluster.address, capsys)
    assert f"has {theirs}, but this machine has baghdad 0.0.9 (abc)" in said


def test_no_baghdad_on_a_node(
    cluster: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A lone node whose Python finds an empty package instead."""
    (tmp_path / "baghdad").mkdir()
    (tmp_path / "baghdad" / "__init__.py").write_text("")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    node = cluster.add_node(**NODE, resources={"bare": 1})
    task = ray.remote
    # Of the two nodes only this one has what the deals then ask for.
    monkeypatch.setattr(ray, "remote", lambda **options: task(**options, resources={"bare": 0.1}))
    said = refused(cluster.address, capsys)
    cluster.remove_node(node)
    assert "Baghdad can't be loaded on" in said
    assert "No module named 'baghdad.arena'" in said


def test_another_python_in_the_cluster(
    cluster: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    versions = (ray.__version__, "3.9.0")
    monkeypatch.setattr("ray._private.utils.compute_version_info", lambda: versions)
    said = refused(cluster.address, capsys)
    assert "has other versions of Ray or Python than this machine" in said
    assert "Python: 3.9.0" in said


def test_a_bot_that_a_node_does_not_have() -> None:
    match = Match(("heuristic", "mine"), Options(2), "x", Budget())
    complaint = playing.play_here(match.as_json(), 1, playing.FINGERPRINT)
    assert isinstance(complaint, tuple)
    key, values = complaint
    assert "has no bot named mine" in say(f"cluster.{key}", "en", **values)


@pytest.mark.parametrize("language", LANGUAGES)
def test_nobody_at_the_address(language: str, capsys: pytest.CaptureFixture[str]) -> None:
    said = refused("127.0.0.2:1", capsys, language)
    assert say("cluster.unreachable", language, address="127.0.0.2:1", reason="") in said


def test_no_address_at_all(capsys: pytest.CaptureFixture[str]) -> None:
    assert "no Ray cluster can be reached at nonsense" in refused("nonsense", capsys)


@pytest.mark.parametrize("language", LANGUAGES)
def test_ray_is_not_installed(
    language: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    assert main(["ladder", "--lang", language, "--ray", "auto"]) == 2
    assert "pip install 'baghdad[cluster]'" in capsys.readouterr().err


def test_either_processes_or_a_cluster(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["arena", "heuristic", "random", "--jobs", "2", "--ray", "auto", "--lang", "de"])
    assert "geht nicht zusammen mit" in capsys.readouterr().err
