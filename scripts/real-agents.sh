#!/usr/bin/env bash
# Sends the real agent programs through whole workflows, with a mock model server on this machine
# instead of a model: no key is needed, and no network once the programs are there.
#
#   scripts/real-agents.sh [agent…]     builtin, claude, hermes, codex; by default all of them
#
# Needs Linux, the Rust toolchain, node, npm and Python 3.11 to 3.13 with venv. UWF_BINARY is a uwf
# to use instead of building one; UWF_REAL_AGENTS_CACHE is where the programs are kept, by default
# target/real-agents. How the mock model is made to answer is in scripts/real-agents/README.md.
set -euo pipefail
unset CDPATH
project=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
here=$project/scripts/real-agents
cache=${UWF_REAL_AGENTS_CACHE:-$project/target/real-agents}
# Not the stand-in of a version manager, which takes longer than the scripts it is to run.
python=$(python3 -c 'import sys; print(sys.executable)')
# Seconds that anything may take here. The slowest agent needs three for a step.
patience=120

passed=0
failed=0
mock_pid=
step_pid=
home=
said_last=
scratch=

# ---------------------------------------------------------------------------------------------
# Ending

cleanup() {
  set +e
  end_left_behind
  stop_mock
  rm -rf "$scratch"
}

# A program that outlived its step must not outlive this script too.
end_left_behind() {
  if [[ -n $step_pid ]]; then kill "$step_pid" 2>/dev/null || true; fi
  if [[ -n $home ]]; then
    left_behind | cut -d: -f1 | while read -r pid; do kill -KILL "$pid" 2>/dev/null || true; done
  fi
}

die() {
  printf 'real-agents: %s\n' "$1" >&2
  exit 1
}

# ---------------------------------------------------------------------------------------------
# The programs

# Runs the command when the file $1 does not say that this was done with what is on standard
# input, and says so there once it succeeded: an installation that was interrupted starts again.
once() {
  local stamp=$1 wanted
  shift
  wanted=$(cat)
  if [[ -f $stamp && $(<"$stamp") == "$wanted" ]]; then return; fi
  local started=$SECONDS
  rm -f "$stamp"
  "$@" >"$cache/install.log" 2>&1 || {
    cat "$cache/install.log" >&2
    die "$1 failed"
  }
  printf '%s\n' "$wanted" >"$stamp"
  printf '# %s: %d s\n' "$1" $((SECONDS - started))
}

# npm blocks the scripts of packages, or does not, as it is set up. The one that matters puts
# Claude Code's program in its place, and is run here in any case.
install_npm_programs() {
  rm -rf "$cache/npm"
  mkdir -p "$cache/npm"
  cp "$here/package.json" "$here/package-lock.json" "$cache/npm/" &&
    (cd "$cache/npm" && npm ci --ignore-scripts --no-audit --no-fund) &&
    node "$cache/npm/node_modules/@anthropic-ai/claude-code/install.cjs"
}

install_hermes() {
  rm -rf "$cache/hermes"
  "$python" -m venv "$cache/hermes" &&
    "$cache/hermes/bin/pip" install --disable-pip-version-check \
      -r "$here/requirements.txt" -c "$here/constraints.txt"
}

install_programs() {
  mkdir -p "$cache"
  cache=$(cd "$cache" && pwd -P)
  once "$cache/npm.installed" install_npm_programs <"$here/package-lock.json"
  if [[ " $* " == *' hermes '* ]]; then
    # A venv holds its own path, so it cannot be moved.
    { printf '%s\n' "$cache" && cat "$here/requirements.txt" "$here/constraints.txt"; } >"$scratch/hermes.wanted"
    once "$cache/hermes.installed" install_hermes <"$scratch/hermes.wanted"
  fi
}

find_uwf() {
  if [[ -z ${UWF_BINARY-} ]]; then
    local manifest=$project/Cargo.toml
    cargo build --quiet --locked --manifest-path "$manifest"
    UWF_BINARY=$(cargo metadata --locked --no-deps --format-version 1 --manifest-path "$manifest" |
      "$python" "$here/pick.py" target_directory)/debug/uwf
  fi
  [[ -x $UWF_BINARY ]] || die "there is no program $UWF_BINARY"
}

# ---------------------------------------------------------------------------------------------
# The mock model server

# One for each agent, so that what was asked and what was answered once start afresh. It chooses a
# free port itself. Strict turns: `turnIndex` 0 in a fixture is then a request without any earlier
# answer, which is how the server knows that a session was not resumed.
start_mock() {
  : >"$home/mock.log"
  # What holds for all turns, the task too, is what the builtin agent tells the model as its system.
  local told=userMessage
  if [[ $agent == builtin ]]; then told=systemMessage; fi
  sed "s/\"userMessage\": \"TASK-/\"$told\": \"TASK-/" "$here/fixtures.json" >"$home/fixtures.json"
  env -i PATH="$PATH" AIMOCK_STRICT_TURN_INDEX=1 \
    "$cache/npm/node_modules/.bin/llmock" -h 127.0.0.1 -p 0 -f "$home/fixtures.json" \
    >>"$home/mock.log" 2>&1 </dev/null &
  mock_pid=$!
  mock=
  until mock=$(sed -n 's|.* listening on \(http://.*\)|\1|p' "$home/mock.log") && [[ -n $mock ]] &&
    get health >/dev/null; do
    kill -0 "$mock_pid" 2>/dev/null || die "the mock model server ended: $(<"$home/mock.log")"
    sleep 0.1
  done
}

stop_mock() {
  if [[ -n $mock_pid ]]; then
    kill "$mock_pid" 2>/dev/null || true
    wait "$mock_pid" 2>/dev/null || true
    mock_pid=
  fi
}

# Python in the place of curl, which is not on every machine.
get() {
  "$python" -c 'import sys, urllib.request as r
r.install_opener(r.build_opener(r.ProxyHandler({})))
print(r.urlopen(sys.argv[1], timeout=10).read().decode())' "$mock/__aimock/$1" 2>/dev/null
}

# What the server was asked so far that has $1 in it, one line each.
asked() {
  get journal | "$python" "$here/asked.py" "$1"
}

# ---------------------------------------------------------------------------------------------
# An agent's own world

# A private HOME and storage root for the agent $1, with what its program needs to know of the
# server. The programs may ask before they write or run something, so that uwf has to answer.
set_up() {
  agent=$1
  home=$scratch/$agent
  root=$home/root
  mkdir -p "$root" "$home/tmp" "$home/.hermes" "$home/.codex"
  start_mock
  cat >"$root/config.yaml" <<END
providers: {mock: {baseUrl: "$mock/v1", apiKeyEnv: MOCK_API_KEY}}
models: {mock: {provider: mock, name: mock-model}}
defaultModel: mock
agents:
  builtin: {command: uwf-builtin}
  claude:
    command: uwf-claude-code
    args: [--program, "$cache/npm/node_modules/.bin/claude", --max-turns, "20"]
  hermes: {command: uwf-hermes, args: [--program, "$cache/hermes/bin/hermes"]}
  codex: {command: uwf-codex, args: [--program, "$cache/npm/node_modules/.bin/codex-acp"]}
defaultAgent: $agent
END
  printf 'MOCK_API_KEY=dummy\n' >"$root/.env"
  # A third try only takes time.
  cat >"$home/.hermes/config.yaml" <<END
model: {default: mock-model, provider: custom, base_url: "$mock/v1", api_key: dummy}
agent: {api_max_retries: 1}
END
  # Its own sandbox needs a program that few machines have; the model's name is one it knows.
  cat >"$home/.codex/config.toml" <<END
model = "gpt-5.4"
model_provider = "mock"
approval_policy = "untrusted"
sandbox_mode = "danger-full-access"
[model_providers.mock]
name = "mock"
base_url = "$mock/v1"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
END
  # The environment of uwf, and so of the agents: nothing of the caller's but PATH.
  world=(env -i PATH="$PATH" HOME="$home" TMPDIR="$home/tmp" LANG=C.UTF-8
    UNCAGED_WORKFLOW_STORAGE_ROOT="$root"
    ANTHROPIC_BASE_URL="$mock" ANTHROPIC_API_KEY=dummy CLAUDE_CODE_MAX_RETRIES=1 IS_SANDBOX=1
    OPENAI_API_KEY=dummy
    DISABLE_TELEMETRY=1 CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 DO_NOT_TRACK=1
    DISABLE_AUTOUPDATER=1)
}

# Runs uwf to change something: what it printed is in $out, how it ended in $code, and what it said
# in the file stderr, for the checks that fail.
run_uwf() {
  code=0
  out=$("${world[@]}" timeout "$patience" "$UWF_BINARY" "$@" 2>"$home/stderr") || code=$?
}

# Asks uwf, and prints the part of the answer that the keys behind `--` lead to.
ask_uwf() {
  local command=()
  while [[ $1 != -- ]]; do
    command+=("$1")
    shift
  done
  shift
  { "${world[@]}" "$UWF_BINARY" "${command[@]}" 2>>"$home/stderr" || true; } | pick "$@"
}

# The part of the JSON on standard input that the keys lead to.
pick() {
  "$python" "$here/pick.py" "$@"
}

# A new thread in a folder of its own, whose task is the word that its fixtures look for.
start_thread() {
  folder=$(mktemp -d "$home/$1.XXX")
  run_uwf thread start "$here/draft.yaml" -p "$1" --cwd "$folder"
  ((code == 0)) || die "no thread could be started: $(<"$home/stderr")"
  thread=$(pick thread <<<"$out")
}

step() {
  run_uwf thread step "$thread" --agent "$agent"
}

# The output of the thread's last step, or what stands under a key of it.
last_output() {
  ask_uwf thread steps "$thread" -- steps -1 output "$@"
}

# How many steps the thread has.
count_steps() {
  ask_uwf thread show "$thread" --long -- steps
}

# What stands under a key of the thread's last attempt.
last_attempt() {
  ask_uwf thread attempts "$thread" -- attempts -1 "$@"
}

# The session that the role $1 has with the agent.
session_of() {
  pick "$thread:$1:$agent" <"$root/cache/agent-sessions.json" 2>/dev/null || printf '(no file)\n'
}

# The processes that belong to this agent's world, by the paths in their environment.
left_behind() {
  local file pid
  for file in $(grep -lsaF "$home/" /proc/[0-9]*/environ || true); do
    pid=${file//[^0-9]/}
    printf '%s: %s\n' "$pid" "$(tr '\0' ' ' <"/proc/$pid/cmdline" 2>/dev/null || true)"
  done
}

# ---------------------------------------------------------------------------------------------
# Checks

# One line for a check that holds: $1 says what it is, $2 is wanted, $3 is what there is.
check() {
  if [[ $3 == "$2" ]]; then
    pass "$1"
  else
    fail "$1" "$2" "$3"
  fi
}

# The same where it is enough that $3 has $2 in it.
check_has() {
  if [[ $3 == *"$2"* ]]; then
    pass "$1"
  else
    fail "$1" "… $2 …" "$3"
  fi
}

pass() {
  passed=$((passed + 1))
  printf 'ok    %s: %s\n' "$agent" "$1"
}

fail() {
  failed=$((failed + 1))
  printf 'FAIL  %s: %s\n' "$agent" "$1"
  printf '%s\n' "$2" | sed 's/^/        expected  /'
  printf '%s\n' "$3" | sed 's/^/        there is  /'
  local said
  said=$(tail -n 20 "$home/stderr")
  # Several checks look at one step.
  if [[ -n $said && $said != "$said_last" ]]; then printf '%s\n' "$said" | sed 's/^/        stderr    /'; fi
  said_last=$said
}

# What has to hold after a step that failed in the class $1: nothing moved, and it is on record.
check_failed_step() {
  check "$2: the thread is as it was" 0 "$(count_steps)"
  check "$2: the attempt is on record as $1" "$1" "$(last_attempt class)"
}

# ---------------------------------------------------------------------------------------------
# Scenarios

# Two roles, two turns each: the second turn of each has to go on in the session of the first.
rejected_and_resumed() {
  start_thread TASK-REJECTION
  step
  check 'first turn: it ends well' 0 "$code"
  check 'first turn: the answer is stored' '{"draft":1,"title":"First"}' "$(last_output)"
  check 'first turn: the tool wrote the file' 'first draft' "$(cat "$folder/draft.txt" 2>&1)"
  check_has 'first turn: the detail tells of the tool call' draft.txt \
    "$(ask_uwf thread step-details "$(pick head <<<"$out")" --format json --)"
  local writer
  writer=$(session_of writer)
  if [[ $writer == '('* ]]; then
    fail 'first turn: the session is remembered' 'an id' "$writer"
  else
    pass 'first turn: the session is remembered'
  fi

  step
  check 'review: the draft is rejected' '{"accepted":false}' "$(last_output)"

  step
  check 'second turn: it ends well' 0 "$code"
  check 'second turn: the model sees the first one' '{"draft":2,"title":"Second"}' "$(last_output)"
  check 'second turn: the tool wrote the file' 'second draft' "$(cat "$folder/draft.txt" 2>&1)"
  # The builtin agent begins each turn with what was said in the earlier ones, in a new session.
  if [[ $agent != builtin ]]; then
    check 'second turn: the session is the same' "$writer" "$(session_of writer)"
  fi

  step
  check 'second review: the thread is done' true "$(pick done <<<"$out")"
  check 'second review: the draft is accepted' '{"accepted":true}' "$(last_output)"
  check 'no step leaves anything behind' '' "$(left_behind)"
  check 'no step had to be tried again' '[]' "$(ask_uwf thread attempts "$thread" -- attempts)"
}

# The program knows nothing of the session that is remembered: the turn is done in a new one.
session_is_gone() {
  start_thread TASK-REJECTION
  step
  step
  local unknown=00000000-0000-4000-8000-000000000000
  sed -i "s/$(session_of writer)/$unknown/" "$root/cache/agent-sessions.json" 2>/dev/null || true
  check 'unknown session: it is what is remembered' "$unknown" "$(session_of writer)"
  step
  check 'unknown session: the turn ends well' 0 "$code"
  check 'unknown session: the turn is stored' 2 "$(last_output draft)"
  local now
  now=$(session_of writer)
  if [[ $now == "$unknown" || $now == '('* ]]; then
    fail 'unknown session: another one is remembered' 'an id that is known' "$now"
  else
    pass 'unknown session: another one is remembered'
  fi
}

# The answer lacks a field; the server answers better only where it sees its first answer.
corrected() {
  start_thread TASK-CORRECTION
  step
  check 'correction: it ends well' 0 "$code"
  check 'correction: the second answer is stored' '{"draft":3,"title":"Corrected"}' "$(last_output)"
  check 'correction: the model was asked once more' 'Your answer cannot be used' "$(asked 'cannot be used')"
}

# Two corrections that do not help are the end of it.
given_up() {
  start_thread TASK-HOPELESS
  step
  check 'hopeless answer: the exit code says so' 4 "$code"
  check 'hopeless answer: there are two corrections' $'hopeless-number\nhopeless-number' "$(asked hopeless-number)"
  check_failed_step output 'hopeless answer'
}

# The server answers with the HTTP status $1, which is a failure of the class $2.
refused() {
  start_thread "TASK-HTTP-$1"
  step
  check "HTTP $1: the agent failed" 3 "$code"
  check_failed_step "$2" "HTTP $1"
  # For 429, codex-acp tells the status and keeps the server's words to itself.
  local words="the mock says $1"
  if [[ $agent/$1 == codex/429 ]]; then words=429; fi
  check_has "HTTP $1: the attempt has the server's words" "$words" "$(last_attempt message)"
}

refusals() {
  refused 401 authentication
  refused 429 rate-limit
  refused 529 overloaded
  refused 400 api
}

# Sends TERM to uwf in the middle of a step, which has come so far when the command succeeds.
terminated() {
  local what=$1
  shift
  "${world[@]}" "$UWF_BINARY" thread step "$thread" --agent "$agent" \
    >"$home/stdout" 2>"$home/stderr" </dev/null &
  step_pid=$!
  local deadline=$((SECONDS + patience))
  until "$@"; do
    if ! kill -0 "$step_pid" 2>/dev/null || ((SECONDS > deadline)); then
      fail "$what: the step is under way" "$*" "$(cat "$home/stdout")"
      kill -TERM "$step_pid" 2>/dev/null || true
      wait "$step_pid" || true
      step_pid=
      return
    fi
    sleep 0.1
  done
  kill -TERM "$step_pid" 2>/dev/null || true
  code=0
  wait "$step_pid" || code=$?
  step_pid=
  check "$what: the exit code says that it was ended" 143 "$code"
  check "$what: nothing is left behind" '' "$(left_behind)"
  check_failed_step interrupted "$what"
  step
  check "$what: the next step ends well" 0 "$code"
  check "$what: the next step is stored" 1 "$(last_output draft)"
}

is_asked() {
  [[ -n $(asked "$1") ]]
}

ended_while_it_waits() {
  start_thread TASK-SLOW
  terminated 'TERM while the model thinks' is_asked TASK-SLOW
}

# A tool's process may have left the agent's process group, or may be in a session of its own.
ended_while_a_tool_runs() {
  start_thread TASK-SLEEP
  terminated 'TERM while a tool runs' test -e "$folder/asleep"
}

run_scenarios() {
  local started=$SECONDS
  set_up "$1"
  rejected_and_resumed
  session_is_gone
  corrected
  given_up
  refusals
  ended_while_it_waits
  ended_while_a_tool_runs
  end_left_behind
  stop_mock
  printf '# %s: %d s\n' "$1" $((SECONDS - started))
}

main() {
  local name
  if (($# == 0)); then set -- builtin claude hermes codex; fi
  for name; do
    case $name in
      builtin | claude | hermes | codex) ;;
      *) printf 'usage: %s [builtin | claude | hermes | codex]…\n' "$0" >&2 && exit 2 ;;
    esac
  done
  # That is where it is looked for processes that were left behind.
  [[ -r /proc/self/environ ]] || die 'this needs the /proc of Linux'
  scratch=$(mktemp -d)
  scratch=$(cd "$scratch" && pwd -P)
  trap cleanup EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
  install_programs "$@"
  find_uwf
  for name; do run_scenarios "$name"; done
  printf '%d passed, %d failed\n' "$passed" "$failed"
  ((failed == 0))
}

main "$@"
