"""People and bots at one terminal, from the first guard to the last chest."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from baghdad.bots import (
    Bot,
    Budget,
    decide,
    make_bot,
)
from baghdad.rules.engine.actions import TOKENS, Action
from baghdad.rules.engine.dealer import new_rng
from baghdad.rules.engine.material import CARD_LETTERS, PALACE_LETTERS, Seat
from baghdad.rules.engine.views import CHANCE
from baghdad.rules.errors import MoveError
from baghdad.rules.fair import COMMITMENT_HEADER, fair_draw
from baghdad.rules.game import Game
from baghdad.rules.narration import cards_to_come, describe, narrate
from baghdad.rules.stranding import stranded_by
from baghdad.text import catalogue, say

from .board import (
    PAYABLE,
    StyledLine,
    cards,
    draw,
    step_lines,
)
from .legal_moves import legal_moves
from .names import ending
from .options import agreed
from .saver import Saver
from .saves import bots_of, sign
from .terminal import Choices, Plain, no_choices

THINKING = Budget(seconds=1.0)
"""For one decision of a bot: longer than that and watching becomes waiting."""
STAND_IN = "morgiana"
"""The bot that plays on for somebody who has given up, as at tables of the server."""
FEWEST_STEPS = 3
"""Steps that are told beneath the board, however low the window is."""
UNFINISHED, INTERRUPTED = 1, 130
_AROUND = re.compile(r"\s*(>>?|\()\s*")
_INSIDE = re.compile(r"\([^)]*\)")
_RULE = re.compile(r"[Rr]?(\d+)")


class LeaveError(Exception):
    """Somebody leaves before the end."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code
        """The exit code of this way to leave."""


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody at the table: a person, or a bot."""

    name: str
    bot: Bot | None = None


class TerminalGame:
    """One game at one terminal.

    The screen shows what the person who looks at it may know, and nothing else. With several
    people it is covered before the next one looks, as soon as there are cards to hide.
    """

    def __init__(
        self,
        game: Game,
        players: Sequence[Player],
        seed: str,
        terminal: Plain,
        pace: float,
        file: str | None,
    ) -> None:
        self.game = game
        self.players = players
        self.names = [player.name for player in players]
        self.people = [seat for seat, player in enumerate(players) if player.bot is None]
        self.seed = seed
        self.terminal = terminal
        self.language = terminal.language
        self.pace = pace
        self.saver = Saver(game, terminal, file)
        self.viewer: Seat | None = self.people[0] if len(self.people) == 1 else None
        self.hurried = False
        self.warned = False
        """Whether Ctrl-C was the last thing that was pressed."""
        self.printed = len(narrate(game))
        """Steps that were told already, where text goes by."""
        self.since = [len(game.tokens)] * len(players)
        """By seat: tokens that had been played when its last turn ended."""
        self.drawn = [""] * len(players)
        """By seat: cards that came since, for its own eyes."""
        self.insisted: tuple[int, Action] | None = None
        """The move that was warned of: when, and which."""
        self.notes = [self._say("cli.play.welcome")]
        if others := agreed(game.options, self.language):
            self.notes.append(others)
        if COMMITMENT_HEADER in game.headers:
            self.notes.append(
                self._say("cli.play.promise", commitment=game.headers[COMMITMENT_HEADER])
            )
        if file:
            self.notes.append(self._say("cli.play.kept", file=file))
        self.commands: dict[str, Callable[[int, str], None]] = {
            "help": self._help,
            "moves": self._moves,
            "why": self._why,
            "undo": self._undo,
            "end": self._end,
            "board": self._board,
            "hand": self._hand,
            "log": self._log,
            "rules": self._rules,
            "resign": self._resign,
            "save": self._save,
            "quit": self._quit,
        }
        self.words = {"?": "moves"} | {name: name for name in self.commands}
        self.words |= {self._word(name): name for name in self.commands}

    def _say(self, key: str, **values: object) -> str:
        return say(key, self.language, **values)

    def _word(self, command: str) -> str:
        """A command as it is called in the language of the game."""
        return self._say(f"cli.play.word.{command}")

    # The game

    def run(self) -> int:
        """Play to the end or until somebody leaves; returns the exit code."""
        code = 0
        try:
            while (seat := self.game.to_move) is not None:
                self._go_on(seat)
        except LeaveError as leave:
            code = leave.code
        except KeyboardInterrupt:
            code = INTERRUPTED
        except BaseException:
            self.terminal.close()
            self.saver.save_somewhere()
            raise
        self.terminal.close()
        if code == 0 and self.game.result != "*":
            self._tell_steps()
            self._draw_board()
            self.terminal.tell(f"\n{self._result()}")
        elif code == UNFINISHED:
            self.terminal.tell(self._say("cli.play.input_ended"))
        self.saver.leave()
        return code

    def _go_on(self, seat: Seat) -> None:
        player = self.players[seat] if seat != CHANCE else None
        if player is None:
            self._deal()
        elif player.bot is None:
            self._person(seat)
        else:
            self._bot(seat, player.bot)

    def _deal(self) -> None:
        seat = int(self.game.view(None).fields.seat)
        token = fair_draw(self.game, self.seed)
        self.game.play(token)
        self.drawn[seat] += token[1:]

    def _bot(self, seat: Seat, bot: Bot) -> None:
        # Of the deal's seed and the moment alone: a game that was saved goes on as it would have.
        rng = new_rng(f"{self.seed} {len(self.game.tokens)}", stream=1 + seat)
        view, legal = self.game.view(seat), self.game.legal()
        for action in decide(bot, view, legal, THINKING, rng):
            self.game.play(action, seat=seat)
            self._look()
            if self.pace and not self.hurried:
                self.hurried = self.terminal.pause(self.pace)

    def _person(self, seat: Seat) -> None:
        self._hand_over(seat)
        self.hurried = False
        if self.drawn[seat]:
            came = " ".join(sorted(self.drawn[seat], key=CARD_LETTERS.index))
            self.notes.append(self._say("cli.play.drawn", cards=came))
            self.drawn[seat] = ""
        self._look()
        if not self.terminal.drawn:
            self._draw_board()
        while self.game.to_move == seat and self.players[seat].bot is None:
            self._obey(seat, self._typed(seat))
        self.since[seat] = len(self.game.tokens)
        if len(self.people) > 1:
            self.viewer = None
        if failure := self.saver.save_quietly():
            self.notes.append(failure)

    def _hand_over(self, seat: Seat) -> None:
        """Let a person sit down at the keyboard, and nobody else see the cards."""
        if self.viewer == seat:
            return
        if sum(self.game.view(None).hand_sizes) and self.terminal.reads_people:
            self.terminal.cover()
            self.terminal.tell(self._say("cli.play.hand_over", name=self.names[seat]))
            self._ask(self._say("cli.play.ready", name=self.names[seat]))
            self.terminal.cover()
        self.viewer = seat

    def _ask(self, prompt: str, choices: Choices = no_choices) -> str:
        """What a person types; twice Ctrl-C in a row leaves, and so does the end of the input."""
        while True:
            try:
                line = self.terminal.ask(prompt, choices)
            except EOFError:
                raise LeaveError(0 if self.terminal.reads_people else UNFINISHED) from None
            except KeyboardInterrupt:
                if self.warned:
                    raise LeaveError(INTERRUPTED) from None
                self.warned = True
                self.terminal.tell(self._say("cli.play.again"))
                continue
            self.warned = False
            return line

    def _typed(self, seat: Seat) -> str:
        def choices() -> Iterable[tuple[str, str]]:
            for action in self.game.legal():
                yield TOKENS[action], self._words(action)
            for name in self.commands:
                yield self._word(name), self._say(f"cli.play.help.{name}")

        return self._ask(f"{self.names[seat]}> ", choices)

    # What is shown

    def _look(self) -> None:
        """Show how things stand: the board in its place, or what was done as text."""
        if not self.terminal.drawn:
            self._tell_steps()
            self._tell_notes()
            return
        board = self._board_lines()
        notes = [line for note in self.notes for line in self.terminal.fitting(note)]
        self.notes = []
        room = max(FEWEST_STEPS, self.terminal.height - len(board) - len(notes) - 4)
        seen = 0 if self.viewer is None else self.since[self.viewer]
        steps = [step for step in narrate(self.game, self.language) if step.number >= seen]
        lines = [
            line
            for step in steps[-room:]
            for line in step_lines(step.seat, self.names[step.seat], step.text, self.terminal.width)
        ]
        self.terminal.show([*board, [], *lines[-room:], *([("", note)] for note in notes)])

    def _board_lines(self) -> list[StyledLine]:
        view = self.game.view(self.viewer)
        return draw(view, self.names, self.language, self.terminal.board_width)

    def _draw_board(self) -> None:
        self.terminal.write([[], *self._board_lines()])

    def _tell_steps(self) -> None:
        """What was done since it was last told."""
        if self.terminal.drawn:
            return
        steps = narrate(self.game, self.language)
        for step in steps[self.printed :]:
            self.terminal.tell(f"{self.names[step.seat]}: {step.text}")
        self.printed = len(steps)

    def _tell_notes(self) -> None:
        for note in self.notes:
            self.terminal.tell(note)
        self.notes = []

    def _result(self) -> str:
        game, winner = self.game, self.game.winner
        if winner is not None and self.people == [winner] and game.termination is None:
            return self._say("cli.play.you_won", loot=game.loot[winner], turns=game.turns + 1)
        return ending(game, self.names, self.language)

    # What is typed

    def _obey(self, seat: Seat, line: str) -> None:
        word, _, rest = line.strip().partition(" ")
        command = self.words.get(word.lower())
        if command:
            self.commands[command](seat, rest.strip())
        elif word:
            self._play(seat, line)
        else:
            self._look()

    def _play(self, seat: Seat, line: str) -> None:
        """Play the moves of a line, one after another, up to the first that is refused."""
        line = _INSIDE.sub(lambda inside: "".join(inside[0].split()), _AROUND.sub(r"\1", line))
        moves, played, refused = line.split(), 0, ""
        for move in moves:
            if self.game.to_move != seat:
                refused = self._say("cli.play.not_played", moves=" ".join(moves[played:]))
                break
            try:
                action = self.game.understand(move)
                if refused := self._warning(action):
                    break
                self.game.play(action, seat=seat)
            except MoveError as error:
                refused = error.said(self.language)
                break
            played += 1
        if played and (self.game.to_move == seat or len(self.people) == 1):
            self._look()  # else the screen is another's from now on
        if refused and self.game.to_move == seat:
            self.terminal.tell(refused)
        elif refused:
            self.notes.append(refused)

    def _warning(self, action: Action) -> str:
        """Said once before a player's last thief goes in and robs nothing (R27)."""
        stranded = stranded_by(self.game.view(None), action)
        if stranded is None or self.insisted == (len(self.game.tokens), action):
            return ""
        self.insisted = len(self.game.tokens), action
        return self._say("cli.play.last_thief" if stranded == "self" else "cli.play.last_of_all")

    def _help(self, _seat: Seat, _given: str) -> None:
        palaces = ", ".join(
            f"{letter} {self._say(f'palace.{letter}')}" for letter in PALACE_LETTERS
        )
        lines = [self._say("cli.play.help", ok=PAYABLE), palaces, ""]
        lines += (
            f"  {self._word(name):<10}{self._say(f'cli.play.help.{name}')}"
            for name in self.commands
        )
        self.terminal.tell("\n".join(lines))

    def _moves(self, _seat: Seat, _given: str) -> None:
        self.terminal.tell(legal_moves(self.game, self.language))

    def _why(self, _seat: Seat, given: str) -> None:
        try:
            action = self.game.understand(given)
        except MoveError as error:
            self.terminal.tell(error.said(self.language))
        else:
            values = {"token": TOKENS[action], "words": self._words(action)}
            self.terminal.tell(self._say("cli.play.possible", **values))

    def _words(self, action: Action) -> str:
        return describe(action, self.language, cards_to_come(self.game, action))

    def _undo(self, _seat: Seat, _given: str) -> None:
        if not self.game.acted:
            self.terminal.tell(self._say("server.nothing_to_take_back"))
            return
        token = self.game.undo()
        self.printed = min(self.printed, len(narrate(self.game)))
        self.notes.append(self._say("cli.play.undone", token=token))
        self._look()

    def _end(self, seat: Seat, _given: str) -> None:
        self._play(seat, ".")

    def _board(self, _seat: Seat, _given: str) -> None:
        if self.terminal.drawn:
            self._look()
        else:
            self._draw_board()

    def _hand(self, seat: Seat, _given: str) -> None:
        self.terminal.write([cards(self.game.view(seat).hand, self.terminal.width)])

    def _log(self, _seat: Seat, _given: str) -> None:
        steps = narrate(self.game, self.language)
        self.terminal.tell("\n".join(f"{self.names[step.seat]}: {step.text}" for step in steps))

    def _rules(self, _seat: Seat, given: str) -> None:
        texts = catalogue("rules", self.language)
        rules = {key: text for key, text in texts.items() if _RULE.fullmatch(key)}
        if given:
            match = _RULE.fullmatch(given)
            key = f"R{match[1]}" if match else ""
            if key not in rules:
                self.terminal.tell(self._say("cli.play.no_rule", last=list(rules)[-1]))
                return
            rules = {key: rules[key]}
        self.terminal.tell("\n".join(f"{key} {text}" for key, text in rules.items()))

    def _save(self, _seat: Seat, given: str) -> None:
        self.saver.save(given)

    def _resign(self, seat: Seat, given: str) -> None:
        """Give up (R28), when it is said twice: a bot plays the seat on where there are others."""
        players = self.game.options.players
        again = self._word("resign")
        if given.lower() != again:
            key = "two" if players == 2 else "more" if len(self.people) > 1 else "last"
            other = self.names[1 - seat] if players == 2 else self.names[seat]
            self.terminal.tell(self._say(f"cli.play.resign.{key}", name=other, word=again))
            return
        self.game.resign(seat)
        self.people = [each for each in self.people if each != seat]
        if self.game.over:
            return
        if not self.people:
            self.game.end("resigned")
            return
        self.players = [
            Player(player.name, make_bot(STAND_IN)) if place == seat else player
            for place, player in enumerate(self.players)
        ]
        bots = bots_of(self.game) or [None] * players
        sign(self.game, self.names, [STAND_IN if n == seat else bot for n, bot in enumerate(bots)])
        self.notes.append(self._say("cli.play.resigned", name=self.names[seat], level=STAND_IN))

    def _quit(self, _seat: Seat, _given: str) -> None:
        raise LeaveError(0)
