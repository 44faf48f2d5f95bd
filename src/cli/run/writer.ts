import type { AgentEvent, Spending } from '../../agent/index.ts';
import { Ledger, plus } from '../../agent/usage/index.ts';
import { figure, money, type Terminal } from '../terminal/index.ts';
import { eventLines } from './lines.ts';

type EventWriter = (event: AgentEvent) => void;
type Output = Pick<Terminal, 'out' | 'note'>;

/** Every event as a line of JSON on stdout, errors as their name and message; `hide` takes secrets out. */
export function jsonWriter({ out }: Output, hide: (text: string) => string): EventWriter {
  return (event) => {
    out(`${hide(JSON.stringify(event, (_key, value) => plainError(value)))}\n`);
  };
}

/**
 * The model's text on stdout, without control characters and each step on a line of its own;
 * everything else in lines on stderr. Of subagents what they do is told, not what they say.
 */
export function textWriter({ out, note }: Output): EventWriter {
  let isLineOpen = false;
  const own = new Ledger();
  const subagents = new Ledger();
  const endLine = (): void => {
    if (isLineOpen) out('\n');
    isLineOpen = false;
  };
  return (event) => {
    if (event.type === 'text') {
      const text = event.text.replace(/[^\P{Cc}\n\t]/gu, '');
      if (text === '') return;
      out(text);
      isLineOpen = !text.endsWith('\n');
      return;
    }
    (event.type === 'subagent' ? subagents : own).take(event);
    const lines = eventLines(event);
    if (lines.length > 0 || event.type === 'request' || event.type === 'end') endLine();
    for (const line of lines) note(line);
    if (event.type === 'end' && own.spent.input > 0) note(totals(own.spent, subagents.spent));
  };
}

/** What a turn has cost: in money only where a price is known. */
function totals(own: Spending, subagents: Spending): string {
  const { cost, requests, unpriced, estimated } = plus(own, subagents);
  const some = unpriced === 0 ? '' : 'at least ';
  const parts = [
    sentOf(own),
    receivedOf(own),
    ...(subagents.requests === 0
      ? []
      : [`subagents: ${sentOf(subagents)}, ${receivedOf(subagents)}`]),
    ...(unpriced === requests ? [] : [`cost: ${some}${money(cost)}`]),
  ];
  return `${estimated === 0 ? 'Tokens' : 'Tokens, some by our own count'}: ${parts.join('; ')}.`;
}

function sentOf({ input, cacheRead }: Spending): string {
  return `${figure(input)} sent, ${figure(cacheRead)} of them read from the cache`;
}

function receivedOf({ output }: Spending): string {
  return `${figure(output)} received`;
}

function plainError(value: unknown): unknown {
  return value instanceof Error ? { name: value.name, message: value.message } : value;
}
