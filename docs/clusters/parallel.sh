#!/usr/bin/env bash
# A run (or self-play) by GNU parallel, a shard a job, on this machine or with --sshloginfile on many:
#   parallel.sh 100 /shared/run1 run scenes/go --seed 3
set -euo pipefail
shards=$1 out=$2
shift 2
mkdir -p "$out"
# Exit code 1 is a scene that failed: its record says so, and doing it again would not help.
one() { tengen "${@:4}" --shard "$1/$2" --out "$3/shard-$1" --resume --jobs 1 --no-progress || [ $? -eq 1 ]; }
export -f one
seq "$shards" | parallel --joblog "$out/jobs.log" --retries 3 one {} "$shards" "$out" "$@"
