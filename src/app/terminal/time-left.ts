import type { CommandContext } from './command-context.ts';

/** Milliseconds that are left of a time limit in seconds, which begins with the command. At least 1. */
export function timeLeft(
  seconds: number,
  { startedAt }: Pick<CommandContext, 'startedAt'>,
): number {
  return Math.max(1, Math.ceil(startedAt + seconds * 1000 - performance.now()));
}
