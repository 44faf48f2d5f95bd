import { answerOf, callAgain, type Stamp, textOf } from '@toolfold/core/internal/host';
import type { LanguageModelV4Message, LanguageModelV4ToolResultOutput } from '../protocol/index.ts';
import { isNotRunBySdk, isUnknownToSdk } from '../results/index.ts';
import type { ReadMessage } from './messages/index.ts';

export interface Unanswered {
  /** Error texts by call id, without those that Toolfold stamped on the call. */
  readonly errors: Readonly<Record<string, string>>;
  /** Outputs by call id of tools that have their own `toModelOutput`. */
  readonly outputs: Readonly<Record<string, LanguageModelV4ToolResultOutput>>;
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
  prompt: readonly ReadMessage<LanguageModelV4Message>[],
  hasOwnOutput: (toolName: string) => boolean,
): Unanswered {
  const last = prompt.findLastIndex(({ message }) => message.role === 'assistant');
  const calls = new Map<string, { stamp: Stamp; input: unknown }>();
  for (const { part, written } of prompt[last]?.calls ?? [])
    if (written) calls.set(part.toolCallId, { stamp: written.stamp, input: part.input });
  const errors: [string, string][] = [];
  const outputs: [string, LanguageModelV4ToolResultOutput][] = [];
  const refused: Unanswered['refused'][number][] = [];
  for (const { message } of prompt.slice(last + 1)) {
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
