"""A run in its folder: resumed, damaged, out of control, and by the command."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

torch = pytest.importorskip("torch")


from baghdad.cli import main  # noqa: E402
from baghdad.jit.compiler import COMPILED  # noqa: E402
from baghdad.learn.config import (  # noqa: E402
    SMALL,
    Config,
    read_config,
)
from baghdad.learn.learner import Learner  # noqa: E402
from baghdad.learn.rollout import DECORRELATION_STEPS  # noqa: E402
from baghdad.learn.run import (  # noqa: E402
    CHECKPOINT,
    CONFIG,
    METRICS,
    PAST,
    WEIGHTS,
    Run,
)
from support.training import TINY, run_metrics, same  # noqa: E402


@pytest.mark.skipif(not COMPILED, reason="learning needs compiled games")
def test_a_run_goes_on_where_it_stopped(tmp_path: Path) -> None:
    config = TINY.with_values(["league_every=512"])
    run = Run(tmp_path, config, "cpu")
    run.learner.league.rating = 7.5
    run.train(print, steps=2 * 32 * 16)
    again = Run(tmp_path, Config(), "cpu", ["learning_rate=0.5"])
    assert again.resumed
    assert again.learner.steps == 1024
    assert again.learner.config == config.with_values(["learning_rate=0.5"])
    assert read_config(tmp_path / CONFIG) == again.learner.config
    one, other = run.learner, again.learner
    assert same(one.network.state_dict(), other.network.state_dict())
    moments, kept = (each.updater.optimizer.state_dict()["state"] for each in (one, other))
    assert all(same(moments[number], kept[number]) for number in moments)
    assert same(one.league.networks[0].state_dict(), other.league.networks[0].state_dict())
    assert len(other.league.past) == len(one.league.past) == 3
    for past, remembered in zip(one.league.past, other.league.past, strict=True):
        assert same({name: each.half().float() for name, each in past.items()}, remembered)
    assert (other.entropy_coefficient, other.iterations) == (
        one.entropy_coefficient,
        one.iterations,
    )
    assert (other.league.rating, again.seconds) == (7.5, run.seconds)
    again.train(print, steps=1)
    assert other.self_play.decisions >= DECORRELATION_STEPS  # no rollout of openings alone
    assert again.learner.steps == 1024 + 512
    lines = [json.loads(line) for line in (tmp_path / METRICS).read_text().splitlines()]
    steps = [line["steps"] for line in lines]  # on a slow machine there are more of them
    assert steps == sorted(steps)
    assert {1024, 1536} <= set(steps)


@pytest.mark.skipif(not COMPILED, reason="learning needs compiled games")
def test_metrics_of_what_was_not_saved_are_dropped(tmp_path: Path) -> None:
    """It was killed after its last checkpoint: what came since is done again, and told again."""
    run = Run(tmp_path, TINY, "cpu")
    run.train(print, steps=1)
    with (tmp_path / METRICS).open("a") as file:
        file.write('{"steps": 999999}\n')
    again = Run(tmp_path, SMALL, "cpu")
    again.train(print, steps=1)
    lines = [json.loads(line) for line in (tmp_path / METRICS).read_text().splitlines()]
    assert [line["steps"] for line in lines][-1] == 1024
    assert max(line["steps"] for line in lines) == 1024


@pytest.mark.skipif(not COMPILED, reason="learning needs compiled games")
def test_a_folder_that_has_a_configuration_begins_with_it(tmp_path: Path) -> None:
    """Somebody has put it there, or the run was killed before its first checkpoint."""
    config = TINY.with_values(["seed=7"])
    config.write(tmp_path / CONFIG)
    (tmp_path / METRICS).write_text(json.dumps(run_metrics(512)) + "\n")
    run = Run(tmp_path, SMALL, "cpu")
    assert not run.resumed
    assert run.learner.config == config
    assert (tmp_path / METRICS).read_text() == ""


def stopped(folder: Path) -> list[str]:
    """The command that goes on with a tiny run, which has stopped."""
    config = TINY.with_values(["games=16", "rollout_length=8"])
    Run(folder, config, "cpu").train(print, steps=1)
    return ["train", str(folder), "--device", "cpu", "--steps", "1", "--lang", "en"]


@pytest.mark.skipif(not COMPILED, reason="learning needs compiled games")
def test_a_line_of_metrics_that_was_not_finished_is_dropped(tmp_path: Path) -> None:
    command = stopped(tmp_path)
    with (tmp_path / METRICS).open("a") as file:
        file.write('{"steps": 25')
    assert main(command) == 0
    lines = (tmp_path / METRICS).read_text().splitlines()
    assert [json.loads(line)["steps"] for line in lines] == [128, 256]


@pytest.mark.skipif(not COMPILED, reason="learning needs compiled games")
@pytest.mark.parametrize(
    ("name", "how"),
    [
        *((name, how) for name in (CHECKPOINT, PAST, CONFIG) for how in ("cut off", "nonsense")),
        *((name, "gone") for name in (PAST, CONFIG)),
    ],
)
def test_a_damaged_run_is_refused_by_the_name_of_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, how: str
) -> None:
    command, file = stopped(tmp_path), tmp_path / name
    if how == "gone":
        file.unlink()
    else:
        data = file.read_bytes()
        file.write_bytes(data[: len(data) // 2] if how == "cut off" else b"nonsense")
    others = {each: each.read_bytes() for each in tmp_path.iterdir()}
    assert main(command) == 2
    said = capsys.readouterr().err
    assert f"can’t be continued. {name}: " in said
    assert "Traceback" not in said
    assert {each: each.read_bytes() for each in tmp_path.iterdir()} == others


@pytest.mark.skipif(not COMPILED, reason="learning needs compiled games")
def test_a_run_made_for_other_numbers_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = stopped(tmp_path)
    saved = torch.load(tmp_path / CHECKPOINT, weights_only=True)
    saved["versions"]["observation"] = 0
    torch.save(saved, tmp_path / CHECKPOINT)
    assert main(command) == 2
    assert f"{CHECKPOINT}: made for observation 0" in capsys.readouterr().err


@pytest.mark.skipif(not COMPILED, reason="learning needs compiled games")
def test_a_run_keeps_the_shape_of_its_network_and_its_opponents(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = stopped(tmp_path)
    assert main([*command, "--set", "palace=16"]) == 2
    assert "a network of another shape" in capsys.readouterr().err
    assert main(command) == 0
    read_config(tmp_path / CONFIG)
    replace(TINY, league_slots=1).write(tmp_path / CONFIG)
    assert main(command) == 2
    assert "tools/exploit.py" in capsys.readouterr().err


@pytest.mark.skipif(not COMPILED, reason="learning needs compiled games")
def test_a_gpu_with_too_little_memory_is_told_what_to_change(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    command = stopped(tmp_path)
    monkeypatch.setattr(Run, "train", Mock(side_effect=torch.OutOfMemoryError("much")))
    assert main(command) == 2
    assert "too little memory for 16 games" in capsys.readouterr().err
    monkeypatch.setattr(Run, "__init__", Mock(side_effect=torch.OutOfMemoryError("much")))
    assert main(command) == 2
    assert "too little memory for 16 games" in capsys.readouterr().err


@pytest.mark.skipif(not COMPILED, reason="learning needs compiled games")
def test_a_run_that_goes_astray_leaves_what_was_saved(tmp_path: Path) -> None:
    run = Run(tmp_path, TINY, "cpu")
    run.train(print, steps=1)
    saved = (tmp_path / CHECKPOINT).read_bytes()
    with torch.no_grad():
        run.learner.network.outcome.weight.fill_(float("nan"))
    with pytest.raises(FloatingPointError, match="loss is nan"):
        run.train(print, steps=1)
    assert (tmp_path / CHECKPOINT).read_bytes() == saved


@pytest.mark.skipif(not COMPILED, reason="learning needs compiled games")
def test_that_a_run_went_astray_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    command = stopped(tmp_path)
    monkeypatch.setattr(Learner, "iterate", Mock(side_effect=FloatingPointError("loss is nan")))
    assert main(command) == 2
    assert (
        "out of control (loss is nan). What was saved before is intact" in capsys.readouterr().err
    )


@pytest.mark.skipif(not COMPILED, reason="learning needs compiled games")
@pytest.mark.parametrize(
    ("name", "value"),
    [("games", 0), ("games", 1.5), ("clip", "much"), ("compile", 1), ("players", [2, 7])],
)
def test_a_configuration_that_no_run_can_begin_with_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, value: Any
) -> None:
    command = stopped(tmp_path)
    values = json.loads((tmp_path / CONFIG).read_text()) | {name: value}
    (tmp_path / CONFIG).write_text(json.dumps(values))
    assert main(command) == 2
    assert f"{CONFIG}: {name} can't be " in capsys.readouterr().err


@pytest.mark.skipif(not COMPILED, reason="learning needs compiled games")
def test_a_run_ends_where_its_configuration_says(tmp_path: Path) -> None:
    run = Run(tmp_path, TINY.with_values(["total_steps=1000"]), "cpu")
    run.train(print)
    assert (run.progress, run.learner.steps) == (1.0, 1024)


@pytest.mark.skipif(not COMPILED, reason="learning needs compiled games")
def test_the_command_trains_and_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "run"
    small = ["games=16", "rollout_length=8", "palace=8", "table=8", "pair=4"]
    command = ["train", str(folder), "--device", "cpu", "--steps", "128", "--lang", "en"]
    assert main([*command, *(part for each in small for part in ("--set", each))]) == 0
    shown = capsys.readouterr().out
    assert "a new run" in shown
    assert "128 decisions" in shown
    assert {each.name for each in folder.iterdir()} == {
        CHECKPOINT, METRICS, CONFIG, WEIGHTS, "past.pt",
    }  # fmt: skip
    assert main(command) == 0
    assert "goes on after 128 decisions" in capsys.readouterr().out


def test_a_number_that_no_configuration_has_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for given in (
        "salt=1", "players=2,7", "games=0", "league_slots=1", "clip=nan", "clip=inf",
        "total_steps=0", "league_every=0", "league_share=1.5", "max_turns=0",
    ):  # fmt: skip
        assert main(["train", str(tmp_path), "--device", "cpu", "--set", given]) == 2
        assert given in capsys.readouterr().err


@pytest.mark.parametrize("given", ["nan", "0", "inf", "-1", "ten"])
def test_minutes_are_a_number_above_0(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], given: str
) -> None:
    with pytest.raises(SystemExit):
        main(["train", str(tmp_path), "--lang", "en", f"--minutes={given}"])
    assert f"a number above 0, not {given}" in capsys.readouterr().err


def test_without_pytorch_it_is_said_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("baghdad.cli.train.find_spec", {}.get)
    assert main(["train", str(tmp_path), "--lang", "de"]) == 2
    assert "pip install 'baghdad[train]'" in capsys.readouterr().err


def test_a_run_of_an_earlier_version_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its configuration was called otherwise, and had other names in it."""
    (tmp_path / "recipe.json").write_text('{"worst": 3.0}')
    assert main(["train", str(tmp_path), "--device", "cpu", "--lang", "en"]) == 2
    assert "recipe.json: this run was made by an earlier version" in capsys.readouterr().err
    assert [each.name for each in tmp_path.iterdir()] == ["recipe.json"]
