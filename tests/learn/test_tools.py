"""The programs that measure, mix and attack networks."""

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

torch = pytest.importorskip("torch")

from baghdad.bots.neural import WEIGHTS_FILE  # noqa: E402
from baghdad.bots.neural.weights_file import read_weights  # noqa: E402
from baghdad.jit.compiler import COMPILED  # noqa: E402
from baghdad.learn.config import SMALL  # noqa: E402
from baghdad.learn.export import export  # noqa: E402
from baghdad.learn.network import PolicyNetwork  # noqa: E402
from baghdad.learn.run import METRICS, PAST, Run  # noqa: E402
from support.programs import call  # noqa: E402
from support.training import run_metrics  # noqa: E402

TINY = SMALL.with_values(["games=16", "rollout_length=8", "palace=8", "table=12", "pair=4"])


def network(path: Path, change: float = 0.0) -> Path:
    torch.manual_seed(1)
    made = PolicyNetwork(TINY.shape)
    with torch.no_grad():
        for weight in made.parameters():
            weight.add_(change)
    export(made, path, {})
    return path


def test_the_mean_of_networks_is_between_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = network(tmp_path / "one.bin"), network(tmp_path / "other.bin", 0.01)
    mean = tmp_path / "mean.bin"
    call("tools/average_weights.py", monkeypatch, one, other, "-o", mean)
    first, _, _ = read_weights(one)
    found, shape, about = read_weights(mean)
    assert (shape, about["mean_of"]) == (TINY.shape, 2)
    for name, weights in first.items():
        assert abs(found[name] - weights - 0.005).max() < 0.002  # half precision


def test_strangers_have_no_mean(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = network(tmp_path / "one.bin"), network(tmp_path / "other.bin", 1.0)
    with pytest.raises(SystemExit, match="more than"):
        call("tools/average_weights.py", monkeypatch, one, other, "-o", tmp_path / "mean.bin")
    assert not (tmp_path / "mean.bin").exists()


@pytest.mark.skipif(not COMPILED, reason="learning needs compiled games")
def test_earlier_selves_of_a_run_are_in_the_mean(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run = Run(tmp_path, TINY.with_values(["league_every=100"]), "cpu")
    run.train(print, steps=300)
    mean = tmp_path / "mean.bin"
    given = (tmp_path / "neural.bin", "--past", tmp_path / PAST, "--last", 2, "-o", mean)
    call("tools/average_weights.py", monkeypatch, *given)
    assert read_weights(mean)[2]["mean_of"] == 3
    assert "network 3 of 3" in capsys.readouterr().out
    none = (tmp_path / "neural.bin", "--past", tmp_path / PAST, "--last", 0, "-o", mean)
    call("tools/average_weights.py", monkeypatch, *none)
    assert read_weights(mean)[2]["mean_of"] == 1


@pytest.mark.skipif(not COMPILED, reason="whole games need compiled rules")
def test_habits_of_the_same_network_are_the_same(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    call("tools/habits.py", monkeypatch, WEIGHTS_FILE, WEIGHTS_FILE, "--players", 3, "--games", 6)
    said = capsys.readouterr().out
    # Whoever wins a deal wins it in one of three seats.
    assert "the first wins 33.3% (33.3% … 33.3%) of 6 games, players 3" in said
    assert "neutral guards moved" in said


@pytest.mark.skipif(not COMPILED, reason="learning needs compiled games")
def test_an_exploiter_goes_on_against_its_rival_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rival, other = network(tmp_path / "rival.bin"), network(tmp_path / "other.bin", 0.01)
    folder = tmp_path / "run"
    small = ("--set", "games=16", "--set", "rollout_length=8", "--set", "total_steps=256")
    given = ("tools/exploit.py", monkeypatch, folder, "--weights", rival, *small)
    call(*given)
    lines = (folder / "metrics.jsonl").read_text().splitlines()
    assert json.loads(lines[-1])["steps"] == 256
    call(*given)  # it is at its end
    with pytest.raises(SystemExit, match="against other weights"):
        call("tools/exploit.py", monkeypatch, folder, "--weights", other, *small)


@pytest.mark.skipif(not COMPILED, reason="learning needs compiled games")
def test_an_exploiter_refuses_what_it_cannot_attack(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And leaves everything as it was."""
    folder, rival, nonsense = tmp_path / "run", network(tmp_path / "rival.bin"), tmp_path / "x.bin"
    nonsense.write_text("nonsense")
    with pytest.raises(SystemExit, match="no network of ours"):
        call("tools/exploit.py", monkeypatch, folder, "--weights", nonsense)
    with pytest.raises(SystemExit, match="salt=1"):
        call("tools/exploit.py", monkeypatch, folder, "--weights", rival, "--set", "salt=1")
    assert not (folder / "rival.json").exists()
    Run(folder, TINY, "cpu").train(print, steps=1)
    files = {each: each.read_bytes() for each in folder.iterdir()}
    with pytest.raises(SystemExit, match="baghdad train goes on with it"):
        call("tools/exploit.py", monkeypatch, folder, "--weights", rival)
    assert {each: each.read_bytes() for each in folder.iterdir()} == files


def test_a_run_is_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    lines = [json.dumps(run_metrics(number * 10**9)) for number in range(1, 30)]
    (tmp_path / METRICS).write_text("\n".join(lines))
    page = call("tools/training_page.py", monkeypatch, tmp_path, "--into", tmp_path)
    rows = capsys.readouterr().out.splitlines()
    assert rows[2] == "| 2 G | 2000 | 1 M | 2000 | 1.50 | 0.600 | 120 | 25% |"
    assert rows[-1].startswith("| 29 G |")
    for name in page.PICTURES:
        picture = ElementTree.fromstring((tmp_path / f"{name}.svg").read_text())
        assert any("polyline" in part.tag for part in picture.iter())
