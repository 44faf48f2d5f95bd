import type { SessionRecord } from '@toolfold/agent/internal/sessions';
import { visibleText } from '@toolfold/core/internal/tools/values';
import { backticks, beginning, shownText } from '../shown/index.ts';
import { repairWords } from '../words/index.ts';
import { readTranscript } from './read-transcript.ts';
import type {
  TranscriptApproval,
  TranscriptCall,
  TranscriptEntry,
  TranscriptItem,
} from './transcript.ts';

/** Most characters of a result. */
const MAX_RESULT = 2_000;

/** What Markdown reads within a line, links without brackets included. */
const MARKUP = /[\\`*_#[\]<>!|~&$:@]|(?<=www)\./gi;

/** How a call stands that has neither a result nor an error. */
export const CALL_STATES: Readonly<Record<TranscriptCall['state'], string>> = {
  intended: 'It did not run.',
  waiting: 'It waits for approval.',
  denied: 'It did not run.',
  unknown: 'It was started and has no result: its outcome is unknown.',
  done: '',
  failed: '',
};

/**
 * A session as Markdown for people. Texts of users, models and tools stand in fences and cannot imitate
 * the structure around them. Results are cut to 2,000 characters.
 */
export function sessionMarkdown(
  { id, title, folder, createdAt, changedAt }: SessionRecord,
  entries: Iterable<TranscriptEntry>,
): string {
  const { items } = readTranscript(entries);
  const head = [
    `# ${plainMarkdown(title ?? '') || 'Session'}`,
    [
      `- Session: ${plainMarkdown(id)}`,
      ...(folder === undefined ? [] : [`- Folder: ${plainMarkdown(folder)}`]),
      `- Begun: ${timeOf(createdAt)}`,
      `- Last change: ${timeOf(changedAt)}`,
    ].join('\n'),
  ];
  return `${[...head, ...items.flatMap(blocksOf)].join('\n\n')}\n`;
}

function blocksOf(item: TranscriptItem): readonly string[] {
  switch (item.type) {
    case 'turn':
      return [
        `## Turn ${item.number}${item.how === 'send' ? '' : ` (${plainMarkdown(item.how)})`}, ${timeOf(item.at)}`,
      ];
    case 'user':
      return ['### User', fenced(item.text, 'text')];
    case 'answer':
      return ['### Answer', fenced(item.text, 'markdown')];
    case 'call':
      return callBlocks(item);
    case 'note':
      return [
        `*${plainMarkdown(item.title)}*`,
        ...(item.text === undefined ? [] : [fenced(item.text, 'text')]),
      ];
    case 'end': {
      const error = item.error === undefined ? '' : `: ${plainMarkdown(item.error)}`;
      return [`*The turn ended: ${plainMarkdown(item.reason)}${error}*`];
    }
  }
}

function callBlocks(call: TranscriptCall): readonly string[] {
  const { name, repairs, approvals, state, error, choice } = call;
  return [
    `### Call of ${plainMarkdown(name)}`,
    fenced(JSON.stringify(call.arguments, null, 2) ?? '', 'json'),
    ...(repairs ? [`*${plainMarkdown(repairWords(repairs))}*`] : []),
    ...approvals.map((approval) => `*${approvalText(approval)}*`),
    ...(choice === undefined
      ? []
      : [`*Its outcome was unknown. The user chose: ${plainMarkdown(choice)}.*`]),
    ...(state === 'done' ? ['Result:', fenced(shownText(call.output, MAX_RESULT), 'text')] : []),
    ...(error === undefined ? [] : ['Error:', fenced(beginning(error, MAX_RESULT), 'text')]),
    ...(error === undefined && CALL_STATES[state] !== '' ? [`*${CALL_STATES[state]}*`] : []),
  ];
}

function approvalText({ reason, answer }: TranscriptApproval): string {
  const asked = `The user was asked${reason === undefined ? '' : ` (${plainMarkdown(reason)})`}`;
  if (!answer) return `${asked} and has not answered.`;
  const scope = answer.scope === undefined ? '' : ` (${plainMarkdown(answer.scope)})`;
  const why = answer.reason === undefined ? '' : `: ${plainMarkdown(answer.reason)}`;
  return answer.approved ? `${asked} and approved${scope}.` : `${asked} and denied${why}.`;
}

/** Milliseconds since 1970 as text. */
function timeOf(at: number): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** A text of others as one line of Markdown that is read as plain text. */
function plainMarkdown(text: string): string {
  const line = visibleText(text, Number.POSITIVE_INFINITY).replace(/\s+/g, ' ').trim();
  return line.replace(MARKUP, '\\$&');
}

/** A text of others as a block of code. The fence is longer than any in the text. */
function fenced(text: string, language: string): string {
  const visible = visibleText(text, Number.POSITIVE_INFINITY);
  const fence = backticks(visible, 3);
  return `${fence}${language}\n${visible}${visible.endsWith('\n') ? '' : '\n'}${fence}`;
}
