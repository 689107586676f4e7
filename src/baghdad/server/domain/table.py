"""A table: what its events add up to. Nothing here waits, stores or sends."""

from collections.abc import Iterable
from copy import copy

from msgspec import Struct, field
from msgspec.structs import replace

from baghdad.bots import LESSON
from baghdad.bots.lesson.script import RIVAL
from baghdad.rules.ending import Termination
from baghdad.rules.engine.material import Seat
from baghdad.rules.engine.views import CHANCE
from baghdad.rules.fair import Pledge, commitment, deal_seed
from baghdad.rules.game import Game

from .events import (
    CHAT_EVENTS,
    Agreement,
    Arranged,
    Brought,
    Chair,
    Created,
    Declined,
    DoorOpened,
    EndAnswered,
    Ended,
    EndProposed,
    EventNumber,
    Hushed,
    Joined,
    Knocked,
    Left,
    LeftOut,
    Milliseconds,
    Moved,
    Offered,
    Person,
    PersonNumber,
    Rematched,
    Resigned,
    Returned,
    Sat,
    Seating,
    Start,
    StartChosen,
    Started,
    StoodIn,
    StoredEvent,
    TurnedAway,
    Undone,
    is_aside,
)
from .finished import FinishedGame, Players, record_of


class Proposal(Struct, frozen=True):
    """That a game be ended without a winner (R28), and who has answered."""

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
    """Who wants to play on; a bot is known by its seat."""

    @property
    def declined(self) -> bool:
        return self.refused is not None or self.refused_seat is not None


class Table(Struct):
    """A table after some of its events. It is never changed: `after` makes the next one."""

    code: str
    number: EventNumber = 0
    """Of the last event: the table's version."""
    changed: EventNumber = 0
    """Of the last event that was more than talk or an answer."""
    agreement: Agreement = field(default_factory=Agreement)
    chairs: tuple[Seating, ...] = ()
    people: dict[PersonNumber, Person] = field(default_factory=dict)
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
    """By seat: who plays, or the bot; whoever leaves after the end has played."""
    sat: tuple[PersonNumber | None, ...] = ()
    """By seat: who plays; none for a bot."""
    offers: tuple[PersonNumber, ...] = ()
    """Who wants another game, after the end."""
    declines: tuple[PersonNumber, ...] = ()
    proposal: Proposal | None = None
    """The last one of this game; `proposed` is one that still stands."""
    proposers: dict[PersonNumber, int] = field(default_factory=dict)
    """Who has proposed an end: the turns that were finished then."""
    past: tuple[FinishedGame, ...] = ()
    """The games before this one."""
    stand_ins: dict[Seat, str] = field(default_factory=dict)
    on_since: Milliseconds = 0
    """When the seat on turn came on."""
    used: tuple[Milliseconds, ...] = ()
    """By seat: time taken for finished turns."""
    touched: Milliseconds = 0
    """When something last happened."""

    # Looking

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
        return None if self.game is None or self.deal_waits else self.game.to_move

    @property
    def seated(self) -> tuple[PersonNumber, ...]:
        """The people who have a chair."""
        return tuple(each.person for each in self.chairs if each.person is not None)

    def is_insider(self, person: PersonNumber | None) -> bool:
        """Whether somebody has a chair, or is the screen that hosts the table; else a spectator.

        So is a host who has no chair because all others have gone: the game was not theirs.
        """
        return person is not None and (person in self.seated or person == self.screen)

    @property
    def players(self) -> Players:
        """Who plays this game."""
        chairs = [self.chairs[chair] for chair in self.order]
        return Players(
            self.names,
            tuple(chair.colour for chair in chairs),
            # Whoever has given up has lost, even if a bot has taken the chair since.
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
            self.code, self.game, self.players, self.seed, self.pledges, self.on_since
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
            frozenset(filter(self.is_insider, self.people)),
        )
        return (*self.past, now)

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
        """The seat in the game that a person holds; whoever has given up looks on to the end."""
        seat = self.place_of(person)
        return None if self.playing and seat in self.resigned else seat

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

    def mind_of(self, seat: Seat) -> str | None:
        """The bot that thinks for a seat: in the guided game one that knows its part."""
        knows_part = self.lesson and seat == RIVAL and seat not in self.stand_ins
        return LESSON if knows_part and self.bot_at(seat) else self.bot_at(seat)

    def may_undo(self, seat: Seat | None) -> bool:
        """Whether a seat can take its last action back: nothing was revealed since (R22, R23)."""
        game = self.game
        if seat is None or game is None or game.to_move != seat:
            return False
        return game.acted

    # Going on

    def after(self, stored: StoredEvent, game: Game | None = None) -> "Table":
        """The table after one more event.

        `game` is the game after the event, where the caller has played it already.
        """
        table = copy(self)
        table.number, table.touched = stored.number, stored.at
        if not isinstance(stored.event, CHAT_EVENTS):
            table._apply(stored, game)
        if not is_aside(stored.event) or table.over != self.over:
            table.changed = stored.number
        return table

    def _apply(self, stored: StoredEvent, game: Game | None) -> None:
        event = stored.event
        match event:
            case Moved() | Undone():
                was_on = self.on_turn
                self.game = game or played(self.game, event)
                if self.on_turn != was_on:
                    self._pass_on(stored.at, event.seat)
            case Created():
                self.agreement, self.chairs, self.seed = event.agreement, event.chairs, event.seed
                self.lesson = event.lesson
                self.people = {person.number: person for person in event.people}
                self.screen = None if self.host in self.seated else self.host
                self.joined = len(event.people)
                self._promise(self.host, event.promise)
            case Joined():
                self.people = self.people | {event.person.number: event.person}
                self.joined = max(self.joined, event.person.number + 1)
                self._answer_door(event.person.number)
                if self.host not in self.people:
                    self.host = event.person.number
                self._seat(event.chair, kind="human", person=event.person.number)
                self._promise(event.person.number, event.promise)
            case Sat():
                self._promise(event.person, event.promise)
                self._sit(event)
            case Knocked():
                self.waiting = (*self.waiting, event.person)
                self.joined = event.person.number + 1
                self._promise(event.person.number, event.promise)
            case TurnedAway():
                refused = {each.secret for each in self.waiting if each.number == event.person}
                self.turned_away = self.turned_away | refused
                self._answer_door(event.person)
            case DoorOpened():
                self._open_door()
            case Left():
                self._leave(event.person, stored.at, asked=event.asked)
                self._seat_host()
                self.knock = self.knock or event.asked
                if not self.people:  # nobody could be asked
                    self._open_door()
            case Arranged():
                self._seat(event.chair, kind=event.to, level=event.level)
                if event.to == "closed" and self.agreement.start == event.chair:
                    self._begin_with("random")
            case StartChosen():
                self._begin_with(event.start)
            case Started():
                self._start(stored.number, event, stored.at)
            case Brought() | LeftOut():
                self._settle(event, game)
                if event.chance:
                    self.on_since = stored.at
            case StoodIn():
                if self.on_turn == event.seat:
                    self._pass_on(stored.at, event.seat)
                self.stand_ins = self.stand_ins | {event.seat: event.level}
            case Returned():
                self.stand_ins = {s: bot for s, bot in self.stand_ins.items() if s != event.seat}
                self.on_since = stored.at if self.on_turn == event.seat else self.on_since
            case Resigned():
                self._resign(event.seat, stored.at)
            case EndProposed():
                assert self.game is not None, "proposed in a game"
                turn = self.game.turns
                self.proposers = self.proposers | {event.person: turn}
                self.proposal = Proposal(stored.number, event.person, turn, (event.person,))
                self._end_if_agreed(stored.at)
            case EndAnswered():
                self._take_answer(event)
                self._end_if_agreed(stored.at)
            case Ended():
                self._end(event.how, stored.at)
            case Hushed():
                self.hushed = event.off
            case Offered():
                self._answer(event.person)
                self._promise(event.person, event.promise)
                self.offers = (*self.offers, event.person)
            case Declined():
                self._answer(event.person)
                self.declines = (*self.declines, event.person)
            case Rematched():
                self.past = self.finished
                self.game, self.order, self.stand_ins, self.used = None, (), {}, ()
                self.offers = self.declines = ()
                self.proposal, self.proposers = None, {}
                self.seed, self.lesson = event.seed, False
                self.pledges, self.left_out = (), frozenset()
                if event.promise is not None:
                    self._promise(*event.promise)
                for chair, seating in enumerate(self.chairs):
                    if seating.person is not None and seating.person in event.without:
                        self._seat(chair, kind="open")
                self._seat_host()

    def _seat(
        self,
        chair: Chair,
        *,
        kind: str,
        person: PersonNumber | None = None,
        level: str | None = None,
        colour: int | None = None,
    ) -> None:
        chairs = list(self.chairs)
        own = chairs[chair].colour if colour is None else colour
        chairs[chair] = Seating(kind=kind, colour=own, person=person, level=level)  # type: ignore[arg-type]
        self.chairs = tuple(chairs)

    def _sit(self, event: Sat) -> None:
        """Change places, or colours, with whoever or whatever is there."""
        old = self.chair_of(event.person)
        if old is None:
            self._seat(event.chair, kind="human", person=event.person)
            return
        chairs = list(self.chairs)
        mine, other = chairs[old], chairs[event.chair]
        if event.chair != old:
            chairs[old] = recoloured(other, mine.colour)
            chairs[event.chair] = recoloured(mine, other.colour)
            # Whoever was chosen to begin does so from another chair, too.
            moved: dict[Start, Chair] = {old: event.chair, event.chair: old}
            self._begin_with(moved.get(self.agreement.start, self.agreement.start))
        before = chairs[event.chair].colour
        swap = {before: event.colour, event.colour: before}
        chairs = [recoloured(each, swap.get(each.colour, each.colour)) for each in chairs]
        self.chairs = tuple(chairs)

    def _promise(self, person: PersonNumber, promise: str | None) -> None:
        """A device has promised a number for the next deal, in place of an earlier one."""
        if promise is not None:
            self.promises = self.promises | {person: promise}

    def _settle(self, event: Brought | LeftOut, game: Game | None) -> None:
        """A number has come, or is not waited for; the cards follow where it was the last."""
        if isinstance(event, Brought):
            pledges = list(self.pledges)
            pledges[event.seat] = pledges[event.seat]._replace(number=event.number)
            self.pledges = tuple(pledges)
        else:
            self.left_out = self.left_out | set(event.seats)
        if event.chance:
            self.game = game or dealt(self.game, event.chance)

    def _answer_door(self, person: PersonNumber) -> None:
        self.waiting = tuple(each for each in self.waiting if each.number != person)

    def _open_door(self) -> None:
        self.knock, self.waiting, self.turned_away = False, (), frozenset()

    def _begin_with(self, start: Start) -> None:
        self.agreement = replace(self.agreement, start=start)

    def _leave(self, person: PersonNumber, at: Milliseconds, *, asked: bool) -> None:
        chair = self.chair_of(person)
        seat = self.place_of(person)
        if self.playing and seat is not None and seat not in self.resigned and not asked:
            self._resign(seat, at)  # whoever goes gives up
        self.people = {number: each for number, each in self.people.items() if number != person}
        self.promises = {who: each for who, each in self.promises.items() if who != person}
        if chair is not None:
            if self.playing and seat is not None:
                level = self.stand_ins.get(seat) or self.agreement.stand_in or LEAVER
                self._seat(chair, kind="bot", level=level)
                self._sit_down()
                if self.resigned and not self.still_playing:
                    self._end("resigned", at)  # who is asked to go was the last who played
                self._end_if_agreed(at)
            else:
                self._seat(chair, kind="open")
        self._answer(person)
        if person == self.host and self.people:
            # Not somebody who only looks at the last game's result.
            self.host = min(self.seated or self.people)

    def _seat_host(self) -> None:
        """Who is left as the host of a next game sits down at it; else it would be a screen."""
        settled = self.host not in self.people or self.is_insider(self.host)
        if self.game is not None or settled:
            return
        for chair, seating in enumerate(self.chairs):
            if seating.kind == "open":
                self._seat(chair, kind="human", person=self.host)
                return

    def _answer(self, person: PersonNumber) -> None:
        """Forget what somebody has said about another game."""
        self.offers = tuple(each for each in self.offers if each != person)
        self.declines = tuple(each for each in self.declines if each != person)

    def _start(self, number: EventNumber, event: Started, at: Milliseconds) -> None:
        game = Game.with_options(self.agreement.options_for(len(event.order)))
        for token in event.chance:
            game.play(token)
        self.game, self.order = game, event.order
        self.began, self.games = number, self.games + 1
        self.stand_ins, self.on_since, self.started = {}, at, at
        self.used = (0,) * len(event.order)
        self.proposal, self.proposers = None, {}
        self.waiting = ()  # too late
        self.pledges = tuple(map(Pledge, event.promises or (None,) * len(event.order)))
        self.left_out, self.promises = frozenset(), {}
        self._sit_down()

    def _sit_down(self) -> None:
        """Keep who plays, whatever becomes of the chairs after the end.

        Whoever has given up has played and lost, even if a bot sits there now.
        """
        sitting = [self.chairs[chair] for chair in self.order]
        kept = self.resigned
        self.names = tuple(
            self.names[seat]
            if seat in kept
            else each.level or ""
            if each.person is None
            else self.people[each.person].name
            for seat, each in enumerate(sitting)
        )
        self.sat = tuple(
            self.sat[seat] if seat in kept else each.person for seat, each in enumerate(sitting)
        )

    # Endings without a move (R28)

    def _resign(self, seat: Seat, at: Milliseconds) -> None:
        """Somebody gives up: the other has won, a bot plays on, or nobody is left who plays."""
        assert self.game is not None, "given up in a game"
        was_on = self.on_turn
        game = self.game.copy()
        game.resign(seat)
        self.game = game
        if not self.still_playing and not game.over:
            game.end("resigned")
        if was_on is not None and (game.over or was_on == seat):
            self._pass_on(at, was_on)
        if game.over:
            self.on_since = at
            return
        level = self.stand_ins.get(seat) or self.agreement.stand_in or LEAVER
        self.stand_ins = self.stand_ins | {seat: level}
        proposal = self.proposal
        if proposal is not None and self.sat[seat] == proposal.person:
            self.proposal = None
        self._end_if_agreed(at)

    def _end(self, how: Termination, at: Milliseconds) -> None:
        assert self.game is not None, "ended in a game"
        was_on, self.game = self.on_turn, self.game.copy()
        self.game.end(how)
        if was_on is not None:
            self._pass_on(at, was_on)
        self.on_since = at

    def _take_answer(self, event: EndAnswered) -> None:
        proposal = self.proposal
        assert proposal is not None, "answers come after a proposal"
        if not event.yes:
            self.proposal = replace(proposal, refused=event.person, refused_seat=event.seat)
        elif event.person is not None:
            self.proposal = replace(proposal, agreed=(*proposal.agreed, event.person))
        elif event.seat is not None:
            self.proposal = replace(proposal, bots=(*proposal.bots, event.seat))

    def _end_if_agreed(self, at: Milliseconds) -> None:
        if self.proposed is not None and self.unanswered == ((), ()):
            self._end("agreed", at)

    def _pass_on(self, at: Milliseconds, seat: Seat) -> None:
        """The clock stops for a seat. While a bot stands in, it does not run."""
        if seat not in self.stand_ins:
            used = list(self.used)
            used[seat] += max(0, at - self.on_since)
            self.used = tuple(used)
        self.on_since = at


LEAVER = "morgiana"
"""The bot that takes over from somebody who leaves a running game: neither weak nor slow."""


def recoloured(seating: Seating, colour: int) -> Seating:
    return Seating(kind=seating.kind, colour=colour, person=seating.person, level=seating.level)


def dealt(game: Game | None, chance: Iterable[str]) -> Game:
    """The game after these tokens of chance."""
    assert game is not None, "cards come after the start"
    game = game.copy()
    for token in chance:
        game.play(token)
    return game


def played(game: Game | None, event: Moved | Undone) -> Game:
    """The game after a move and its chance, or with the last action taken back."""
    assert game is not None, "moves come after the start"
    game = game.copy()
    if isinstance(event, Undone):
        game.undo()
        return game
    game.play(event.action)
    return dealt(game, event.chance) if event.chance else game


def replayed(code: str, events: Iterable[StoredEvent]) -> Table:
    """A table from all its events."""
    table = Table(code)
    for stored in events:
        table = table.after(stored)
    return table
