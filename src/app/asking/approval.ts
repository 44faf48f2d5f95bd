import { type ApprovalAnswer, type ApprovalRequest, approvalScopes } from '../../agent/index.ts';
import type { Answer, Choice, Question } from '../questions/index.ts';
import { formatNumber, oneLine } from '../terminal/index.ts';
import { confirmation, type Pattern, patternChoices } from './patterns.ts';
import { MAX_ARGUMENTS, MAX_NAME, subjectOf } from './steps/index.ts';
import { visibleArguments } from './visible-arguments.ts';

/** Most characters of a reason, and of the path of the file in which "always" is saved. */
const MAX_REASON = 300;
const MAX_FILE = 80;

/** What a question about an approval is made of, besides the request. */
export interface ApprovalFacts {
  /** Where "always" is saved. Without it, "always" is not offered. */
  readonly file: string | undefined;
  /** Whether the tool says that it may destroy something. */
  readonly isDestructive: boolean;
  /** What "always" can be narrowed or widened to. */
  readonly patterns: readonly Pattern[];
}

/**
 * The question whether a call may run. It hides nothing: invisible characters are escaped, padding is replaced by
 * its length, long arguments are shown by their beginning, end and length, and one choice shows them and a long
 * reason in full.
 * `undefined` if the arguments cannot be shown.
 */
export function approvalQuestion(
  request: ApprovalRequest,
  { file, isDestructive, patterns }: ApprovalFacts,
): Question | undefined {
  const { id, name, arguments: given, subagent, reason, changes = [], askedBy } = request;
  const visible = visibleArguments(given, MAX_ARGUMENTS);
  if (!visible) return;
  const { short, full, length, isShortened } = visible;
  const subject = subjectOf(request);
  const line = reason === undefined ? '' : oneLine(reason, Infinity);
  // A reason may say what the tool gets.
  const isReasonCut = line.length > MAX_REASON;
  const why = line === '' ? '' : ` (${oneLine(line, MAX_REASON)})`;
  const scopes: readonly string[] = approvalScopes(request);
  const place = oneLine(file ?? '', MAX_FILE);
  const all: readonly Choice[] = [
    { id: 'once', label: 'Allow once', line: { letters: 'y', words: 'once' } },
    {
      id: 'session',
      label: 'Allow for this session',
      line: { letters: 's', words: 'every time in this session' },
    },
    {
      id: 'always',
      label: `Always allow (saved in ${place})`,
      line: { letters: 'a', words: `always (saved in ${place})` },
      confirm: confirmation('always', oneLine(name, MAX_NAME), place),
    },
    ...(scopes.includes('always') && file !== undefined ? patternChoices(patterns, place) : []),
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
      `It needs your approval${why}.${isDestructive ? ' The tool says that it may destroy something.' : ''}`,
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
  { choices }: Question,
  { choice, text = '' }: Answer,
): ApprovalAnswer {
  const isOffered = choices.some(({ id }) => id === choice);
  if (isOffered && (choice === 'once' || choice === 'session' || choice === 'always'))
    return { approved: true, scope: choice };
  if (choice === 'unasked')
    return { approved: false, reason: `The user could not be asked: ${text}` };
  const why = choice === 'because' ? text.trim() : '';
  const reason =
    why === '' ? 'The user denied this call.' : `The user denied this call and says: ${why}`;
  return { approved: false, reason };
}
