import type { AgentEvent, Spending } from '@toolfold/agent/internal/agent';
import { gapBetween, NOTHING_SPENT, plus, withUsage } from '@toolfold/agent/internal/agent/events';
import { costText } from '../indicator/index.ts';
import { formatNumber, oneLine, type Terminal } from '../terminal/index.ts';
import { eventLines, progressLine } from './lines.ts';

/** What the last line of a turn says besides its tokens. */
interface TurnFacts {
  readonly currency?: string | undefined;
  /** Servers that were still starting when the turn began. */
  readonly missing?: readonly string[];
}

type EventWriter = (event: AgentEvent) => void;
type Output = Pick<Terminal, 'out' | 'note'>;

/**
 * Writes every event as a line of JSON to stdout, errors as name and message. `hide` redacts
 * secrets.
 */
export function jsonWriter({ out }: Output, hide: (text: string) => string): EventWriter {
  return (event) => {
    out(`${hide(JSON.stringify(event, (_key, value) => plainError(value)))}\n`);
  };
}

/** Number of last characters that decide the gap before the next text. */
const TAIL = 3;
/** Most characters of thoughts that are shown, and of one line of them. */
const MAX_THOUGHTS = 20_000;
const MAX_THOUGHT = 2_000;

/**
 * Writes the model's text to stdout, without control characters and with a blank line between the
 * texts of different requests. Everything else goes to stderr in lines. Text of subagents is left
 * out. Thoughts are written only if there is no answer besides them. `progress` shows a line that the next
 * line replaces. `facts`: the currency of the prices, and the servers without which the turn begins.
 */
export function textWriter(
  { out, note }: Output,
  progress: (line: string) => void = () => {},
  facts: () => TurnFacts = () => ({}),
): EventWriter {
  let written = '';
  let isNewRequest = false;
  /** What the turn before began with. */
  let known = '';
  /** Thoughts of a request without an answer. */
  let thoughts: string | undefined = '';
  const write = (text: string): void => {
    if (text === '') return;
    out(text);
    written = `${written}${text}`.slice(-TAIL);
  };
  let [own, subagents] = [NOTHING_SPENT, NOTHING_SPENT];
  return (event) => {
    // Any other event replaces the line about a tool's progress.
    progress(progressLine(event) ?? '');
    if (event.type === 'text') {
      const text = event.text.replace(/[^\P{Cc}\n\t]/gu, '');
      write(isNewRequest ? gapBetween(written, text) + text : text);
      if (text.trim() !== '') [isNewRequest, thoughts] = [false, undefined];
      return;
    }
    if (event.type === 'reasoning' && thoughts !== undefined) thoughts += event.text;
    if (event.type === 'request') thoughts = '';
    if (event.type === 'request' || event.type === 'discarded') isNewRequest = true;
    if (event.type === 'subagent') subagents = withUsage(subagents, event);
    else own = withUsage(own, event);
    // The reason of a strategy has figures, which change with each turn.
    const start = event.type === 'start' && `${event.model} ${event.role} ${event.strategy}`;
    const lines = start && start === known ? [] : eventLines(event);
    known = start || known;
    const isBreak = lines.length > 0 || event.type === 'request' || event.type === 'end';
    if (isBreak && written !== '' && !written.endsWith('\n')) write('\n');
    for (const line of lines) note(line);
    if (event.type !== 'end') return;
    if (event.reason === 'done' && thoughts?.trim()) {
      note('The model wrote thoughts and no answer:');
      for (const line of thoughts.slice(-MAX_THOUGHTS).trim().split('\n'))
        note(`  ${oneLine(line, MAX_THOUGHT)}`);
    }
    if (own.input > 0) note(totals(own, subagents, facts()));
    [own, subagents, written, isNewRequest] = [NOTHING_SPENT, NOTHING_SPENT, '', false];
    thoughts = '';
  };
}

/** The tokens and the cost of a turn. The cost is shown only if a price is known. */
function totals(own: Spending, subagents: Spending, { currency, missing = [] }: TurnFacts): string {
  const all = plus(own, subagents);
  const cost = costText(all, currency);
  const parts = [
    countsOf(own, '; '),
    ...(subagents.requests === 0 ? [] : [`subagents: ${countsOf(subagents, ', ')}`]),
    ...(cost === undefined ? [] : [`cost: ${cost}`]),
    ...(missing.length === 0 ? [] : [`begun without the tools of ${missing.join(', ')}`]),
  ];
  return `${all.estimated === 0 ? 'Tokens' : 'Tokens, some of them estimated'}: ${parts.join('; ')}.`;
}

function countsOf({ input, cacheRead, cacheWrite, output }: Spending, gap: string): string {
  const written = cacheWrite === 0 ? '' : ` and ${formatNumber(cacheWrite)} written to it`;
  return `${formatNumber(input)} sent, ${formatNumber(cacheRead)} of them read from the cache${written}${gap}${formatNumber(output)} received`;
}

function plainError(value: unknown): unknown {
  return value instanceof Error ? { name: value.name, message: value.message } : value;
}
