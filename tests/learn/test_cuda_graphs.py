"""Where PyTorch cannot compile, it goes on without."""

from unittest.mock import Mock

import pytest

torch = pytest.importorskip("torch")


from baghdad.learn.cuda_graphs import compiled  # noqa: E402


def test_where_pytorch_cannot_compile_it_goes_on_without(monkeypatch: pytest.MonkeyPatch) -> None:
    fail = Mock(side_effect=RuntimeError("no compiler"))
    monkeypatch.setattr(torch, "compile", Mock(return_value=fail))
    double = compiled(lambda number: 2 * number, True)
    with pytest.warns(UserWarning, match="no compiler"):
        assert double(4) == 8
    assert double(5) == 10
    fail.assert_called_once()
    assert compiled(len, False) is len


def test_too_little_memory_is_no_matter_of_compiling(monkeypatch: pytest.MonkeyPatch) -> None:
    fail = Mock(side_effect=torch.OutOfMemoryError("much"))
    monkeypatch.setattr(torch, "compile", Mock(return_value=fail))
    with pytest.raises(torch.OutOfMemoryError):
        compiled(lambda number: 2 * number, True)(4)
