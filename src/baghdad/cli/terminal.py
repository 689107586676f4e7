"""Where a game is shown and typed: a terminal that can be drawn on, or plain text in and out."""

import asyncio
import io
import os
import re
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from baghdad.text import say

from .board import PLAIN_CHARACTERS, StyledLine, plain

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import CompleteEvent, Completion
    from prompt_toolkit.document import Document

LOWEST = 10
"""Lines that a page of a long text has at least, however small the window is."""

_START = re.compile(r" +(.{1,10}? {2,})?")
"""The blanks that a line of a list begins with, and a word that what follows explains."""

Choices = Callable[[], Iterable[tuple[str, str]]]
"""What could be typed now, each with what it means."""


def no_choices() -> Iterable[tuple[str, str]]:
    return ()


class Plain:
    """Text that goes by: for pipes, files and terminals that can do nothing else."""

    drawn = False
    """Whether the board stays in its place."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.reads_people = sys.stdin is not None and sys.stdin.isatty()
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(
                errors="replace"
            )  # what is not text is not a move, and not a reason to fail

    @property
    def width(self) -> int:
        return shutil.get_terminal_size().columns

    @property
    def board_width(self) -> int:
        """How wide a board may be; where it goes by as text, a line a palace reads best."""
        return 0

    @property
    def height(self) -> int:
        return shutil.get_terminal_size().lines

    def write(self, lines: Sequence[StyledLine]) -> None:
        text = plain(lines)
        encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
        try:
            text.encode(encoding)
        except UnicodeEncodeError:
            text = text.translate(PLAIN_CHARACTERS)
        print(text, flush=True)

    def tell(self, text: str) -> None:
        """A text of one or several paragraphs, in lines that fit."""
        self.write([[("", line)] for line in self.fitting(text)])

    def fitting(self, text: str) -> list[str]:
        lines = []
        for paragraph in text.splitlines():
            start = _START.match(paragraph)
            indent = " " * (start.end() if start else 0)
            lines += textwrap.wrap(
                paragraph, max(20, self.width - 1), subsequent_indent=indent
            ) or [""]
        return lines

    def show(self, lines: Sequence[StyledLine]) -> None:
        """The board and what belongs to it, in place of what was shown before."""
        self.write([[], *lines])

    def ask(self, prompt: str, choices: Choices = no_choices) -> str:  # noqa: ARG002
        """What a person types; `EOFError` where nobody does any more."""
        if sys.stdin is None:
            raise EOFError
        line = input(prompt)
        if not self.reads_people:
            print(line, flush=True)  # what came through a pipe is nowhere to be seen else
        return line

    def pause(self, seconds: float) -> bool:  # noqa: ARG002
        """Let people look; returns whether somebody would not wait."""
        return False

    def cover(self) -> None:
        """Leave nothing to be seen of what was shown before."""
        if self.reads_people:
            print("\n" * self.height, flush=True)

    def close(self) -> None:
        """Give the terminal back as it was; what is written from now on stays there."""


class Screen(Plain):
    """A terminal that can be drawn on, with colours, completion and a history."""

    drawn = True

    def __init__(self, language: str) -> None:
        super().__init__(language)
        from prompt_toolkit.input import DummyInput, create_input
        from prompt_toolkit.output import create_output

        self.input = create_input() if self.reads_people else DummyInput()
        self.output = create_output(sys.stdout)
        self._session: PromptSession[str] | None = None
        self._unicode = _can_show(self.output.encoding())
        self.output.enter_alternate_screen()
        self.cover()

    @property
    def board_width(self) -> int:
        return self.width

    def write(self, lines: Sequence[StyledLine]) -> None:
        from prompt_toolkit import print_formatted_text
        from prompt_toolkit.formatted_text import FormattedText

        # All at once: a board that is seen being drawn flickers.
        shown = [
            (style, text if self._unicode else text.translate(PLAIN_CHARACTERS))
            for line in lines
            for style, text in (*line, ("", "\n"))
        ]
        print_formatted_text(FormattedText(shown), output=self.output, end="")

    def tell(self, text: str) -> None:
        """A text; page by page where it is longer than the screen."""
        lines = self.fitting(text)
        page = max(LOWEST, self.height - 2)
        while lines:
            self.write([[("", line)] for line in lines[:page]])
            lines = lines[page:]
            if lines:
                self.ask(say("cli.play.more_text", self.language))

    def show(self, lines: Sequence[StyledLine]) -> None:
        self._clear()
        self.write(lines)

    def ask(self, prompt: str, choices: Choices = no_choices) -> str:
        from prompt_toolkit import PromptSession
        from prompt_toolkit.history import InMemoryHistory

        if self._session is None:
            self._session = PromptSession(
                history=InMemoryHistory(),
                input=self.input,
                output=self.output,
                complete_while_typing=False,
                reserve_space_for_menu=4,
            )
        self._session.completer = _completer(choices)
        return self._session.prompt([("bold", prompt)])

    def pause(self, seconds: float) -> bool:
        if not self.reads_people:
            asyncio.run(asyncio.sleep(seconds))
            return False
        return asyncio.run(self._pressed(seconds))

    async def _pressed(self, seconds: float) -> bool:
        """Whether a key was pressed within this time."""
        from prompt_toolkit.keys import Keys

        pressed = asyncio.Event()
        keys: list[Any] = []

        def ready() -> None:
            keys.extend(press.key for press in self.input.read_keys())
            # Terminals also answer questions of ours; that is nobody in a hurry.
            if {*keys} - {Keys.CPRResponse}:
                pressed.set()

        with self.input.raw_mode(), self.input.attach(ready):
            try:
                await asyncio.wait_for(pressed.wait(), seconds)
            except TimeoutError:
                return False
        if Keys.ControlC in keys:
            raise KeyboardInterrupt
        return True

    def cover(self) -> None:
        self._session = None  # nor can it be called back with the arrow keys
        self._clear()
        self.output.flush()

    def _clear(self) -> None:
        """Erase everything, as soon as something is written."""
        self.output.erase_screen()
        self.output.cursor_goto(0, 0)

    def close(self) -> None:
        self.output.quit_alternate_screen()
        self.output.flush()
        self.input.close()


def _can_show(encoding: str) -> bool:
    try:
        "┌─✓▶…".encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _completer(choices: Choices) -> Any:
    """Completes the last word of a line to what could be typed, whatever its case."""
    from prompt_toolkit.completion import Completer, Completion

    class Moves(Completer):
        """Reads `choices` anew each time: they change with the game."""

        def get_completions(
            self, document: "Document", _event: "CompleteEvent"
        ) -> Iterable["Completion"]:
            typed = document.text_before_cursor.rpartition(" ")[2]
            for text, meaning in choices():
                if text.lower().startswith(typed.lower()):
                    yield Completion(text, -len(typed), display_meta=meaning)

    return Moves()


def open_terminal(language: str, *, to_type: bool = True) -> Plain:
    """A screen where there is one to draw on, and somebody to type if that is needed."""
    streams = [sys.stdout, sys.stdin] if to_type else [sys.stdout]
    people = all(stream is not None and stream.isatty() for stream in streams)
    if not people or os.environ.get("TERM") in ("dumb", "unknown"):
        return Plain(language)
    return Screen(language)
