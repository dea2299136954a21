#!/usr/bin/env bash
# A run (or self-play) as a Slurm array, a shard a task:
#   sbatch --array=1-100 slurm.sh 100 /shared/run1 run scenes/go --seed 3
#SBATCH --job-name=tengen
#SBATCH --cpus-per-task=4
#SBATCH --requeue
set -euo pipefail
# How many shards is told, not read off the array: some tasks submitted again (--array=7,12) are a smaller array.
shards=$1 out=$2
shift 2
# Exit code 1 is a scene that failed: its record says so, and doing it again would not help.
tengen "$@" --shard "$SLURM_ARRAY_TASK_ID/$shards" --out "$out/shard-$SLURM_ARRAY_TASK_ID" --resume \
  --jobs "${SLURM_CPUS_PER_TASK:-1}" --no-progress || [ $? -eq 1 ]
