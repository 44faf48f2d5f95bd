import { completions, passedTable } from './complete.ts';

/**
 * The answer to `toolfold complete -- words...` without loading the other commands, which would take
 * longer than a user wants to wait. `undefined` if they are needed for it. Never throws.
 */
export async function fastCompletions(args: readonly string[]): Promise<string | undefined> {
  const { env } = process;
  try {
    const { VERSION } = await import('../../version.ts');
    const words = args[0] === '--' ? args.slice(1) : args;
    return await completions(words, env, passedTable(env, VERSION));
  } catch {
    // Nothing is completed.
    return '';
  }
}
