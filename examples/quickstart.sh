#!/bin/sh
# Sends the last commits of a git repository through the workflow repository-gate: four roles,
# each a small program, so no model, no key and no network are needed.
#
#   examples/quickstart.sh [repository]     default: the repository of this project
#
# Everything uwf keeps goes into a throw-away storage root, which stays for you to look around in.
set -eu

case ${1-} in
  -*)
    printf 'usage: %s [repository]\n' "$0" >&2
    exit 2
    ;;
esac
# A variable that would let cd go elsewhere, and say so.
unset CDPATH
examples=$(cd "$(dirname "$(readlink -f "$0")")" && pwd)
project=$(dirname "$examples")
repository=$(cd "${1:-$project}" && pwd)

say() {
  printf '\n# %s\n' "$1"
}

# What the one-line JSON $1 has under the key $2.
field() {
  printf '%s\n' "$1" | sed -n 's/.*"'"$2"'":"\([^"]*\)".*/\1/p'
}

say 'Building uwf'
cargo build --locked --manifest-path "$project/Cargo.toml"
about_crate=$(cargo metadata --locked --no-deps --format-version 1 --manifest-path "$project/Cargo.toml")
PATH="$(field "$about_crate" target_directory)/debug:$PATH"

UNCAGED_WORKFLOW_STORAGE_ROOT=$(mktemp -d)
export PATH UNCAGED_WORKFLOW_STORAGE_ROOT

trap 'say "Look around: UNCAGED_WORKFLOW_STORAGE_ROOT=$UNCAGED_WORKFLOW_STORAGE_ROOT $(command -v uwf) thread list --all"' EXIT

say 'Telling it which program plays which role'
roles='inspector checker writer reviewer'
programs=$(printf '%s' "$examples/repository-gate" | sed "s/'/''/g")
{
  printf 'agents:\n'
  for role in $roles; do
    printf "  %s: {command: '%s/%s', protocol: markdown}\n" "$role" "$programs" "$role"
  done
  printf 'agentOverrides:\n  repository-gate:\n'
  for role in $roles; do
    printf '    %s: %s\n' "$role" "$role"
  done
} >"$UNCAGED_WORKFLOW_STORAGE_ROOT/config.yaml"
cat "$UNCAGED_WORKFLOW_STORAGE_ROOT/config.yaml"

say 'Registering the workflow'
uwf workflow put "$examples/repository-gate.yaml"

say 'Starting a thread'
started=$(uwf thread start repository-gate --cwd "$repository" -p 'May these commits be merged?')
printf '%s\n' "$started"
thread=$(field "$started" thread)

say 'Stepping until it is done'
step=
until printf '%s\n' "$step" | grep -q '"done":true'; do
  step=$(uwf thread step "$thread")
  printf '%s\n' "$step"
done

say 'What happened'
uwf thread read "$thread" --start --quota 1000000
