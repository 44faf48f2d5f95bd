import type { LanguageModelV4Prompt } from '@ai-sdk/provider';
import { readStamp, type Stamp } from './stamp.ts';

export interface Unanswered {
  /** Error texts by call id, less those that Toolfold stamped on the call. */
  readonly errors: Readonly<Record<string, string>>;
  /** Calls that somebody denied. */
  readonly denied: readonly {
    readonly id: string;
    readonly name: string;
    readonly wireName: string;
  }[];
}

/** What the results say that no response has answered yet. */
export function unanswered(prompt: LanguageModelV4Prompt): Unanswered {
  const last = prompt.findLastIndex((message) => message.role === 'assistant');
  const asked = prompt[last];
  const stamps = new Map<string, Stamp | undefined>();
  for (const part of asked?.role === 'assistant' ? asked.content : []) {
    if (part.type === 'tool-call') stamps.set(part.toolCallId, readStamp(part.providerOptions));
  }
  const errors: [string, string][] = [];
  const denied: { id: string; name: string; wireName: string }[] = [];
  for (const message of prompt.slice(last + 1)) {
    for (const part of message.role === 'tool' ? message.content : []) {
      if (part.type !== 'tool-result') continue;
      const { toolCallId: id, toolName: name, output } = part;
      const stamp = stamps.get(id);
      if (output.type === 'execution-denied') denied.push({ id, name, wireName: stamp?.n ?? name });
      if (output.type === 'error-text' && stamp?.e === undefined) errors.push([id, output.value]);
    }
  }
  return { errors: Object.fromEntries(errors), denied };
}
