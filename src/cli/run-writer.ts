import type { AgentEvent } from '../agent/index.ts';
import { errorMessage } from '../errors.ts';
import { callLine, oneLine } from './call-line.ts';
import { figure } from './figures.ts';
import type { Terminal } from './terminal.ts';

type EventWriter = (event: AgentEvent) => void;
type Output = Pick<Terminal, 'out' | 'note'>;

/** Characters of one line on stderr. */
const MAX_LINE = 300;

/** Every event as a line of JSON on stdout, errors as their name and message; `hide` takes secrets out. */
export function jsonWriter({ out }: Output, hide: (text: string) => string): EventWriter {
  return (event) => {
    out(`${hide(JSON.stringify(event, (_key, value) => plainError(value)))}\n`);
  };
}

/**
 * The model's text on stdout, without control characters and each step on a line of its own;
 * everything else in lines on stderr.
 */
export function textWriter({ out, note }: Output): EventWriter {
  let isLineOpen = false;
  const tokens = { input: 0, cacheRead: 0, output: 0 };
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
    if (event.type === 'usage') {
      tokens.input += event.input;
      tokens.cacheRead += event.cacheRead;
      tokens.output += event.output;
    }
    const line = lineOf(event);
    if (line !== undefined || event.type === 'request' || event.type === 'end') endLine();
    if (line !== undefined) note(oneLine(line, MAX_LINE));
    if (event.type !== 'end' || tokens.input === 0) return;
    const { input, cacheRead, output } = tokens;
    note(
      `Tokens: ${figure(input)} sent, ${figure(cacheRead)} of them read from the cache; ${figure(output)} received.`,
    );
  };
}

/** What people are told of an event; nothing of most. */
function lineOf(event: AgentEvent): string | undefined {
  switch (event.type) {
    case 'start': {
      const role = event.role === undefined ? '' : `, role ${event.role}`;
      return `${event.model}${role}, strategy ${event.strategy}: ${event.reason}`;
    }
    case 'preload':
      return `Handed over: ${event.tools.join(', ')}`;
    case 'load':
      return `Loaded of ${event.group}: ${event.tools.join(', ')}`;
    case 'call':
      return `Call: ${callLine(event.name, event.arguments, MAX_LINE)}`;
    case 'failure':
      return `Failed: ${event.name}: ${event.error}`;
    case 'warning':
      return `Warning: ${event.text}`;
    case 'rounds':
      return `No rounds of tools are left: the limit is ${event.limit} (maxRounds in the configuration).`;
    case 'end':
      return endLineOf(event);
    default:
      return;
  }
}

function endLineOf({ reason, error }: Extract<AgentEvent, { type: 'end' }>): string | undefined {
  if (reason === 'error') return `toolfold: ${errorMessage(error)}`;
  if (reason === 'length') return "toolfold: The answer was cut off at the model's limit.";
  return reason === 'cancelled' ? 'Cancelled.' : undefined;
}

function plainError(value: unknown): unknown {
  return value instanceof Error ? { name: value.name, message: value.message } : value;
}
