"""Numbers that people bring to the deal, for tests of the fair deal."""

from hashlib import sha256

COLOURS = "RGWPYB"


def number_of(name: object) -> str:
    """A number that is somebody's own, the same in every run."""
    return sha256(f"number of {name}".encode()).hexdigest()


def promise_of(name: object) -> str:
    """What is known of that number before it is brought."""
    return sha256(number_of(name).encode()).hexdigest()


def header(record: str, name: str) -> str:
    return record.partition(f'[{name} "')[2].partition('"')[0]


def with_header(record: str, name: str, value: str) -> str:
    """The record with something else in a header."""
    old = f'[{name} "{header(record, name)}"]'
    assert old in record
    return record.replace(old, f'[{name} "{value}"]')


def naive_seed(record: str) -> str:
    """What the cards of a record must follow from, by what docs/server.md says alone."""
    secret, numbers = header(record, "Seed"), header(record, "Numbers").split(", ")
    if not any(len(number) == 64 for number in numbers):
        return secret
    return sha256(" ".join([secret, *numbers]).encode()).hexdigest()


def naive_cards(record: str, seed: str) -> list[str]:
    """All cards of a game in order, by what docs/server.md says and nothing of ours.

    The stack has 17 cards of each colour. What is paid lies in the discard pile, which becomes
    the stack where that is empty. A card that was named comes first, where the stack has it.
    """
    stack, discard, cards = dict.fromkeys(COLOURS, 17), dict.fromkeys(COLOURS, 0), list[str]()
    named = ""
    for token in record.partition("\n\n")[2].split():
        if token[0] != "=":
            paid = token.partition("(")[2].rstrip(")")
            for letter in paid.replace("*", ""):
                discard[letter] += 1
            named = token[1] if token[0] == "-" and token[1:] in COLOURS and token[1:] else ""
            continue
        for _ in token[1:]:
            if not any(stack.values()):
                stack, discard = discard, dict.fromkeys(COLOURS, 0)
            row = "".join(colour * stack[colour] for colour in COLOURS)
            digest = sha256(f"{seed} {len(cards)}".encode()).hexdigest()
            cards.append(named if named and stack[named] else row[int(digest, 16) % len(row)])
            named = ""
            stack[cards[-1]] -= 1
            if not any(stack.values()):
                stack, discard = discard, dict.fromkeys(COLOURS, 0)
    return cards
