#!/bin/sh
# Plays what docs/game.md tells, on one large GPU and many cores, in under eight minutes: the
# network on the GPU, and meanwhile the heuristic on all cores but two.
#
#   tools/lab_h200.sh check   is everything right here, and how fast? (about two minutes)
#   tools/lab_h200.sh play    everything; what is found goes to OUT (default: build/lab)
#   tools/lab_h200.sh on      what is not in docs/game yet, with fewer games; likewise
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
        --minutes "$MINUTES" "$@" ${MORE:-}
}

heuristic() {
    $PYTHON tools/game_page.py --bot heuristic --jobs "$JOBS" --out "$OUT/heuristic.json" \
        --minutes "$MINUTES" "$@" ${MORE_HEURISTIC:-} >"$OUT/heuristic.log" 2>&1
}

finish() {
    wait "$1" || true
    tail -n 40 "$OUT/heuristic.log"
}

case "${1:-}" in
check)
    $PYTHON -c 'import numba, numpy, platformdirs, threadpoolctl, torch, tqdm; print(torch.__version__)'
    MINUTES=1
    network --games 2000 --pair-games 500 --search-games 500
    ;;
play)
    heuristic --games 30000 --pair-games 9000 --search-games 2000 &
    other=$!
    network --games 120000 --pair-games 40000 --search-games 10000
    finish $other
    ;;
on)
    cp "${FROM:-docs/game}/neural.json" "${FROM:-docs/game}/heuristic.json" "$OUT/"
    heuristic --on --games 10000 --pair-games 3000 --search-games 2000 &
    other=$!
    network --on --games 60000 --pair-games 40000 --search-games 4000
    finish $other
    ;;
*)
    sed -n '2,14s/^# \{0,1\}//p' "$0"
    exit 2
    ;;
esac
