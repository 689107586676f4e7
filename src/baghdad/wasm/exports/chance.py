"""The cards that come: known ones, numbered ones, random ones."""

from baghdad.rules.engine import dealer, entry, refusals, steps

from .export import export
from .layouts import AnswerAt, CardsAt, OneState, RngAt, StateAt, WordsAt


@export
def set_seed(rng: RngAt, words: WordsAt) -> None:
    """Set a generator to four numbers of 32 bits: the first 16 bytes of a SHA-256."""
    for number in range(4):
        rng[number] = words[number]


@export
def below(rng: RngAt, bound: int) -> int:
    """A random number from 0 to `bound` - 1."""
    return dealer.below(rng, bound)


@export
def awaits_chance(state: StateAt) -> bool:
    """Whether cards come next, and nobody has a choice."""
    return dealer.awaits_chance(state)


@export
def deal(state: StateAt, rng: RngAt) -> None:
    """Carry out the pending chance step with random cards."""
    dealer.deal(state, rng)


@export
def deal_all(state: StateAt, rng: RngAt) -> None:
    """Carry out all chance steps up to the next decision or the end, with random cards."""
    dealer.deal_all(state, rng)


@export
def try_draw(state: StateAt, cards: CardsAt, count: int, promised: int, answer: AnswerAt) -> int:
    """Carry out the pending chance step with these cards; returns -1.

    Where they can't come, returns why not, as `refusal` does, and leaves the state in the middle of
    it. `promised` is how many cards a full stack would have brought, -1 where that is not known.
    """
    reason, palace, number = refusals.try_draw(state, cards, promised)
    answer[0], answer[1] = palace, number
    return reason


@export
def refill(state: StateAt) -> int:
    """Before the first card of a chance step: make the stack anew if it is empty (R24).

    Returns how many cards it has.
    """
    return steps.refill(state)


@export
def reveal_at(state: OneState, n: int) -> int:
    """Let the named card come, or the one with `n` others before it in the sorted stack.

    Returns the card.
    """
    return entry.reveal_at(state, n)


@export
def reveal_any(state: OneState, rng: RngAt) -> int:
    """Let a random card come; returns the card."""
    return entry.reveal_any(state, rng)


@export
def settle(state: StateAt) -> None:
    """After the last card of a chance step: the next seat is dealt to, places, or has its turn."""
    steps.settle(state)
