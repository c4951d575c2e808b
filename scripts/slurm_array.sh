#!/usr/bin/env bash
# Makes a corpus with a Slurm array: each task makes a share of the parts, and a last job checks them.
#
#   export RECIPE=$PWD/nightly.toml OUT=/shared/corpus TASKS=1000
#   made=$(sbatch --parsable --array=0-999%64 scripts/slurm_array.sh)
#   sbatch --dependency=afterany:"$made" scripts/slurm_array.sh last
#
# --array=0-999%64 gives 1,000 tasks, at most 64 at once. Task N makes share N of TASKS, so the tasks of any later array, such
# as --array=3,17 for two that failed, make the same parts as before. TASKS may be larger than the number of parts. All nodes
# must see OUT, RECIPE and the program (PROGRAM, by default sudoku-corpus on the path).
#
# Exit codes of the program, and what happens to the task:
#   0  done
#   1  failed, for example a full disk   put back in the queue, at most TRIES times (3)
#   2  the recipe cannot be made         failed, because the same would happen again
#   3  a check has failed                failed
#   4  stopped early, for example by a signal   put back in the queue, at most TRIES times
#   126, 127  there is no such program, or it cannot be started   failed
# If a node is lost, Slurm puts its tasks back in the queue (--requeue). Slurm sends SIGTERM 60 seconds before the time
# limit and when a task is preempted. The program then keeps the finished parts.
#
#SBATCH --job-name=sudoku-corpus
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=1
#SBATCH --mem-per-cpu=1G
#SBATCH --time=04:00:00
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --signal=B:TERM@60
#SBATCH --output=sudoku-corpus-%A_%a.log
set -euo pipefail

program=${PROGRAM:-sudoku-corpus}
recipe=${RECIPE:?set it to the recipe}
out=${OUT:?set it to the folder of the corpus, which every node must see}

# Compares all parts with their checksums, and makes those that are missing.
if [[ ${1:-} == last ]]; then
    exec "$program" run "$recipe" --out "$out" --threads "${SLURM_CPUS_PER_TASK:-1}"
fi

tasks=${TASKS:?set it to the number of tasks of the whole array}
task=${SLURM_ARRAY_TASK_ID:?this is not a task of an array; start it with sbatch --array=0-N}

# The program runs in the background, so that the shell can pass the signal on.
"$program" run "$recipe" --share "$task/$tasks" --out "$out" --threads "${SLURM_CPUS_PER_TASK:-1}" --json &
child=$!
trap 'kill -TERM "$child" 2>/dev/null || true' TERM INT
code=0
wait "$child" || code=$?
# A signal ends `wait` before the program has ended.
while kill -0 "$child" 2>/dev/null; do
    code=0
    wait "$child" || code=$?
done

restarts=${SLURM_RESTART_COUNT:-0}
case $code in
0 | 2 | 3 | 126 | 127) exit "$code" ;;
esac
if [[ $restarts -lt ${TRIES:-3} ]]; then
    echo "share $task/$tasks ended with exit code $code: back in the queue" >&2
    exec scontrol requeue "${SLURM_ARRAY_JOB_ID:?}_$task"
fi
exit "$code"
