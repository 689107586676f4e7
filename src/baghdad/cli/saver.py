"""Saving a game at the terminal: when somebody asks, turn after turn, and on the way out."""

from baghdad.rules.game import Game
from baghdad.text import say

from .saves import unused_name, write_game
from .terminal import Plain


class Saver:
    """Knows the file of a game, and asks for one where there is none."""

    def __init__(self, game: Game, terminal: Plain, file: str | None) -> None:
        self.game = game
        self.terminal = terminal
        self.file = file
        """Where the game is saved, turn after turn; None until somebody says so."""

    def save(self, file: str = "") -> bool:
        """Save and say so, or say why not; to the game's file unless another is named."""
        file = file or self.file or unused_name()
        try:
            if file != self.file:
                open(file, "x").close()
            write_game(self.game, file)
        except FileExistsError:
            self._tell("cli.play.exists", file=file)
            return False
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            self._tell("cli.no_output", file=file, reason=reason)
            return False
        self.file = file
        self._tell("cli.play.saved" if self.game.result == "*" else "cli.play.recorded", file=file)
        return True

    def save_quietly(self) -> str:
        """Save where there is a file, and go on whatever comes of it; returns what went wrong."""
        if not self.file:
            return ""
        try:
            write_game(self.game, self.file)
        except OSError as error:
            reason = error.strerror or str(error)
            return say("cli.no_output", self.terminal.language, file=self.file, reason=reason)
        return ""

    def leave(self) -> None:
        """Save the game on the way out, or ask whether to."""
        if self.file and self.save():
            return
        if self.terminal.reads_people and self.game.tokens:
            self._offer()
        elif self.file:
            self.save_somewhere()
        elif self.game.tokens and self.game.result == "*":
            self._tell("cli.play.lost")

    def _offer(self) -> None:
        no = {"n", say("cli.play.no", self.terminal.language)}
        while True:
            name = unused_name()
            question = say("cli.play.keep", self.terminal.language, file=name)
            try:
                answer = self.terminal.ask(question).strip()
            except (EOFError, KeyboardInterrupt):
                self.save_somewhere()
                return
            if answer.lower() in no or self.save(answer or name):
                return

    def save_somewhere(self) -> None:
        """Nobody can be asked: better a file too many than a game too few."""
        if not self.game.tokens or (self.file and self.save()):
            return
        if not self.save(unused_name()):
            self.terminal.write([[("", self.game.record())]])

    def _tell(self, key: str, **values: object) -> None:
        self.terminal.tell(say(key, self.terminal.language, **values))
