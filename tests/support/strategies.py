"""Games and positions for Hypothesis."""

from hypothesis import strategies as st

from baghdad import Game, Options
from baghdad.rules.engine.material import (
    BALANCED_DEAL,
    HANDS,
    ROBS,
    SPARES,
    VARIANTS,
)

TABLES = st.builds(
    Options,
    players=st.sampled_from([2, 3, 4]),
    variant=st.sampled_from(VARIANTS),
    rob=st.sampled_from(ROBS),
    hands=st.sampled_from(HANDS),
    spare=st.sampled_from(SPARES),
    deal=st.sampled_from(["", BALANCED_DEAL]),
)


@st.composite
def games(draw: st.DrawFn) -> Game:
    """A game after some random decisions, with somebody to move."""
    game = Game.with_options(draw(TABLES), seed=draw(st.integers(0, 10_000)))
    for number in draw(st.lists(st.integers(0, 10**6), max_size=40)):
        before = game.copy()
        game.play(game.legal()[number % len(game.legal())])
        if game.over:
            return before
    return game
