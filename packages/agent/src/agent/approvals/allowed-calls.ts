import type { Allowed, AllowedCall } from '@toolfold/config/internal/config';
import type { ToolLayer } from '@toolfold/core/internal/tools';
import { matchesTool } from '@toolfold/core/internal/tools/registry/globs';
import { isRecord, ownProperty } from '@toolfold/core/internal/tools/values';
import type { ApprovalRequest } from '../events/index.ts';

/** What the end of a text may consist of. No character has a meaning to a shell, in addresses or in patterns. */
const PLAIN = /^[A-Za-z0-9 _./,-]*$/;
const SCALARS = ['string', 'number', 'boolean'];
/** A text that is longer is not compared. */
const LONGEST = 10_000;

/**
 * Whether a list of globs, calls and tools allows this call, with its arguments as the tool gets them. What is not understood
 * allows nothing.
 */
export function isAllowedCall(
  allow: readonly Allowed[],
  { name, arguments: given }: Pick<ApprovalRequest, 'name' | 'arguments'>,
  tools: Pick<ToolLayer, 'addressOf' | 'fingerprintOf'>,
): boolean {
  const address = tools.addressOf(name);
  return allow.some((one) => {
    if (typeof one === 'string') return matchesTool(one, address);
    const now = tools.fingerprintOf(name);
    if (now === undefined) return false;
    if ('tools' in one) return ownProperty(one.tools, name) === now;
    const { tool, definition = now } = one;
    return tool === name && definition === now && areAllowed(one.arguments, given);
  });
}

/** The arguments have the names of the pattern and no others, and each its value. */
function areAllowed(pattern: AllowedCall['arguments'], given: unknown): boolean {
  if (!isRecord(given) || !isRecord(pattern)) return false;
  const names = Reflect.ownKeys(given);
  return (
    names.length === Object.keys(pattern).length &&
    names.every((name) => {
      if (typeof name !== 'string' || !Object.hasOwn(pattern, name)) return false;
      const [value, allowed] = [given[name], pattern[name]];
      if (typeof value === 'string' && typeof allowed === 'string' && allowed.endsWith('*'))
        return goesOn(allowed.slice(0, -1), value);
      // A pattern that nobody has checked may hold a list, which is the same as itself.
      return value === allowed && (value === null || SCALARS.includes(typeof value));
    })
  );
}

/**
 * Whether a text is the beginning and goes on in the same place: a path below it, or further words that are no
 * options. A word must end where the beginning ends.
 */
export function goesOn(begin: string, text: string): boolean {
  if (!text.startsWith(begin) || text.length > LONGEST) return false;
  const rest = text.slice(begin.length);
  if (rest === '') return true;
  const border = /[/ ]$/.test(begin) ? begin.slice(-1) : rest.slice(0, 1);
  if (!PLAIN.test(rest) || (border !== '/' && border !== ' ')) return false;
  if (rest.split(/[ /]/).includes('..')) return false;
  if (border === '/') return !rest.includes(' ');
  const words = (begin.endsWith(' ') ? rest : rest.slice(1)).split(' ');
  return !words.some((word) => word.startsWith('-'));
}
