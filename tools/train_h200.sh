#!/bin/sh
# Trains the shipped network on one large GPU, in chunks of under ten minutes.
#
#   tools/train_h200.sh check            is everything right here, and how fast? (two minutes)
#   tools/train_h200.sh train [MINUTES]  a chunk of the run; again, to go on (default: 9)
#   tools/train_h200.sh exploit [MINUTES]  a chunk of the search for weaknesses
#
# The run is in build/train (build/exploit), or in the folder that FOLDER names. It is planned by
# decisions; or, where TOTAL is set, for so many minutes, the same in all chunks. PYTHON says
# which Python; what it lacks may lie in build/site. MORE is for further options, e.g.
# MORE='--set learning_rate=5e-4'. Where OUT is set, a copy of the run is left there, too.
set -eu
cd "$(dirname "$0")/.."
PYTHON=${PYTHON:-python3}
export PYTHONPATH="src:build/site${PYTHONPATH:+:$PYTHONPATH}" PYTHONUNBUFFERED=1

keep() {
    if [ -n "${OUT:-}" ]; then
        for file in "$1"/*.json "$1"/*.jsonl "$1"/*.pt "$1"/*.bin; do
            if [ -f "$file" ]; then cp "$file" "$OUT/"; fi
        done
    fi
}

case "${1:-}" in
check)
    $PYTHON -c 'import numba, numpy, platformdirs, torch; print(torch.__version__, torch.cuda.get_device_name())'
    $PYTHON benchmarks/learn.py --device cuda ${MORE:-}
    ;;
train)
    folder=${FOLDER:-build/train}
    trap 'keep "$folder"' EXIT
    $PYTHON -m baghdad train "$folder" --device cuda --minutes "${2:-9}" \
        ${TOTAL:+--set total_minutes="$TOTAL"} ${MORE:-}
    ;;
exploit)
    folder=${FOLDER:-build/exploit}
    trap 'keep "$folder"' EXIT
    $PYTHON tools/exploit.py "$folder" --weights "${WEIGHTS:-build/train/neural.bin}" \
        --minutes "${2:-9}" ${MORE:-}
    ;;
*)
    sed -n '2,13s/^# \{0,1\}//p' "$0"
    exit 2
    ;;
esac
