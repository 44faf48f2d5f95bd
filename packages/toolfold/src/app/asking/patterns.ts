import { existsSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { goesOn, isAllowedCall } from '@toolfold/agent/internal/agent/approvals';
import type { Allowed, AllowedCall } from '@toolfold/config/internal/config';
import { isRecord } from '@toolfold/core/internal/tools/values';
import { realPath } from '../files/index.ts';
import type { Choice, Step } from '../questions/index.ts';
import { oneLine } from '../terminal/index.ts';
import { BACK, type KnownTools } from './offered-tools.ts';
import { MAX_NAME } from './steps/index.ts';
import { visibleArguments } from './visible-arguments.ts';

/** Arguments that say where a call works, and those that say what it runs. */
const PLACE = /path|file|folder|dir|url|uri/i;
const COMMAND = /command|cmd/i;
/** What of them stays. */
const HOST = /^(https?:\/\/[^/]+\/)./;
const FOLDER = /^((?:[^/ ]*\/)*[^/ ]+\/)[^/ ]+$/;
const TWO_WORDS = /^(\w[\w.-]* \w[\w./-]*)(?: |$)/;
/** Most characters of a pattern: it is shown whole. */
const MOST = 300;

/** Calls like this one that can be allowed for good. Undefined if it cannot be said in full what is allowed. */
export function patternOf(
  name: string,
  given: unknown,
  tools: Pick<KnownTools, 'addressOf' | 'fingerprintOf'>,
  folder: string | undefined,
): AllowedCall | undefined {
  const definition = tools.fingerprintOf(name);
  if (definition === undefined || !isRecord(given)) return;
  const wide = Object.entries(given).map(([key, value]) => [key, widened(key, value, folder)]);
  const call = { tool: name, arguments: Object.fromEntries(wide), definition } as AllowedCall;
  const isShown = (visibleArguments(call.arguments, MOST)?.length ?? MOST) < MOST;
  // The same text of several lines is not written again.
  const isText = wide.some(([, value]) => String(value).includes('\n'));
  if (!isShown || isText || !isAllowedCall([call], { name, arguments: given }, tools)) return;
  return call;
}

/** The answer "always" for calls like this one, with what it means in full. */
export function patternChoice(pattern: AllowedCall, file: string): Choice {
  const what = patternText(pattern);
  return {
    id: 'calls',
    label: `Always allow ${what}`,
    line: { letters: '1', words: 'always for calls like this', isShort: true },
    confirm: confirmation('calls', what, file),
  };
}

/** The second question before `what` is allowed for good. */
export function confirmation(id: string, what: string, file: string): Step {
  return {
    text: `From now on, run ${what} without a question? ${file} keeps this.`,
    choices: [BACK, { id, label: 'Yes, always', line: { letters: 'y', words: 'yes, always' } }],
    marked: BACK.id,
  };
}

/** What runs, in words. */
export function runsText(allowed: Allowed): string {
  if (typeof allowed === 'string') return `${oneLine(allowed, MAX_NAME)} runs`;
  if ('arguments' in allowed) return `${patternText(allowed)} runs`;
  const names = Object.keys(allowed.tools).map((name) => oneLine(name, MAX_NAME));
  return `${names.join(', ')} ${names.length === 1 ? 'runs' : 'run'}`;
}

/** What a pattern allows, in words. */
export function patternText(pattern: AllowedCall): string {
  const { full = '{}' } = visibleArguments(pattern.arguments, MOST) ?? {};
  return `${pattern.tool} with ${full === '{}' ? 'no arguments' : `${full} and no other arguments`}`;
}

/** A text that stands for the same folder, host or command. Other values stay as they are. */
function widened(key: string, value: unknown, folder: string | undefined): unknown {
  if (typeof value !== 'string') return value;
  const isPlace = PLACE.test(key);
  const begins = COMMAND.test(key) ? [TWO_WORDS] : isPlace ? [HOST, FOLDER] : [];
  const begin = begins.map((one) => one.exec(value)?.[1]).find((found) => found !== undefined);
  if (begin === undefined || !goesOn(begin, value)) return value;
  const isWithin = !isPlace || HOST.test(value) || isInFolder(begin, folder);
  return isWithin ? `${begin}*` : value;
}

/** Whether a path lies in the folder of the session, also behind links. What a server may read in another way does not. */
function isInFolder(path: string, folder: string | undefined): boolean {
  if (folder === undefined || /^~|[:$%\\]/.test(path)) return false;
  const root = realPath(folder);
  const place = resolve(root, path);
  // What does not exist may lie behind a link.
  if (!existsSync(place)) return false;
  const inside = relative(root, realPath(place));
  return inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside);
}
