#!/bin/sh
# Measures several servers over one PostgreSQL and one NATS on a machine with some 16 cores, in
# pieces of under ten minutes.
#
#   tools/many_servers.sh check     is everything there? (a minute; compiles the rules)
#   tools/many_servers.sh faults    all that can break, each kind 20 times, in four clusters
#   tools/many_servers.sh ceiling   what PostgreSQL alone commits; one and two servers, few sockets
#   tools/many_servers.sh scale     1, 2, 4 and 8 servers at 4,000 and 16,000 sockets
#   tools/many_servers.sh sockets   8 and 4 servers at 64,000 (1 and 2 where one may have so many)
#   tools/many_servers.sh gpu       a hundred million steps on a GPU and here, compared
#
# MINUTES is what each may take, about. PYTHON says which Python; what it lacks may lie in
# build/site (`pip install --target`). Results are in build/many_servers, or in OUT where it is set.
# MORE is for further options, e.g. MORE='--tables 30 --times 4'.
set -eu
cd "$(dirname "$0")/.."
PYTHON=${PYTHON:-python3}
export PYTHONPATH="src:build/site${PYTHONPATH:+:$PYTHONPATH}" PYTHONUNBUFFERED=1
export LC_ALL=C.UTF-8 # PostgreSQL takes no locale that is named and not there
export PATH="$PWD/build/site/bin:$PATH"
out=${OUT:-build/many_servers}
mkdir -p "$out"
# 64,000 sockets may all be one server's.
ulimit -n 200000 2>/dev/null || ulimit -n "$(ulimit -Hn)"

case "${1:-}" in
check)
    echo "$(nproc) cores, $(ulimit -n) files, ports $(cat /proc/sys/net/ipv4/ip_local_port_range)"
    free -g | sed -n 2p
    df -h . | tail -n 1
    # shellcheck disable=SC2086
    $PYTHON -m benchmarks.scale --processes 2 --sockets 64 --seconds 2 --warm 1 --groups 8 ${MORE:-}
    ;;
faults)
    status=0
    # shellcheck disable=SC2086
    $PYTHON -m benchmarks.faults --clusters 4 --between 1 --minutes "${MINUTES:-7}" \
        --json "$out/faults.json" ${MORE:-} || status=$?
    # What a cluster that missed a goal has left: logs, and histories that are wrong.
    if [ $status -ne 0 ] && [ -d .benchmarks/faults ]; then
        (cd .benchmarks/faults && find . -name '*.log' -o -name 'history-*.json' |
            tar -czf faults-logs.tar.gz -T -)
        mv .benchmarks/faults/faults-logs.tar.gz "$out/"
    fi
    exit $status
    ;;
ceiling)
    # shellcheck disable=SC2086
    $PYTHON -m benchmarks.scale --processes 1 2 4 8 --sockets --groups 8 64 512 \
        --json "$out/ceiling.json" ${MORE:-}
    # shellcheck disable=SC2086
    $PYTHON -m benchmarks.scale --no-ceiling --processes 1 2 --sockets 4 64 --seconds 5 --warm 1 \
        --clients 2 --rate 100 --minutes "${MINUTES:-3}" --json "$out/few_sockets.json" ${MORE:-}
    ;;
scale)
    # shellcheck disable=SC2086
    $PYTHON -m benchmarks.scale --no-ceiling --processes 8 1 4 2 --sockets 4000 16000 \
        --seconds 6 --warm 2 --clients 4 --rate 1000 --minutes "${MINUTES:-9.3}" \
        --json "$out/scale.json" ${MORE:-}
    ;;
sockets)
    # shellcheck disable=SC2086
    $PYTHON -m benchmarks.scale --no-ceiling --processes 8 4 2 1 --sockets 64000 \
        --seconds 6 --warm 4 --clients 6 --rate 1000 --minutes "${MINUTES:-9.3}" \
        --json "$out/sockets.json" ${MORE:-}
    ;;
gpu)
    # shellcheck disable=SC2086
    $PYTHON -m benchmarks.gpu ${MORE:-} >"$out/gpu.json"
    cat "$out/gpu.json"
    ;;
*)
    sed -n '2,15s/^# \{0,1\}//p' "$0"
    exit 2
    ;;
esac
