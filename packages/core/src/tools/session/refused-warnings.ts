import type { SettingsCheck } from '../epoch/index.ts';
import { oncePerKey, plainLine } from '../values/index.ts';

/** Names in one warning. */
const MOST_NAMES = 5;

const INSTEAD = {
  deferred: 'It is deferred.',
  'left out':
    'It is left out, because this strategy has no other way to call a tool: leave out `strategy`, or use "dispatch".',
} as const;

/**
 * Warns about tools that an endpoint refuses, each once, and about declared tools whose description it
 * may refuse.
 */
export function refusedWarnings(warn: (text: string) => void): SettingsCheck['checkDeclared'] {
  const say = oncePerKey(warn);
  const long = new Set<string>();
  return (accepts, refused, declared) => {
    for (const { name, why, instead } of refused)
      say(`${name} ${why}`, `"${name}" is not declared: ${why}. ${INSTEAD[instead]}`);
    const { by, descriptionLength: most = Number.POSITIVE_INFINITY } = accepts;
    const fresh = declared.filter(
      ({ name, description = '' }) => description.length > most && !long.has(`${by} ${name}`),
    );
    if (fresh.length === 0) return;
    for (const { name } of fresh) long.add(`${by} ${name}`);
    const names = fresh.slice(0, MOST_NAMES).map(({ name }) => `"${plainLine(name, 80)}"`);
    const more = fresh.length > MOST_NAMES ? ` and ${fresh.length - MOST_NAMES} more` : '';
    warn(
      `${by} may refuse tools with a description of more than ${most} characters: ${names.join(', ')}${more}. Shorten it if a request fails.`,
    );
  };
}
