import type { LanguageModelV4Prompt } from '@ai-sdk/provider';
import { answerOf, callAgain, readStamp, type Stamp, textOf } from '../../host/index.ts';
import { isNotRunBySdk, isUnknownToSdk } from '../results/index.ts';

type Output = Extract<
  Extract<LanguageModelV4Prompt[number], { role: 'tool' }>['content'][number],
  { type: 'tool-result' }
>['output'];

export interface Unanswered {
  /** Error texts by call id, less those that Toolfold stamped on the call. */
  readonly errors: Readonly<Record<string, string>>;
  /** What the model is shown of results, by call id, where only the tool itself can say it. */
  readonly outputs: Readonly<Record<string, Output>>;
  /** Calls that somebody else refused: the user, or the SDK where its set is a copy. */
  readonly refused: readonly {
    readonly id: string;
    readonly name: string;
    readonly wireName: string;
    readonly error: string;
    /** By Toolfold, which has told of it. */
    readonly isOurs: boolean;
  }[];
}

/** What the results say that no response has answered yet. */
export function unanswered(
  prompt: LanguageModelV4Prompt,
  hasOwnOutput: (toolName: string) => boolean,
): Unanswered {
  const last = prompt.findLastIndex((message) => message.role === 'assistant');
  const asked = prompt[last];
  const calls = new Map<string, { stamp: Stamp; input: unknown }>();
  for (const part of asked?.role === 'assistant' ? asked.content : []) {
    const stamp = part.type === 'tool-call' ? readStamp(part.providerOptions) : undefined;
    if (part.type === 'tool-call' && stamp)
      calls.set(part.toolCallId, { stamp, input: part.input });
  }
  const errors: [string, string][] = [];
  const outputs: [string, Output][] = [];
  const refused: Unanswered['refused'][number][] = [];
  for (const message of prompt.slice(last + 1)) {
    for (const part of message.role === 'tool' ? message.content : []) {
      if (part.type !== 'tool-result') continue;
      const { toolCallId: id, toolName: name, output } = part;
      const call = calls.get(id);
      const isUnread = isNotRunBySdk(output);
      const isOurs =
        call !== undefined &&
        answerOf(call.stamp, { name, input: call.input, isUnread }) !== undefined;
      const about = { id, name, wireName: call?.stamp.n ?? name, isOurs };
      if (output.type === 'execution-denied') refused.push({ ...about, error: 'denied' });
      else if (isOurs) continue;
      else if (isUnknownToSdk(output, name)) {
        refused.push({ ...about, error: 'call_again' });
        errors.push([id, textOf(callAgain(name))]);
      } else if (hasOwnOutput(name)) outputs.push([id, output]);
      else if (output.type === 'error-text') errors.push([id, output.value]);
    }
  }
  return { errors: Object.fromEntries(errors), outputs: Object.fromEntries(outputs), refused };
}
