# What the programs of this folder share: which commits are inspected, and how to read a prompt.
# Sourced, not run.

# Paths as they are, not as escapes.
git() {
  command git -c core.quotePath=false "$@"
}

fail() {
  printf '%s: %s\n' "${0##*/}" "$1" >&2
  exit 1
}

# Sets commits and base: the last ten commits, or as many as there are, and what was there before
# them. Where history ends sooner, as in a young repository or a shallow clone, that is nothing, so
# that everything counts as changed.
find_change() {
  top=$(git rev-parse --show-toplevel) || fail 'git finds no repository in the working folder'
  cd "$top"
  git rev-parse --quiet --verify 'HEAD^{commit}' >/dev/null || fail 'the repository has no commit'
  commits=$(git rev-list --first-parent --max-count=10 HEAD | wc -l)
  base=$(git rev-list --first-parent --max-count=1 --skip=10 HEAD)
  if [ -z "$base" ]; then
    base=$(git hash-object -t tree --stdin </dev/null)
  fi
}

# The last step of the role $1 that the prompt on stdin tells of: its output as one line of JSON,
# then its body. A step is told as a heading, the output, and the body between fences:
#
#   ### Step 2: checker, by agent
#
#   Output: {"checks":7}
#
#   ```
#   the body
#   ```
#
# Between fences nothing is a heading, whatever it looks like.
told_step() {
  awk -v role="$1" '
    fence != "" && $0 == fence { fence = ""; next }
    fence != "" { if (ours) told = told $0 "\n"; next }
    match($0, /^```+/) { fence = substr($0, 1, RLENGTH); next }
    /^## / { ours = 0 }
    /^### Step [0-9]+: / {
      name = $4
      sub(/,$/, "", name)
      ours = (name == role)
      if (ours) told = ""
    }
    ours && /^Output: / { told = told substr($0, length("Output: ") + 1) "\n" }
    END { printf "%s", told }
  '
}

# The whole number, or the text without escapes, that the JSON on stdin has under the key $1.
number_of() {
  sed -n '1s/.*"'"$1"'":\([0-9][0-9]*\).*/\1/p'
}
text_of() {
  sed -n '1s/.*"'"$1"'":"\([^"\\]*\)".*/\1/p'
}

# A text as YAML between double quotes.
quoted() {
  printf '"%s"' "$(printf '%s' "$1" | sed 's/\\/\\\\/g; s/"/\\"/g')"
}

# The lines of $2 as a YAML list under the key $1.
list() {
  if [ -z "$2" ]; then
    printf '%s: []\n' "$1"
  else
    printf '%s:\n' "$1"
    printf '%s\n' "$2" | sed 's/\\/\\\\/g; s/"/\\"/g; s/.*/  - "&"/'
  fi
}
