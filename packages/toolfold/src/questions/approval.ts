import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { ApprovalAnswer, ApprovalRequest } from '@toolfold/agent/internal/events';
import { approvalScopes } from '@toolfold/agent/internal/options';
import { type AllowedCall, type AllowRule, withAllowed } from '@toolfold/config/internal/settings';
import { errorMessage, ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { formatNumber } from '@toolfold/core/internal/values';
import { parseConfig } from '@toolfold/mcp/internal/config';
import { isBlockInEffect, replaceConfig } from '../servers/index.ts';
import { oneLine } from '../terminal/index.ts';
import { type AllowableTools, confirmation, patternChoice, toolsChoice } from './patterns.ts';
import {
  type Answer,
  type AnswerChoice,
  MAX_ARGUMENTS,
  MAX_NAME,
  type Question,
  subjectOf,
  visibleArguments,
} from './question.ts';

/** Most characters of a reason, and of the path of the file in which "always" is saved. */
const MAX_REASON = 300;
const MAX_FILE = 80;

/** What a question about an approval is made of, besides the request. */
interface ApprovalFacts {
  /** Where "always" is saved. Without it, "always" is not offered. */
  readonly file: string | undefined;
  /** Whether the tool says that it may destroy something. */
  readonly isDestructive: boolean;
  /** Whether a longer approval than for this call can be kept: the definition of the tool is known. */
  readonly canHold: boolean;
  /** Calls like this one, which "always" can be for. */
  readonly pattern: AllowedCall | undefined;
  /** Tools that can be allowed together with this one. */
  readonly offer: AllowableTools | undefined;
}

/**
 * The question whether a call may run. It hides nothing: invisible characters are escaped, padding is replaced by
 * its length, long arguments are shown by their beginning, end and length, and one choice shows them and a long
 * reason in full.
 * `undefined` if the arguments cannot be shown.
 */
export function approvalQuestion(
  request: ApprovalRequest,
  { file, isDestructive, canHold, pattern, offer }: ApprovalFacts,
): Question | undefined {
  const { id, name, arguments: given, subagent, reason, changes = [], askedBy, position } = request;
  const visible = visibleArguments(given, MAX_ARGUMENTS);
  if (!visible) return;
  const { short, full, length, isShortened } = visible;
  const subject = subjectOf(request);
  const line = reason === undefined ? '' : oneLine(reason, Infinity);
  // A reason may say what the tool gets.
  const isReasonCut = line.length > MAX_REASON;
  const why = line === '' ? '' : ` (${oneLine(line, MAX_REASON)})`;
  const scopes: readonly string[] = canHold ? approvalScopes(request) : ['once'];
  const isForGood = scopes.includes('always');
  const tool = oneLine(name, MAX_NAME);
  const where = position && position.of > 1 ? `Question ${position.at} of ${position.of}. ` : '';
  const place = oneLine(file ?? '', MAX_FILE);
  const all: readonly AnswerChoice[] = [
    { id: 'once', label: 'Allow once', line: { letters: 'y', words: 'once' } },
    {
      id: 'session',
      label: `Allow ${tool} for this session`,
      line: { letters: 's', words: 'every time in this session' },
    },
    ...(isForGood && offer ? [toolsChoice(offer, file && place)] : []),
    {
      id: 'always',
      label: `Always allow ${tool} (saved in ${place})`,
      line: { letters: 'a', words: `always (saved in ${place})` },
      confirm: confirmation('always', tool, place),
    },
    ...(isForGood && file !== undefined && pattern ? [patternChoice(pattern, place)] : []),
    { id: 'reject', label: 'No', line: { letters: 'n', words: 'no' } },
    {
      id: 'because',
      label: 'No, because …',
      line: { letters: 'b', words: 'no, because …' },
      asks: `Why not run ${subject}? The model reads it`,
    },
    {
      id: 'view',
      label: 'Show all arguments',
      line: { letters: 'v?', words: 'view in full' },
      shows: `${subject} ${full}${isReasonCut ? ` (${line})` : ''}`,
    },
  ];
  const left = [
    ...['once', 'session', 'always'].filter((scope) => !scopes.includes(scope)),
    ...(file === undefined ? ['always'] : []),
    ...(isShortened || isReasonCut ? [] : ['view']),
  ];
  return {
    ...{ kind: 'approval', text: `Run ${subject}?`, subject, shown: short, askedBy },
    details: [
      ...(isShortened
        ? [`The arguments have ${formatNumber(length)} characters. Only a part is shown.`]
        : []),
      ...(isReasonCut ? [`The reason has ${formatNumber(line.length)} characters.`] : []),
      `${where}It needs your approval${why}.${isDestructive ? ' The tool says that it may destroy something.' : ''}`,
      ...changes.map((change) => `Changed since the last question: ${oneLine(change, MAX_REASON)}`),
    ],
    choices: all.filter((choice) => !left.includes(choice.id)),
    marked: isDestructive ? 'reject' : 'once',
    isDangerous: isDestructive,
    call: { id, name, arguments: given, subagent },
  };
}

/** What the agent is told. An answer that was not offered denies. The model reads the reason. */
export function approvalAnswer(
  question: Question,
  { choice, text = '' }: Answer,
  tools?: AllowableTools['tools'],
): ApprovalAnswer {
  const offered = offeredIds(question);
  if (offered.includes(choice)) {
    if (choice === 'once' || choice === 'session' || choice === 'always')
      return { approved: true, scope: choice };
    if (choice === 'calls') return { approved: true };
    if (/-(?:session|always)$/.test(choice)) return { approved: true, ...(tools ? { tools } : {}) };
  }
  if (choice === 'unasked')
    return { approved: false, reason: `The user could not be asked: ${text}` };
  const why = choice === 'because' ? text.trim() : '';
  const reason =
    why === '' ? 'The user denied this call.' : `The user denied this call and says: ${why}`;
  return { approved: false, reason };
}

/** The answers that a question offers, also behind a second question. */
function offeredIds({ choices }: Question): readonly string[] {
  return choices.flatMap(({ id, confirm }) => [
    id,
    ...(confirm ? confirm.choices.map((one) => one.id) : []),
  ]);
}

/** The file in which approvals are saved. */
export interface ApprovalStore {
  /** The path as the user sees it. */
  readonly file: string;
  /** Throws if the approval cannot be saved. */
  readonly save: (allowed: AllowRule) => void;
}

/**
 * Approvals that are saved in a configuration file. Its path is shown relative to the working folder inside it.
 * `folder`: where a block of the file needs a yes.
 */
export function approvalStore(settingsFile: string, folder: string | undefined): ApprovalStore {
  const inside = relative(process.cwd(), settingsFile);
  return {
    file: inside.startsWith('..') ? settingsFile : inside,
    save: (allowed) => saveApproval(settingsFile, allowed, folder),
  };
}

/**
 * Adds a tool or a call to `approvals.allow` of a configuration file, and creates the file if there is none.
 * The rest of the file keeps its values, order and comments. In a block that is not trusted in `folder` nothing is
 * saved: it would have no effect, and a later yes to it would be one to the whole block. If this fails, it throws
 * `invalid-config`, and the file stays unchanged.
 */
export function saveApproval(file: string, allowed: AllowRule, folder?: string): void {
  try {
    const before = existsSync(file) ? readFileSync(file, 'utf8') : '{}\n';
    const bom = before.startsWith('\uFEFF') ? '\uFEFF' : '';
    const text = before.slice(bom.length);
    if (folder !== undefined && !isBlockInEffect(file, text, folder))
      throw new Error('its settings have no effect, because nobody has said yes to them here');
    if (isIn(allowedIn(file, text), allowed)) return;
    const after = withAllowed(text, allowed);
    if (!isIn(allowedIn(file, after), allowed))
      throw new Error('the file has no place for an approval');
    replaceConfig(file, { text, after, folder }, bom);
  } catch (error) {
    throw new ToolfoldError(
      'invalid-config',
      `${file} cannot be changed: ${errorMessage(error)}.`,
      `Add ${JSON.stringify(allowed)} to "approvals": { "allow": [] } of its toolfold block by hand.`,
      error,
    );
  }
}

function isIn(list: readonly AllowRule[], allowed: AllowRule): boolean {
  return list.some((one) => isDeepStrictEqual(one, allowed));
}

function allowedIn(file: string, text: string): readonly AllowRule[] {
  return parseConfig(file, text, { env: {} }).settings?.approvals?.allow ?? [];
}
