import { existsSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { goesOn, isAllowedCall } from '@toolfold/agent/internal/options';
import type { AllowedCall, AllowRule } from '@toolfold/config/internal/settings';
import type { ToolLayer } from '@toolfold/core/internal/session';
import type { Tool } from '@toolfold/core/internal/tool';
import { isRecord } from '@toolfold/core/internal/values';
import { oneLine, realPath } from '../terminal/index.ts';
import { type AnswerChoice, MAX_NAME, type QuestionStep, visibleArguments } from './question.ts';

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
  tools: Pick<ToolLookup, 'addressOf' | 'fingerprintOf'>,
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
export function patternChoice(pattern: AllowedCall, file: string): AnswerChoice {
  const what = patternText(pattern);
  return {
    id: 'calls',
    label: `Always allow ${what}`,
    line: { letters: '1', words: 'always for calls like this', isShort: true },
    confirm: confirmation('calls', what, file),
  };
}

/** The second question before `what` is allowed for good. */
export function confirmation(id: string, what: string, file: string): QuestionStep {
  return {
    text: `From now on, run ${what} without a question? ${file} keeps this.`,
    choices: [BACK, { id, label: 'Yes, always', line: { letters: 'y', words: 'yes, always' } }],
    marked: BACK.id,
  };
}

/** What runs, in words. */
export function runsText(allowed: AllowRule): string {
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

/** The part of a tool layer that is asked about tools. */
export type ToolLookup = Pick<ToolLayer, 'addressOf' | 'fingerprintOf' | 'known'>;

/** What a tool says of itself. Its server need not be trusted. */
export type MarksOf = (name: string) => Tool['annotations'];

/** Tools of one server that an answer can allow together. All are of one kind. */
export interface AllowableTools {
  /** `reads`: their server marks them as read-only. `changes`: nothing says that they only read. */
  readonly kind: 'reads' | 'changes';
  readonly server: string;
  /** Each by the fingerprint of its definition. */
  readonly tools: Readonly<Record<string, string>>;
}

/** More tools than this are not offered: nobody reads longer lists. */
const MOST_OFFERED = 100;
/** Names in a choice. The second question has all of them. */
const MOST_NAMED = 3;

/**
 * The tools that one answer to a question about this tool can allow: where it is marked as read-only, all of its server
 * that are; else those whose names begin with the same verb. Marks are not trusted, so they only leave tools out of
 * what changes data, and a tool that is marked as destructive is never covered. Undefined if there is no other tool.
 */
export function offeredTools(
  name: string,
  tools: ToolLookup,
  marksOf: MarksOf,
): AllowableTools | undefined {
  const { groupId, bare } = tools.addressOf(name);
  const kind = kindOf(marksOf(name));
  const verb = verbOf(bare);
  if (groupId === undefined || kind === 'destroys') return;
  if (kind === 'changes' && verb === undefined) return;
  const found: [name: string, fingerprint: string][] = [];
  for (const one of tools.known().tools) {
    const isLike = kind === 'reads' || verbOf(one.bare) === verb;
    if (one.groupId !== groupId || !isLike || kindOf(marksOf(one.name)) !== kind) continue;
    const definition = tools.fingerprintOf(one.name);
    // A name that cannot be shown as it is cannot be agreed to.
    if (definition === undefined || oneLine(one.name, MAX_NAME) !== one.name) continue;
    found.push([one.name, definition]);
  }
  const isAmong = found.some(([one]) => one === name);
  if (!isAmong || found.length < 2 || found.length > MOST_OFFERED) return;
  found.sort(([one], [other]) => (one < other ? -1 : 1));
  const server = oneLine(groupId.replace(/^mcp:/, ''), MAX_NAME);
  return { kind, server, tools: Object.fromEntries(found) };
}

/** The choice of all these tools. A second question lists them, and asks for how long. */
export function toolsChoice(offer: AllowableTools, file: string | undefined): AnswerChoice {
  const { kind } = offer;
  const names = Object.keys(offer.tools);
  const some = `${names.slice(0, MOST_NAMED).join(', ')}${names.length > MOST_NAMED ? ', …' : ''}`;
  const what = countText(offer);
  return {
    id: kind,
    label: `Allow ${what}: ${some}`,
    line: { letters: 't', words: `these ${names.length} tools`, isShort: true },
    confirm: {
      text: `Run these ${names.length} tools without a question?`,
      details: [
        `${what}:`,
        `  ${names.join(', ')}`,
        kind === 'reads'
          ? 'The server says that they only read. A tool that changes, and a new one, is asked about.'
          : 'They may change data. A tool that changes, and a new one, is asked about.',
      ],
      choices: [
        BACK,
        {
          id: `${kind}-session`,
          label: 'Yes, in this session',
          line: { letters: 's', words: 'yes, in this session' },
        },
        ...(file === undefined
          ? []
          : [
              {
                id: `${kind}-always`,
                label: `Yes, always (saved in ${file})`,
                line: { letters: 'a', words: `always (saved in ${file})` },
              },
            ]),
      ],
      marked: BACK.id,
    },
  };
}

/** Goes back to the first question. */
const BACK: QuestionStep['choices'][number] = {
  id: 'back',
  label: 'No, go back',
  line: { letters: 'n', words: 'no, go back' },
};

function countText({ kind, server, tools }: AllowableTools): string {
  const count = Object.keys(tools).length;
  return kind === 'reads'
    ? `${count} reads of ${server}`
    : `${count} tools of ${server} that may change data`;
}

function kindOf(marks: Tool['annotations']): AllowableTools['kind'] | 'destroys' {
  if (marks?.destructiveHint === true) return 'destroys';
  return marks?.readOnlyHint === true ? 'reads' : 'changes';
}

function verbOf(bare: string): string | undefined {
  return /^[a-z]+_(?=[a-z])/i.exec(bare)?.[0];
}
