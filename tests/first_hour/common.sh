# Shared by the seven scripts: an empty folder with links into the clone, the program on the PATH, and `shows`.
# The program is $TENGEN (default: `tengen`). Output of the commands goes to a log that `shows` searches.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
program=$(command -v "${TENGEN:-tengen}") || { echo "no program ${TENGEN:-tengen}: set TENGEN to its path"; exit 1; }
# A path below the folder of the call, which the script leaves.
absolute() { case $1 in /* | ?:*) echo "$1" ;; */*) echo "$PWD/$1" ;; *) echo "$1" ;; esac; }
program=$(absolute "$program")
PYTHON=$(absolute "${PYTHON:-python3}")
here=$(mktemp -d)
log=${LOG:-$here/log}
mkdir "$here/bin"
ln -s "$program" "$here/bin/tengen"
for folder in docs examples python resources scenes; do ln -s "$root/$folder" "$here/$folder"; done
export PATH=$here/bin:$PATH
cd "$here"

exec 3>&1 >"$log" 2>&1
printed=0
# Prints what the commands have written since the last call.
output() { tail -c "+$((printed + 1))" "$log" >&3; printed=$(wc -c <"$log"); }
finish() { local code=$?; output; rm -rf "$here"; [ $code = 0 ] && echo "ok" >&3 || echo "FAILED ($code)" >&3; }
trap finish EXIT

say() { printf '\n# %s\n' "$1" >&3; }
# Ends the script unless a line of the output so far matches.
shows() { output; grep -Eq -- "$1" "$log" || { echo "expected, and not found: $1" >&3; exit 1; }; }
skip() { echo "skipped: $1"; output; }

# Prints each command before it runs.
trace() {
  case $1 in
    say* | shows* | skip* | "["* | for* | grep* | sleep* | break* | echo\ \"skipped* | command\ -v* | exit*) ;;
    *) printf '$ %s\n' "$1" >&3 ;;
  esac
}
trap 'trace "$BASH_COMMAND"' DEBUG
