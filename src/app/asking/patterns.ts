import { goesOn, isAllowedCall } from '../../agent/approvals/index.ts';
import type { AllowedCall } from '../../config/index.ts';
import type { ToolLayer } from '../../tools/index.ts';
import { isRecord } from '../../tools/values/index.ts';
import type { Choice, Step } from '../questions/index.ts';
import { visibleArguments } from './visible-arguments.ts';

/** What can be allowed for good: a glob of tools, or calls of one tool with certain arguments. */
export type Pattern = string | AllowedCall;

/** The part of a tool layer that is asked about a call. */
export type KnownTools = Pick<ToolLayer, 'addressOf' | 'fingerprintOf'>;

/** Arguments that say where a call works, and those that say what it runs. */
const PLACE = /path|file|folder|dir|url|uri/i;
const COMMAND = /command|cmd/i;
/** What of them stays. */
const HOST = /^(https?:\/\/[^/]+\/)./;
const FOLDER = /^((?:[^/ ]*\/)*[^/ ]+\/)[^/ ]+$/;
const TWO_WORDS = /^(\w[\w.-]* \w[\w./-]*)(?: |$)/;
/** Most characters of a pattern: it is shown whole. */
const MOST = 300;

/** Patterns that match this call, the narrowest first. Empty if it cannot be said in full what is allowed. */
export function patternsOf(
  name: string,
  given: unknown,
  tools: KnownTools,
  isDestructive: boolean,
): readonly Pattern[] {
  const definition = tools.fingerprintOf(name);
  const { bare, groupId } = tools.addressOf(name);
  const verb = /^[a-z]+_(?=[a-z])/i.exec(bare)?.[0];
  const glob = groupId === undefined || !verb || isDestructive ? [] : [`${groupId}/${verb}*`];
  if (definition === undefined || !isRecord(given)) return [];
  const wide = Object.entries(given).map(([key, value]) => [key, widened(key, value)]);
  const call = { tool: name, arguments: Object.fromEntries(wide), definition } as AllowedCall;
  const isShown = (visibleArguments(call.arguments, MOST)?.length ?? MOST) < MOST;
  // The same text of several lines is not written again.
  const isText = wide.some(([, value]) => String(value).includes('\n'));
  return [...(isShown && !isText ? [call] : []), ...glob].filter((one) =>
    isAllowedCall([one], { name, arguments: given }, tools),
  );
}

/** The answers "always" to a question, each with what it means in full. */
export function patternChoices(patterns: readonly Pattern[], file: string): readonly Choice[] {
  return patterns.map((pattern, at) => {
    const what = patternText(pattern);
    const like = typeof pattern === 'string' ? 'tools named like this' : 'calls like this';
    return {
      id: `always-${at}`,
      label: `Always allow ${what}`,
      line: { letters: `${at + 1}`, words: `always for ${like}`, isShort: true },
      confirm: confirmation(`always-${at}`, what, file),
    };
  });
}

/** The second question before `what` is allowed for good. */
export function confirmation(id: string, what: string, file: string): Step {
  return {
    text: `From now on, run ${what} without a question? ${file} keeps this.`,
    choices: [
      { id: 'back', label: 'No, go back', line: { letters: 'n', words: 'no, go back' } },
      { id, label: 'Yes, always', line: { letters: 'y', words: 'yes, always' } },
    ],
    marked: 'back',
  };
}

/** What a pattern allows, in words. */
export function patternText(pattern: Pattern): string {
  if (typeof pattern === 'string') return `all tools ${pattern}`;
  const { full = '{}' } = visibleArguments(pattern.arguments, MOST) ?? {};
  return `${pattern.tool} with ${full === '{}' ? 'no arguments' : `${full} and no other arguments`}`;
}

/** A text that stands for the same folder, host or command. Other values stay as they are. */
function widened(key: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const begins = COMMAND.test(key) ? [TWO_WORDS] : PLACE.test(key) ? [HOST, FOLDER] : [];
  const begin = begins.map((one) => one.exec(value)?.[1]).find((found) => found !== undefined);
  return begin === undefined || !goesOn(begin, value) ? value : `${begin}*`;
}
