import type { AgentHooks } from '../events/index.ts';
import type { Log } from '../log/index.ts';

/** The key of a frozen system text. A change of role or narrowing begins a new epoch. */
export function systemKey(role: string | undefined, only: readonly string[] = []): string {
  return [role ?? '', ...only].join('\0');
}

/** Resolves with the app's system text for the epoch of a key. Rejects if a hook fails. */
export type SystemText = (key: string) => Promise<string | undefined>;

/**
 * The app's system text. Its hooks run once per epoch; the result is then frozen. Texts that hooks have made in an
 * earlier process are used again.
 */
export function systemText(
  text: string | undefined,
  given: AgentHooks['transformSystemPrompt'] = [],
  log: Log,
): SystemText {
  const hooks = typeof given === 'function' ? [given] : [...given];
  const frozen = new Map<string, Promise<string>>();
  const transformed = async (): Promise<string> => {
    let now = text ?? '';
    for (const hook of hooks) now = await hook(now);
    return now;
  };
  return async (key) => {
    const { state, session } = log;
    if (hooks.length === 0) return text;
    if (state.systems.has(key)) return state.systems.get(key) || undefined;
    const known = frozen.get(key) ?? transformed();
    frozen.set(key, known);
    try {
      const made = await known;
      // A question beside the turns may have been the first, and keeps nothing.
      if (session && log.isHeld && !state.systems.has(key))
        await log.append(['system', { key, text: made }]);
      return made || undefined;
    } catch (error) {
      // The next request runs a failed hook again.
      frozen.delete(key);
      throw error;
    }
  };
}
