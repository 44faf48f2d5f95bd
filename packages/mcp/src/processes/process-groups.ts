import { hostMark } from './marked-processes.ts';
import { Supervisor } from './supervisor.ts';

/**
 * The process groups of all running servers. The set is global because signals arrive per process. A
 * server in its own group does not get the terminal's Ctrl-C, so it is forwarded here.
 */
const guarded = new Set<number>();

/** One for this process, started with its first server. */
const supervisor = new Supervisor({
  mark: hostMark,
  onUnavailable: (message) =>
    process.emitWarning(message, { type: 'ToolfoldWarning', code: 'TOOLFOLD_NO_SUPERVISOR' }),
});

/** Signals that end a process by default and can be handled. SIGUSR1 and SIGPROF are used by Node and its profiler. */
const signals = [
  ...(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGABRT', 'SIGALRM', 'SIGUSR2'] as const),
  ...(['SIGVTALRM', 'SIGXCPU', 'SIGXFSZ', 'SIGIO', 'SIGPWR', 'SIGSTKFLT'] as const),
];

/**
 * Starts the supervisor unless it runs. Call this before a server is started, so that a server whose
 * group is not known yet ends with this process, too.
 */
export function startSupervisor(): void {
  supervisor.start(guarded);
}

/** Ends the group when this process ends. Applies until `forgetGroup` is called. */
export function guardGroup(pid: number): void {
  if (guarded.size === 0) {
    process.on('exit', killAll);
    // Prepended: a `once` listener of the host is no longer counted after it has run.
    for (const signal of signals) process.prependListener(signal, onSignal);
  }
  guarded.add(pid);
  supervisor.add(pid);
}

/** Call this when the group has ended. */
export function forgetGroup(pid: number): void {
  if (!guarded.delete(pid)) return;
  supervisor.remove(pid);
  if (guarded.size > 0) return;
  process.off('exit', killAll);
  for (const signal of signals) process.off(signal, onSignal);
}

/** Sends a signal to a group. Does nothing if the group has ended. */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    // macOS reports EPERM for a group with only zombie processes.
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}

function killAll(): void {
  for (const pid of guarded) signalGroup(pid, 'SIGKILL');
}

function onSignal(signal: NodeJS.Signals): void {
  // If the host handles the signal, it decides whether to end. Its end triggers `exit`.
  if (process.listenerCount(signal) > 1) return;
  killAll();
  process.off(signal, onSignal);
  process.kill(process.pid, signal);
}
