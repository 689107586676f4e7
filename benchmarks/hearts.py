"""Random play of hearts in OpenSpiel; `engine.py` runs it in an environment that has OpenSpiel.

By hand: `python benchmarks/hearts.py SECONDS SEED`, which prints one line of JSON.
"""

import json
import sys
import time

import pyspiel


def play(seconds: float, seed: int) -> dict[str, float]:
    """Whole games until the time is over; only the time inside OpenSpiel counts.

    Moves are all that the history holds, every card dealt included.
    """
    game = pyspiel.load_game("hearts")
    bots = [pyspiel.make_uniform_random_bot(seat, seed + seat) for seat in range(4)]
    moves = games = 0
    took = 0.0
    while took < seconds:
        state = game.new_initial_state()
        began = time.perf_counter()
        pyspiel.evaluate_bots(state, bots, seed + games)
        took += time.perf_counter() - began
        moves += len(state.full_history())
        games += 1
    return {"steps": moves, "games": games, "seconds": took}


if __name__ == "__main__":
    print(json.dumps(play(float(sys.argv[1]), int(sys.argv[2]))))
