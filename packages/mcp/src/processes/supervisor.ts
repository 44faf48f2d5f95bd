import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { errorMessage } from '@toolfold/core/internal/errors.ts';

export interface SupervisorOptions {
  /** The mark in the environment of all servers of this process. */
  readonly mark: string;
  /** Called once if the supervisor cannot be started, with a text for people. */
  readonly onUnavailable: (message: string) => void;
  /** Path of a POSIX shell. Default: `/bin/sh`. */
  readonly shell?: string;
}

/**
 * A small process that ends the servers when this process has ended, also by SIGKILL. It notices the
 * end because it reads from a pipe that only this process holds. It has its own session, so Ctrl-C
 * does not reach it, and it does not keep the event loop alive. It stays until this process ends.
 */
export class Supervisor {
  readonly #options: SupervisorOptions;
  #child: ChildProcess | undefined;
  #isReported = false;

  constructor(options: SupervisorOptions) {
    this.#options = options;
  }

  /** The process id of the supervisor; `undefined` if none runs. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Starts the supervisor unless it runs, and tells it the groups that run already. Does not throw. */
  start(groups: Iterable<number>): void {
    if (this.#child !== undefined) return;
    const { mark, shell = '/bin/sh' } = this.#options;
    const { PATH } = process.env;
    try {
      const child = spawn(shell, ['-c', SUPERVISOR_SCRIPT, 'toolfold-supervisor', mark], {
        // Its own session. The folder of this process stays removable.
        detached: true,
        cwd: '/',
        // Without the marks, so that no supervisor ends another.
        env: PATH === undefined ? {} : { PATH },
        stdio: ['pipe', 'ignore', 'ignore'],
      });
      this.#child = child;
      child.once('error', (error) => this.#failed(error));
      child.once('exit', () => {
        if (this.#child === child) this.#child = undefined;
      });
      // The pipe fails when the supervisor has ended, which `exit` reports.
      child.stdin.on('error', () => {});
      if (child.stdin instanceof Socket) child.stdin.unref();
      child.unref();
    } catch (error) {
      this.#failed(error);
    }
    for (const group of groups) this.add(group);
  }

  /** The supervisor ends this group when this process has ended. */
  add(group: number): void {
    this.#child?.stdin?.write(`+ ${group}\n`);
  }

  remove(group: number): void {
    this.#child?.stdin?.write(`- ${group}\n`);
  }

  #failed(error: unknown): void {
    this.#child = undefined;
    if (this.#isReported) return;
    this.#isReported = true;
    this.#options.onUnavailable(
      `The supervisor of MCP servers did not start (${errorMessage(error)}). The servers work. If this process is ended by SIGKILL, they may keep running.`,
    );
  }
}

/**
 * The program of the supervisor, for every POSIX shell. Its argument is the mark of the host. It reads
 * `+ PID` and `- PID`, the groups that begin and end, until its input ends, which is when the host has
 * ended in whatever way. Then it ends the groups and, on Linux, all processes with the mark: SIGTERM,
 * up to a second, SIGKILL.
 *
 * A number of a process can be used again after its end. On Linux a group is signalled only if its
 * leader started at the known time, or has ended while others are in the group, which keeps the number
 * reserved. A process with the mark is checked again right before its signal. What remains is a number
 * that is used again between this check and the signal, and on macOS within the tenth of a second since
 * the group was last seen.
 */
export const SUPERVISOR_SCRIPT: string = String.raw`
# zsh under its own name splits no words.
[ -z "$ZSH_VERSION" ] || emulate sh
mark=$1
groups=
trap '' HUP INT TERM QUIT

# A shorter text could be in the environment of other processes.
[ "\${#mark}" -eq 33 ] || exit 2

# Sets start to the time at which process $1 started, or to nothing.
start_of() {
  start=
  while read -r line; do start=\${line##*) }; done <"/proc/$1/stat"
  set -- $start
  start=\${20}
}

forget() {
  kept=
  for group in $groups; do [ "\${group%:*}" = "$1" ] || kept="$kept $group"; done
  groups=$kept
}

# Whether the file $1 holds the mark. Without a program, because grep may stop at a NUL.
has_mark() {
  while read -r line || [ -n "$line" ]; do
    case $line in *"$mark"*) return 0 ;; esac
    line=
  done <"$1"
  return 1
}

# Prints the paths of the environments that hold the mark.
marked() {
  if printf 'x\0%s' "$mark" | grep -qF "$mark"; then
    grep -lsF "$mark" /proc/[0-9]*/environ
  else
    for file in /proc/[0-9]*/environ; do has_mark "$file" && echo "$file"; done
  fi
}

# Sends signal $1 to all. Sets left to those that exist.
signal() {
  left=
  for group in $groups; do
    pid=\${group%:*}
    start_of "$pid"
    [ -z "$start" ] || [ "$start" = "\${group#*:}" ] || continue
    kill "-$1" "-$pid" && left="$left $group"
  done
  groups=$left
  for file in $(marked); do
    pid=\${file#/proc/}
    pid=\${pid%/environ}
    has_mark "$file" && kill "-$1" "$pid" && left="$left $pid"
  done
}

# Without the program sleep there is no pause.
pause() { sleep 0.1 || sleep 1; }

while read -r action pid; do
  case $pid in '' | 0* | 1 | *[!0-9]*) continue ;; esac
  forget "$pid"
  [ "$action" = + ] || continue
  start_of "$pid"
  groups="$groups $pid:$start"
done

signal TERM
for round in 1 2 3 4 5 6 7 8 9 10; do
  [ -n "$left" ] || break
  pause
  signal 0
done
# A process that the host was starting when it ended has the mark only after a moment.
for round in 1 2 3 4 5 6 7 8 9 10; do
  signal KILL
  pause
done
exit 0
`.replaceAll('\\$', '$');
