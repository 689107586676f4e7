#!/bin/sh
# Plays what docs/game.md tells, on one large GPU and many cores, in under eight minutes: the
# network on the GPU, and meanwhile the heuristic on all cores but two.
#
#   tools/lab_h200.sh check   is everything right here, and how fast? (about two minutes)
#   tools/lab_h200.sh play    everything; what is found goes to OUT (default: build/lab)
#
# PYTHON says which Python; what it lacks may lie in build/site. MORE and MORE_HEURISTIC are for
# further options of tools/game_page.py, e.g. MORE='--games 200000'. MINUTES (default: 7) is how
# long new questions are begun; what has been found by then is there. DEVICE=torch tries it all
# out without a GPU, with few games.
set -eu
cd "$(dirname "$0")/.."
PYTHON=${PYTHON:-python3}
OUT=${OUT:-build/lab}
DEVICE=${DEVICE:-cuda}
MINUTES=${MINUTES:-7}
JOBS=${JOBS:-$(($(nproc) > 3 ? $(nproc) - 2 : 1))}
export PYTHONPATH="src:build/site${PYTHONPATH:+:$PYTHONPATH}" PYTHONUNBUFFERED=1
mkdir -p "$OUT"

network() {
    $PYTHON tools/game_page.py --bot neural --device "$DEVICE" --out "$OUT/neural.json" \
        --minutes "$MINUTES" "$@"
}

case "${1:-}" in
check)
    $PYTHON -c 'import numba, numpy, platformdirs, threadpoolctl, torch, tqdm; print(torch.__version__)'
    MINUTES=1 network --games 2000 --pair-games 500 --search-games 500 ${MORE:-}
    ;;
play)
    $PYTHON tools/game_page.py --bot heuristic --games 30000 --pair-games 9000 \
        --search-games 2000 --jobs "$JOBS" --minutes "$MINUTES" --out "$OUT/heuristic.json" \
        ${MORE_HEURISTIC:-} >"$OUT/heuristic.log" 2>&1 &
    heuristic=$!
    trap 'kill $heuristic 2>/dev/null || true' EXIT
    network --games 120000 --pair-games 40000 --search-games 10000 ${MORE:-} 2>&1 |
        tee "$OUT/neural.log"
    wait $heuristic || true
    tail -n 40 "$OUT/heuristic.log"
    ;;
*)
    sed -n '2,13s/^# \{0,1\}//p' "$0"
    exit 2
    ;;
esac
