import { readInput } from '@toolfold/core/internal/host';
import {
  callSignature,
  type TranscriptCall,
  type TranscriptMessage,
  type TranscriptResult,
} from '@toolfold/core/internal/tools/transcript';
import { isRecord } from '@toolfold/core/internal/tools/values';
import { isErrorOutput } from '../../results/index.ts';
import { type ReadCall, type ReadMessage, readMessages } from './read-messages.ts';
import { type SdkMessage, splitRounds } from './split-rounds.ts';

type ToolMessage = Extract<SdkMessage, { role: 'tool' }>;
type ResultPart = Extract<ToolMessage['content'][number], { type: 'tool-result' }>;
type Output = { readonly type: string; readonly value?: unknown };

/** The transcript of messages as the SDK has them. Each position in it is the index of a message. `isBridge`: see `splitRounds`. */
export function transcriptOf(
  messages: readonly SdkMessage[],
  isBridge: (name: string) => boolean,
): TranscriptMessage[] {
  return readMessages(splitRounds(messages, isBridge)).map(transcriptMessage);
}

/** What a message says about tools. */
export function transcriptMessage({
  message,
  calls,
  notes,
  isPlain,
}: ReadMessage): TranscriptMessage {
  if (isPlain) return PLAIN[message.role];
  if (message.role === 'tool') return { role: 'tool', results: resultsIn(message) };
  return { role: 'assistant', calls: transcriptCalls(calls), notes };
}

/** Messages that say nothing about tools. */
const PLAIN: Readonly<Record<SdkMessage['role'], TranscriptMessage>> = {
  system: { role: 'system' },
  user: { role: 'user' },
  assistant: { role: 'assistant' },
  tool: { role: 'tool', results: [] },
};

/** The calls in the order in which the model wrote them. UI messages do not keep this order. */
function transcriptCalls(calls: readonly ReadCall[]): readonly TranscriptCall[] {
  if (calls.length === 0) return calls as readonly never[];
  const orderOf = ({ written }: ReadCall) => written?.stamp.o ?? 0;
  return calls
    .filter(({ part }) => !part.providerExecuted)
    .sort((a, b) => orderOf(a) - orderOf(b))
    .map((call) => new CallOfPart(call));
}

/** A call in a transcript. Its input is read only if somebody asks: most conversations never compare inputs. */
class CallOfPart implements TranscriptCall {
  readonly id: string;
  readonly name: string;
  readonly #call: ReadCall;

  constructor(call: ReadCall) {
    this.#call = call;
    this.id = call.part.toolCallId;
    this.name = call.written?.stamp.n ?? call.part.toolName;
  }

  get input(): unknown {
    const { part, written } = this.#call;
    return written ? (written.searchArguments ?? written.input) : part.input;
  }

  get signature(): string {
    const { written } = this.#call;
    return written && written.searchArguments === undefined
      ? written.signature
      : callSignature(this.name, this.input);
  }
}

function resultsIn({ content }: ToolMessage): TranscriptResult[] {
  const results: TranscriptResult[] = [];
  for (const part of content) if (part.type === 'tool-result') results.push(new ResultOfPart(part));
  return results;
}

/** A result in a transcript. Its output is read only if somebody asks: only those of bridge tools say something. */
class ResultOfPart implements TranscriptResult {
  readonly id: string;
  readonly isError: boolean;
  readonly #output: Output;

  constructor({ toolCallId, output }: ResultPart) {
    this.id = toolCallId;
    this.isError = isErrorOutput(output);
    this.#output = output;
  }

  get output(): unknown {
    const { type, value } = this.#output;
    if (type !== 'text' && type !== 'error-text') return value;
    const read = readInput(String(value));
    return isRecord(read) ? read : value;
  }
}
