"""A slow, literal second reading of the rules and docs/record.md, the oracle of the lockstep tests.

It shares nothing with the engine: pieces, cards and chests lie in plain lists, one entry each.
"""

from __future__ import annotations

from copy import deepcopy

PALACES = ["R", "G", "W", "P", "Y", "B"]  # R4, in the order of docs/record.md
SEATS = ["1", "2", "3", "4"]
NEUTRAL = "n"
DANCER = "*"
THIEF_ACTIONS = ["smuggle", "carry"]  # R11

Action = dict[str, str]  # keys: do, from, to, pay


def write_down_every_action() -> dict[str, Action]:
    """Every token a player can ever write, chance apart, with what it means."""
    book: dict[str, Action] = {}

    def add(token: str, do: str, source: str = "", target: str = "", pay: str = "") -> None:
        book[token] = {"do": do, "from": source, "to": target, "pay": pay}

    for here in PALACES:
        add(f"@{here}", "place own", target=here)  # R6
        add(f"@{NEUTRAL}{here}", "place neutral", target=here)  # R8
        for price in [1, 2, 3]:  # R12: one to three foreign guards
            for dancers in range(price + 1):  # R17: one, several or all may be dancers
                pay = here * (price - dancers) + DANCER * dancers
                add(f"+{here}({pay})", "smuggle", target=here, pay=pay)
        for there in PALACES:
            if there == here:
                continue  # R13, R15: to another palace
            for card in [here, there, DANCER]:  # R13, R14: one card, of either palace
                add(f"{here}>{there}({card})", "move own", here, there, card)
                add(f"{here}>>{there}({card})", "carry", here, there, card)
            for first in [here, DANCER]:  # R15: one card of each palace
                for second in [there, DANCER]:
                    pay = first + second
                    add(f"{NEUTRAL}{here}>{there}({pay})", "move neutral", here, there, pay)
    add(".", "end after actions")  # R22
    add("-", "end without action")  # R23
    add("-*", "end without action, dancer")  # R23
    for named in PALACES:  # R23, option `spare`
        add(f"-{named}", "end without action, named", target=named)
    return book


ACTIONS = write_down_every_action()


def count(things: list[str], kinds: list[str]) -> list[int]:
    """How many things of each kind there are."""
    return [things.count(kind) for kind in kinds]


class NaiveGame:
    """One game, played token by token."""

    def __init__(
        self,
        players: int = 2,
        *,
        variant: str = "standard",
        rob: str = "arrival",
        hands: str = "hidden",
        spare: str = "stack",
        deal: tuple[int, ...] | None = None,
    ) -> None:
        if players not in [2, 3, 4]:
            raise ValueError(f"two to four players, not {players}")  # R1
        if variant not in ["standard", "neutral"]:
            raise ValueError(f"no such variant: {variant}")
        if rob not in ["arrival", "smuggle"]:
            raise ValueError(f"no such way to rob: {rob}")
        if hands not in ["hidden", "seen"]:
            raise ValueError(f"no such way to treat hands: {hands}")
        if spare not in ["stack", "chosen"]:
            raise ValueError(f"no such spare card: {spare}")
        if deal is None:
            deal = (6, 7, 8, 9)[:players]  # R7
        if len(deal) != players:
            raise ValueError(f"a number for each seat, not {deal}")
        if min(deal) < 1 or max(deal) > 25:
            raise ValueError(f"first hands have 1 to 25 cards, not {deal}")
        self.variant = variant
        self.rob = rob
        self.when_dealt = hands
        self.spare = spare
        self.seats = SEATS[:players]
        self.first_cards: dict[str, int] = dict(zip(self.seats, deal, strict=True))

        # R1, R2: what lies on the table.
        self.chests: dict[str, list[int]] = {palace: [4, 5, 6, 7] for palace in PALACES}
        self.courtyard: dict[str, list[str]] = {palace: [] for palace in PALACES}
        self.guards: dict[str, list[str]] = {palace: [] for palace in PALACES}
        self.stack: list[str] = [palace for palace in PALACES for _ in range(17)]
        self.discard: list[str] = []
        self.dancers = 8

        # R3: what each player gets.
        own_guards = {2: 4, 3: 3, 4: 2}[players]
        self.stock: dict[str, int] = dict.fromkeys(self.seats, 12)
        self.own_to_place: dict[str, int] = dict.fromkeys(self.seats, own_guards)
        self.neutral_to_place: dict[str, int] = dict.fromkeys(self.seats, 0)
        self.hand: dict[str, list[str]] = {seat: [] for seat in self.seats}
        self.loot: dict[str, list[int]] = {seat: [] for seat in self.seats}

        if variant == "standard":  # R3: a neutral guard in front of every palace
            self.guards = {palace: [NEUTRAL] for palace in PALACES}
        else:  # R8: none, each player places two
            self.neutral_to_place = dict.fromkeys(self.seats, 2)

        # R5: seat 1 starts. R7 and the option `hands`: when the cards are dealt.
        self.phase = "dealing" if hands == "seen" else "placing"  # then: turn, drawing, over
        self.seat = "1"
        self.winner: str | None = None
        self.idle_turns = 0  # R27: turns in succession without an action or a gain
        self.finished_turns = 0
        self.named: str | None = None  # R23: the palace that the coming draw begins with
        self.begin_turn()

    # What is legal

    def legal(self) -> list[str]:
        """The canonical tokens that may come now, sorted."""
        if self.phase == "over":
            return []
        if self.phase in ["dealing", "drawing"]:
            return ["="]
        return sorted(token for token, action in ACTIONS.items() if self.allowed(action))

    def allowed(self, action: Action) -> bool:
        """Whether the player to move may do this now."""
        me = self.seat
        do = action["do"]
        source = action["from"]
        target = action["to"]

        if self.phase == "placing":
            if do == "place own":  # R6
                return self.own_to_place[me] > 0 and self.has_free_field(target)
            if do == "place neutral":  # R8
                return self.neutral_to_place[me] > 0 and self.has_free_field(target)
            return False

        if do in ["place own", "place neutral"]:
            return False
        if do == "end after actions":  # R22
            return self.acted
        if do == "end without action":  # R23
            return not self.acted
        if do == "end without action, dancer":  # R23: if the supply has one
            return not self.acted and self.dancers > 0
        if do == "end without action, named":  # R23: only where no dancer is left
            if self.spare != "chosen" or self.acted or self.dancers > 0:
                return False
            return self.stack != [] or self.discard != []

        if do in THIEF_ACTIONS and self.thief_actions == 3:  # R11
            return False
        if do == "smuggle":  # R12
            own = self.guards[target].count(me)
            foreign = len(self.guards[target]) - own  # R10
            if own == 0 or foreign == 0 or self.stock[me] == 0:
                return False
            if len(action["pay"]) != foreign:  # R17: exact payment
                return False
        else:  # R13, R14, R15
            who = NEUTRAL if do == "move neutral" else me  # R16: never another player's
            if who not in self.guards[source] or not self.has_free_field(target):
                return False
            if do == "carry" and me not in self.courtyard[source]:  # R14
                return False
        return self.can_pay(action["pay"])

    def has_free_field(self, palace: str) -> bool:
        """R1, R6: four guard fields in front of a palace."""
        return len(self.guards[palace]) < 4

    def can_pay(self, pay: str) -> bool:
        """Whether the player to move holds these very cards."""
        have = self.hand[self.seat]
        return all(have.count(card) >= pay.count(card) for card in pay)

    # Playing

    def play(self, token: str) -> None:
        """Do what the token says, or raise ValueError and leave everything as it was."""
        if self.phase in ["dealing", "drawing"]:
            self.reveal(token)
            return
        if self.phase == "over" or token not in ACTIONS or not self.allowed(ACTIONS[token]):
            raise ValueError(f"not legal here: {token}")
        action = ACTIONS[token]
        me = self.seat
        do = action["do"]
        source = action["from"]
        target = action["to"]

        if do == "place own":  # R6
            self.own_to_place[me] -= 1
            self.guards[target].append(me)
            self.after_placing()
            return
        if do == "place neutral":  # R8
            self.neutral_to_place[me] -= 1
            self.guards[target].append(NEUTRAL)
            self.after_placing()
            return

        if do == "end after actions":  # R22
            self.wait_for_draw(3)
            return
        if do == "end without action":  # R23
            self.wait_for_draw(4)
            return
        if do == "end without action, dancer":  # R23
            self.dancers -= 1
            self.hand[me].append(DANCER)
            self.took_dancer = True
            self.wait_for_draw(3)
            return
        if do == "end without action, named":  # R23: the named one first, then three
            self.named = target
            self.wait_for_draw(1 + 3)
            return

        self.acted = True
        if do in THIEF_ACTIONS:  # R11
            self.thief_actions += 1
        self.pay(action["pay"])
        if do == "smuggle":  # R12
            self.stock[me] -= 1
            self.arrive(target, do)
            self.end_if_dead()
        if do == "move own":  # R13
            self.guards[source].remove(me)
            self.guards[target].append(me)
        if do == "carry":  # R14
            self.guards[source].remove(me)
            self.guards[target].append(me)
            self.courtyard[source].remove(me)
            self.arrive(target, do)
        if do == "move neutral":  # R15
            self.guards[source].remove(NEUTRAL)
            self.guards[target].append(NEUTRAL)

    def pay(self, pay: str) -> None:
        """R18: palace cards go to the discard pile, dancers back to the supply."""
        for card in pay:
            self.hand[self.seat].remove(card)
            if card == DANCER:
                self.dancers += 1
            else:
                self.discard.append(card)

    def arrive(self, palace: str, how: str) -> None:
        """R19: an own thief comes into the courtyard and may complete a robbery."""
        me = self.seat
        self.courtyard[palace].append(me)
        if self.rob == "smuggle" and how == "carry":
            return  # option `rob`: only a smuggled thief triggers it
        if not self.chests[palace]:
            return  # R20
        number = self.chests[palace][0]
        if self.courtyard[palace].count(me) < number:
            return
        self.chests[palace].remove(number)
        self.loot[me].append(number)
        for _ in range(number):  # exactly those; under `smuggle` a surplus stays
            self.courtyard[palace].remove(me)
            self.stock[me] += 1
        if len(self.loot[me]) == {2: 6, 3: 5, 4: 4}[len(self.seats)]:  # R21
            self.winner = me
            self.phase = "over"

    def end_if_dead(self) -> None:
        """R27: under `smuggle`, after an A and its robbery, no thief in anybody's stock."""
        if self.rob == "smuggle" and all(self.stock[seat] == 0 for seat in self.seats):
            self.phase = "over"  # at once, with no draw and no winner

    # Going on

    def next_seat(self) -> str:
        """R5: clockwise, after the last player the first again."""
        return self.seats[(self.seats.index(self.seat) + 1) % len(self.seats)]

    def begin_turn(self) -> None:
        """A fresh turn: nothing done yet."""
        self.acted = False
        self.thief_actions = 0
        self.took_dancer = False
        self.cards_wanted = 0

    def after_placing(self) -> None:
        """R6, R8: one piece a turn, round after round, until all stand."""
        self.seat = self.next_seat()
        if self.own_to_place[self.seat] + self.neutral_to_place[self.seat] > 0:
            return
        self.phase = "dealing" if self.when_dealt == "hidden" else "turn"  # R7

    def wait_for_draw(self, cards: int) -> None:
        """R22, R23: the turn is over but for the draw."""
        self.cards_wanted = cards
        self.phase = "drawing"
        if self.acted or self.took_dancer or self.due() > 0:  # R27: decided before the draw
            self.idle_turns = 0
        else:
            self.idle_turns += 1

    # Chance

    def due(self) -> int:
        """How many palace cards the pending chance step reveals."""
        wanted = 0
        if self.phase == "dealing":
            wanted = self.first_cards[self.seat]  # R7, option `deal`
        if self.phase == "drawing":
            wanted = self.cards_wanted
        return min(wanted, len(self.stack) + len(self.discard))  # R25

    def reveal(self, token: str) -> None:
        """Take the dealt or drawn cards of a `=` token into the hand, one by one."""
        if not token.startswith("="):
            raise ValueError(f"cards are due, not {token}")
        cards = list(token.removeprefix("="))
        if len(cards) != self.due():
            raise ValueError(f"{self.due()} cards are due, not {len(cards)}: {token}")
        stack = list(self.stack)
        discard = list(self.discard)
        named = self.named
        for card in cards:
            if not stack:  # R24: there was no discard pile when the last card came
                stack = discard
                discard = []
            if named in stack and card != named:  # R23: the first card is the named one
                raise ValueError(f"{named} comes first: {token}")
            named = None  # R23: the other three are any
            if card not in stack:
                raise ValueError(f"{card} cannot come: {token}")
            stack.remove(card)
            if not stack:  # R24: at once, after the last card of a draw too
                stack = discard
                discard = []
        self.stack = stack
        self.discard = discard
        self.named = None
        self.hand[self.seat].extend(cards)

        if self.phase == "dealing":
            self.seat = self.next_seat()
            if self.seat == "1":  # all have their cards
                self.phase = "placing" if self.when_dealt == "seen" else "turn"
            return

        self.finished_turns += 1
        if self.idle_turns == len(self.seats):  # R27
            self.phase = "over"
            return
        self.phase = "turn"  # R9: the next player is on
        self.seat = self.next_seat()
        self.begin_turn()

    # Looking

    def position(self) -> dict[str, object]:
        """The position as docs/record.md writes it in JSON."""
        to_move: int | str | None = int(self.seat)
        if self.phase in ["dealing", "drawing"]:
            to_move = "chance"
        if self.phase == "over":
            to_move = None
        return {
            "to_move": to_move,
            "winner": None if self.winner is None else int(self.winner),
            "guards": {p: count(self.guards[p], [*SEATS, NEUTRAL]) for p in PALACES},
            "thieves": {p: count(self.courtyard[p], SEATS) for p in PALACES},
            "chests": {p: len(self.chests[p]) for p in PALACES},
            "hands": [count(self.hand[seat], [*PALACES, DANCER]) for seat in self.seats],
            "deck": count(self.stack, PALACES),
            "discard": count(self.discard, PALACES),
            "dancers": self.dancers,
            "loot": [len(self.loot[seat]) for seat in self.seats],
            "legal": self.legal(),
            # What a program needs to go on from here.
            "options": {
                "Players": str(len(self.seats)),
                "Variant": self.variant,
                "Rob": self.rob,
                "Hands": self.when_dealt,
                "Spare": self.spare,
                "Deal": "-".join(str(self.first_cards[seat]) for seat in self.seats),
            },
            "phase": self.phase,
            "unplaced": [
                [self.own_to_place[seat], self.neutral_to_place[seat]] for seat in self.seats
            ],
            "acted": self.acted,
            "thief_actions": self.thief_actions,
            "due": self.due(),
            "named": self.named,
            "idle": self.idle_turns,
            "turn": self.finished_turns,
        }

    def copy(self) -> NaiveGame:
        """A second table in the same position."""
        return deepcopy(self)
