#!/bin/sh
# Trains and measures the value networks on one large GPU, in chunks of under ten minutes.
#
#   tools/value_h200.sh check            is everything right here, and how fast? (two minutes)
#   tools/value_h200.sh train [MINUTES]  a chunk of the run; again, to go on (default: 9)
#   tools/value_h200.sh measure          200,000 fresh games each with two, three and four players
#
# The run is in build/value, or in the folder that FOLDER names. It is planned by positions; or,
# where TOTAL is set, for so many minutes, the same in all chunks. PLAYERS are the weights that
# play, the best first (default: what ships). PYTHON says which Python; what it lacks may lie in
# build/site. MORE is for further options, e.g. MORE='--set reuse=2'. DEVICE=cpu tries it all out
# without a GPU. Where OUT is set, a copy of what comes out is left there, too.
set -eu
cd "$(dirname "$0")/.."
PYTHON=${PYTHON:-python3}
DEVICE=${DEVICE:-cuda}
export PYTHONPATH="src:build/site${PYTHONPATH:+:$PYTHONPATH}" PYTHONUNBUFFERED=1
folder=${FOLDER:-build/value}

keep() {
    if [ -n "${OUT:-}" ]; then
        for file in "$folder"/*.json "$folder"/*.jsonl "$folder"/*.pt "$folder"/*.bin; do
            if [ -f "$file" ]; then cp "$file" "$OUT/"; fi
        done
    fi
}

case "${1:-}" in
check)
    $PYTHON -c 'import numba, numpy, platformdirs, torch; print(torch.__version__)'
    # shellcheck disable=SC2086
    $PYTHON tools/train_value.py "$folder" --check --device "$DEVICE" \
        ${PLAYERS:+--weights $PLAYERS} ${MORE:-}
    ;;
train)
    trap keep EXIT
    # shellcheck disable=SC2086
    $PYTHON tools/train_value.py "$folder" --device "$DEVICE" --minutes "${2:-9}" \
        ${PLAYERS:+--weights $PLAYERS} ${TOTAL:+--set total_minutes="$TOTAL"} ${MORE:-}
    ;;
measure)
    trap keep EXIT
    # shellcheck disable=SC2086
    $PYTHON benchmarks/value.py "$folder" --device "$DEVICE" --json "$folder/measured.json" \
        ${PLAYERS:+--weights $PLAYERS} ${MORE:-}
    ;;
*)
    sed -n '2,14s/^# \{0,1\}//p' "$0"
    exit 2
    ;;
esac
