"""A table: what its events add up to, and what can be asked of it."""

from msgspec import Struct, field

from baghdad.bots import LESSON
from baghdad.bots.lesson.script import RIVAL
from baghdad.rules.engine.material import Seat
from baghdad.rules.engine.views import CHANCE
from baghdad.rules.fair import Pledge, commitment, deal_seed
from baghdad.rules.game import Game

from .agreement import Agreement
from .events import Chair, EventNumber, Milliseconds, Person, PersonNumber, Seating
from .finished import FinishedGame, Players, record_of


class Proposal(Struct, frozen=True):
    """A proposal to end the game without a winner (R28), and the answers to it."""

    number: EventNumber
    """Of the event that made it."""
    person: PersonNumber
    turn: int
    """Turns that were finished then."""
    agreed: tuple[PersonNumber, ...]
    bots: tuple[Seat, ...] = ()
    """Seats of bots that agree."""
    refused: PersonNumber | None = None
    refused_seat: Seat | None = None
    """The person who wants to play on, or the seat of a bot."""

    @property
    def declined(self) -> bool:
        return self.refused is not None or self.refused_seat is not None


class Table(Struct):
    """A table after some of its events. It is never changed: `evolve` makes the next one."""

    code: str
    number: EventNumber = 0
    """Of the last event: the table's version."""
    changed: EventNumber = 0
    """Of the last event that could outdate a command."""
    creator: str | None = None
    """Whose bots and rows in the lobby are counted together; never shown to anybody."""
    agreement: Agreement = field(default_factory=Agreement)
    chairs: tuple[Seating, ...] = ()
    people: dict[PersonNumber, Person] = field(default_factory=dict)
    gone: dict[PersonNumber, Person] = field(default_factory=dict)
    """Those who have left, or were asked to go, and sat in a game here: they may still check it."""
    joined: int = 0
    """People who have ever joined: the next one's number."""
    knock: bool = False
    """Whether newcomers need the host's yes: from the first time that somebody was asked to go."""
    waiting: tuple[Person, ...] = ()
    """Those who have knocked."""
    turned_away: frozenset[str] = frozenset()
    """Hashes of the secrets of those to whom the host has said no."""
    host: PersonNumber = 0
    screen: PersonNumber | None = None
    """The host that shows the table to all around it, and never has a chair."""
    hushed: bool = False
    seed: str = ""
    """The server's secret, which it has promised."""
    promises: dict[PersonNumber, str] = field(default_factory=dict)
    """What devices have promised for the game that is to come."""
    pledges: tuple[Pledge, ...] = ()
    """By seat, from the start on: what was promised for this game, and what was brought."""
    left_out: frozenset[Seat] = frozenset()
    """Seats that promised a number which the deal has not waited for any longer."""
    lesson: bool = False
    """The guided game is prepared, played or just over here."""
    game: Game | None = None
    games: int = 0
    """Games begun."""
    started: Milliseconds = 0
    """When this game began."""
    began: EventNumber = 0
    """Where the events of this game begin."""
    order: tuple[Chair, ...] = ()
    """By seat: its chair."""
    names: tuple[str, ...] = ()
    """By seat: the name of the player, or the level of the bot; it stays when the player leaves."""
    sat: tuple[PersonNumber | None, ...] = ()
    """By seat: the person who plays; none for a bot."""
    dealt_in: frozenset[PersonNumber] = frozenset()
    """People who were there when this game began."""
    offers: tuple[PersonNumber, ...] = ()
    """People who want another game, after the end."""
    declines: tuple[PersonNumber, ...] = ()
    proposal: Proposal | None = None
    """The last one of this game; `proposed` is one that still stands."""
    proposers: dict[PersonNumber, int] = field(default_factory=dict)
    """By person who has proposed an end: the turns that were finished then."""
    lent: frozenset[tuple[int, PersonNumber]] = frozenset()
    """Games of which puzzles may be made, each with a person who has agreed to that."""
    past: tuple[FinishedGame, ...] = ()
    """The games before this one."""
    stand_ins: dict[Seat, str] = field(default_factory=dict)
    undone: int = 0
    """How often something was taken back in this turn."""
    on_since: Milliseconds = 0
    """When the turn of the seat that decides began."""
    used: tuple[Milliseconds, ...] = ()
    """By seat: time taken for finished turns."""
    touched: Milliseconds = 0
    """When something last happened."""

    @property
    def playing(self) -> bool:
        return self.game is not None and not self.game.over

    @property
    def over(self) -> bool:
        return self.game is not None and self.game.over

    @property
    def promise(self) -> str:
        """The hash of the seed, which everybody may see from the beginning."""
        return commitment(self.seed)

    @property
    def deal_seed(self) -> str:
        """What all cards of this game follow from, once no number is awaited any more."""
        return deal_seed(self.seed, [pledge.number for pledge in self.pledges])

    @property
    def awaited(self) -> tuple[Seat, ...]:
        """Seats whose numbers the deal waits for."""
        return tuple(
            seat
            for seat, pledge in enumerate(self.pledges)
            if pledge.share == "left_out" and seat not in self.left_out and self.playing
        )

    @property
    def deal_waits(self) -> bool:
        """Whether nothing but numbers is missing to deal the cards."""
        return self.game is not None and self.game.to_move == CHANCE

    @property
    def on_turn(self) -> Seat | None:
        """The seat that decides; none before the game, while the deal waits, and after the end."""
        seat = None if self.game is None else self.game.to_move
        return None if seat == CHANCE else seat

    @property
    def seated(self) -> tuple[PersonNumber, ...]:
        """The people who have a chair."""
        return tuple(each.person for each in self.chairs if each.person is not None)

    @property
    def insiders(self) -> frozenset[PersonNumber]:
        """People who have a chair, and the screen that hosts the table; all others are spectators.

        So is a host who has no chair because all others have gone: the game was not theirs.
        """
        return frozenset(self.people.keys() & (*self.seated, self.screen))

    def is_insider(self, person: PersonNumber | None) -> bool:
        """Whether somebody is one of them."""
        return person is not None and (person in self.seated or person == self.screen)

    @property
    def players(self) -> Players:
        """The players of this game."""
        chairs = [self.chairs[chair] for chair in self.order]
        return Players(
            self.names,
            tuple(chair.colour for chair in chairs),
            # Somebody who has given up has lost, even if a bot has taken the chair since.
            tuple(
                None if self.sat[seat] is not None else chair.level
                for seat, chair in enumerate(chairs)
            ),
            self.sat,
        )

    @property
    def finished(self) -> tuple[FinishedGame, ...]:
        """All games that are over, this one included."""
        if self.game is None or not self.game.over:
            return self.past
        record = record_of(
            self.code,
            self.game,
            self.players,
            self.seed,
            self.pledges,
            self.on_since,
            teaching=self.agreement.teaching,
        )
        now = FinishedGame(
            self.games,
            self.players,
            self.game.loot,
            self.game.winner,
            self.on_since,
            record,
            self.game.termination,
            tuple(sorted(self.game.resigned)),
            self.dealt_in | self.insiders,
        )
        return (*self.past, now)

    def has_played(self, person: PersonNumber) -> bool:
        """Whether somebody was there when any game of this table began, or ended."""
        return person in self.dealt_in or any(person in each.insiders for each in self.past)

    def chair_of(self, person: PersonNumber) -> Chair | None:
        for chair, seating in enumerate(self.chairs):
            if seating.person == person:
                return chair
        return None

    def place_of(self, person: PersonNumber | None) -> Seat | None:
        """The seat in the game that belongs to a person's chair; none for a spectator."""
        if person is None or self.game is None:
            return None
        chair = self.chair_of(person)
        return self.order.index(chair) if chair in self.order else None

    def seat_of(self, person: PersonNumber | None) -> Seat | None:
        """The seat in the game that a person holds; one who has given up looks on to the end."""
        seat = self.place_of(person)
        return None if seat is None or self.has_given_up(seat) else seat

    def has_given_up(self, seat: Seat) -> bool:
        """Whether the player of a seat looks on to the end."""
        return self.game is not None and seat in self.game.resigned and not self.game.over

    @property
    def resigned(self) -> frozenset[Seat]:
        """Seats whose players have given up (R28)."""
        return frozenset(self.game.resigned if self.game is not None else ())

    @property
    def still_playing(self) -> dict[Seat, PersonNumber]:
        """The people in the game who have not given up, by seat."""
        sitting = {seat: self.chairs[chair].person for seat, chair in enumerate(self.order)}
        return {
            seat: person
            for seat, person in sitting.items()
            if person is not None and seat not in self.resigned
        }

    @property
    def proposed(self) -> Proposal | None:
        """The proposal to end the game that is still to be answered.

        It holds for one round: as many turns as there are players.
        """
        proposal = self.recent_proposal
        return None if proposal is None or proposal.declined else proposal

    @property
    def recent_proposal(self) -> Proposal | None:
        """The same, or one that somebody has refused in this round."""
        game, proposal = self.game, self.proposal
        if game is None or game.over or proposal is None:
            return None
        return proposal if game.turns < proposal.turn + game.options.players else None

    @property
    def unanswered(self) -> tuple[tuple[PersonNumber, ...], tuple[Seat, ...]]:
        """People and seats of bots whose answer to a proposal is missing.

        A bot that only plays on for somebody who has given up has no say.
        """
        proposal = self.proposed
        if proposal is None:
            return (), ()
        people = (p for p in self.still_playing.values() if p not in proposal.agreed)
        bots = (
            seat
            for seat, chair in enumerate(self.order)
            if self.chairs[chair].kind == "bot"
            and seat not in self.resigned
            and seat not in proposal.bots
        )
        return tuple(people), tuple(bots)

    def bot_at(self, seat: Seat) -> str | None:
        """The bot that decides for a seat: its own, or one that stands in."""
        return self.stand_ins.get(seat) or self.chairs[self.order[seat]].level

    def bot_to_ask(self, seat: Seat) -> str | None:
        """The bot that thinks for a seat: in the guided game one that knows its part."""
        knows_part = self.lesson and seat == RIVAL and seat not in self.stand_ins
        return LESSON if knows_part and self.bot_at(seat) else self.bot_at(seat)

    def may_undo(self, seat: Seat | None) -> bool:
        """Whether a seat can take its last action back: nothing was revealed since (R22, R23)."""
        game = self.game
        if seat is None or game is None or game.to_move != seat:
            return False
        return game.acted

    @property
    def deadline(self) -> Milliseconds | None:
        """When the time of the seat whose turn it is ends; none where there is no clock."""
        seat, agreement = self.on_turn, self.agreement
        if seat is None or not self.playing:
            return None
        ends = []
        if agreement.move_seconds:
            ends.append(self.on_since + 1000 * agreement.move_seconds)
        if agreement.game_seconds:
            left = max(0, 1000 * agreement.game_seconds - self.used[seat])
            ends.append(self.on_since + left)
        return min(ends, default=None)
