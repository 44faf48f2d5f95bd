import type { ModelMessage } from 'ai';
import { plainCount, truncate } from '../../tools/values/index.ts';
import { textOf } from '../state/index.ts';
import { isSummary, summaryIn } from './summary.ts';

/** The most characters of the earlier summary, of one message of the user, and of all of them. */
const LIMITS = { earlier: 8_000, message: 1_000, messages: 8_000, answer: 2_000 };

/** The most names of tools. */
const NAMES = 50;

/**
 * A summary without a model: the earlier summary, the words of the user, the names of the calls, and the
 * last answer. For a conversation of which the model gives none.
 */
export function mechanicalSummary(
  messages: readonly ModelMessage[],
  isReal: (name: string) => boolean = () => true,
): string {
  const earlier = messages.findLast(isSummary);
  const calls = callsIn(messages, isReal);
  const answer = messages.findLast(
    (message) => message.role === 'assistant' && textOf(message).trim() !== '',
  );
  return [
    'The model gave no summary. This one was made without it, from the messages.',
    ...(earlier ? [`Earlier summary:\n${truncate(summaryIn(earlier), LIMITS.earlier)}`] : []),
    ...section('What the user said, the newest last:', userWords(messages)),
    ...section('Calls of tools:', calls),
    ...(answer ? [`The last answer:\n${truncate(textOf(answer), LIMITS.answer)}`] : []),
  ].join('\n\n');
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length > 0 ? [[title, ...lines.map((line) => `- ${line}`)].join('\n')] : [];
}

/** The newest messages of the user that fit, in order. */
function userWords(messages: readonly ModelMessage[]): string[] {
  const words: string[] = [];
  let left = LIMITS.messages;
  for (const message of [...messages].reverse()) {
    if (message.role !== 'user' || isSummary(message)) continue;
    const text = truncate(textOf(message).trim(), LIMITS.message);
    left -= text.length;
    if (left < 0) break;
    if (text !== '') words.unshift(text);
  }
  return words;
}

function callsIn(messages: readonly ModelMessage[], isReal: (name: string) => boolean): string[] {
  const names = messages.flatMap(({ role, content }) =>
    role !== 'assistant' || typeof content === 'string'
      ? []
      : content.flatMap((part) => (part.type === 'tool-call' ? [part.toolName] : [])),
  );
  const calls = Map.groupBy(
    names.filter((name) => isReal(name)),
    (name) => name,
  );
  const all = [...calls].map(([name, { length }]) => `${name} (${plainCount(length, 'call')})`);
  return all.length <= NAMES ? all : [...all.slice(0, NAMES), `and ${all.length - NAMES} more`];
}
