/**
 * The process groups of the servers that run now. A process has one such set whether it likes it or
 * not: a group of its own keeps a server from getting the terminal's Ctrl-C, so it is passed on here.
 */
const guarded = new Set<number>();

/** All that end a process by default and can be heard; SIGUSR1 and SIGPROF belong to Node and its profiler. */
const signals = [
  ...(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGABRT', 'SIGALRM', 'SIGUSR2'] as const),
  ...(['SIGVTALRM', 'SIGXCPU', 'SIGXFSZ', 'SIGIO', 'SIGPWR', 'SIGSTKFLT'] as const),
];

/** Ends the group with this process, however that ends (SIGKILL aside), until it is forgotten. */
export function guardGroup(pid: number): void {
  if (guarded.size === 0) {
    process.on('exit', killAll);
    // First in line: a `once` listener of the host is gone from the count after it was called.
    for (const signal of signals) process.prependListener(signal, onSignal);
  }
  guarded.add(pid);
}

/** To be called once the group is gone. */
export function forgetGroup(pid: number): void {
  if (!guarded.delete(pid) || guarded.size > 0) return;
  process.off('exit', killAll);
  for (const signal of signals) process.off(signal, onSignal);
}

/** Sends a signal to a whole group; a group that is gone already is what was wanted. */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    // EPERM: macOS says so of a group of which only zombies are left.
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}

function killAll(): void {
  for (const pid of guarded) signalGroup(pid, 'SIGKILL');
}

function onSignal(signal: NodeJS.Signals): void {
  // A host that handles the signal itself decides; its end is heard as `exit`.
  if (process.listenerCount(signal) > 1) return;
  killAll();
  process.off(signal, onSignal);
  process.kill(process.pid, signal);
}
