import { answerOf, callAgain, readStamp, type Stamp, textOf } from '../../host/index.ts';
import type { LanguageModelV4Prompt } from '../protocol/index.ts';
import { isNotRunBySdk, isUnknownToSdk } from '../results/index.ts';

type Output = Extract<
  Extract<LanguageModelV4Prompt[number], { role: 'tool' }>['content'][number],
  { type: 'tool-result' }
>['output'];

export interface Unanswered {
  /** Error texts by call id, without those that Toolfold stamped on the call. */
  readonly errors: Readonly<Record<string, string>>;
  /** Outputs by call id of tools that have their own `toModelOutput`. */
  readonly outputs: Readonly<Record<string, Output>>;
  /** Calls that were refused: by the user, by the SDK if its set is a copy, or by Toolfold. */
  readonly refused: readonly {
    readonly id: string;
    readonly name: string;
    readonly wireName: string;
    readonly error: string;
    /** Toolfold refused the call and has already reported it. */
    readonly isOurs: boolean;
  }[];
}

/** Reads the tool results that no response has answered yet. */
export function unanswered(
  prompt: LanguageModelV4Prompt,
  hasOwnOutput: (toolName: string) => boolean,
): Unanswered {
  const last = prompt.findLastIndex((message) => message.role === 'assistant');
  const caller = prompt[last];
  const calls = new Map<string, { stamp: Stamp; input: unknown }>();
  for (const part of caller?.role === 'assistant' ? caller.content : []) {
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
      const common = { id, name, wireName: call?.stamp.n ?? name, isOurs };
      if (output.type === 'execution-denied') refused.push({ ...common, error: 'denied' });
      else if (isOurs) continue;
      else if (isUnknownToSdk(output, name)) {
        refused.push({ ...common, error: 'call_again' });
        errors.push([id, textOf(callAgain(name))]);
      } else if (hasOwnOutput(name)) outputs.push([id, output]);
      else if (output.type === 'error-text') errors.push([id, output.value]);
    }
  }
  return { errors: Object.fromEntries(errors), outputs: Object.fromEntries(outputs), refused };
}
