import type {
  LanguageModelV4Message,
  LanguageModelV4ToolResultOutput,
  LanguageModelV4ToolResultPart,
} from '@ai-sdk/provider';
import {
  answerOf,
  callAgain,
  KEY,
  readInput,
  readStamp,
  type Stamp,
  textOf,
  withoutStamp,
} from '../../host/index.ts';
import { callSignature } from '../../tools/transcript/index.ts';
import { isRecord, own } from '../../tools/values/index.ts';
import type { Placing } from '../native/index.ts';
import {
  isNotRunBySdk,
  isUnknownToSdk,
  mcpOutput,
  readOutput,
  wellFormed,
} from '../results/index.ts';
import { isError } from './transcript.ts';

type AssistantMessage = Extract<LanguageModelV4Message, { role: 'assistant' }>;
type ToolMessage = Extract<LanguageModelV4Message, { role: 'tool' }>;

/** Frames what a third-party tool returned as data; undefined where it is not third-party. */
export type Frame = (toolName: string, text: string) => string | undefined;

interface ExpectedCall {
  readonly order: number;
  readonly toolName: string;
  readonly input: unknown;
  readonly wireName: string;
  readonly signature: string;
  readonly stamp: Stamp | undefined;
}

/** What was sent of results, by call id. */
export interface KeptResults {
  readonly errors: ReadonlyMap<string, string>;
  readonly outputs: ReadonlyMap<string, LanguageModelV4ToolResultOutput>;
}

/** The SDK's words for a denial without a reason, as its UI route sends them. */
export const DENIED = 'Tool call execution denied.';

/** Puts tool results into the form the model is sent, walking a prompt from its beginning. */
export class WireResults {
  readonly #frame: Frame | undefined;
  readonly #placing: Placing | undefined;
  readonly #calls = new Map<string, ExpectedCall>();
  readonly #failures = new Map<string, number>();

  constructor(frame: Frame | undefined, placing?: Placing) {
    this.#frame = frame;
    this.#placing = placing;
  }

  /** Takes note of the calls whose results come next. */
  expect(message: AssistantMessage): void {
    for (const part of message.content) {
      if (part.type !== 'tool-call') continue;
      const stamp = readStamp(part.providerOptions);
      const wireName = stamp?.n ?? part.toolName;
      this.#calls.set(part.toolCallId, {
        order: this.#calls.size,
        toolName: part.toolName,
        input: part.input,
        wireName,
        signature: callSignature(wireName, stamp ? readInput(stamp.r) : part.input),
        stamp,
      });
    }
  }

  /** The message in the order of the calls, which not every route keeps. */
  restore(message: ToolMessage, kept: KeptResults): ToolMessage {
    const results = message.content
      .filter((part) => part.type === 'tool-result')
      .map((part) => ({ part, order: this.#calls.get(part.toolCallId)?.order ?? this.#calls.size }))
      .sort((a, b) => a.order - b.order);
    const others = message.content.filter((part) => part.type !== 'tool-result');
    return {
      ...message,
      content: [...others, ...results.map(({ part }) => this.#restorePart(part, kept))],
    };
  }

  #restorePart(
    part: LanguageModelV4ToolResultPart,
    { errors, outputs }: KeptResults,
  ): LanguageModelV4ToolResultPart {
    const call = this.#calls.get(part.toolCallId);
    if (!call) return part;
    const { stamp, signature, toolName, wireName, input } = call;
    if (!stamp) return { ...part, output: mended(this.#framed(part.output, toolName)) };
    const { providerOptions, ...rest } = part;
    const isUnread = isNotRunBySdk(part.output);
    const answer = answerOf(stamp, { name: toolName, input, isUnread });
    const kept = withoutStamp(providerOptions);
    const shown = own(own(part.providerOptions, KEY), 'm');
    const noted = outputs.get(part.toolCallId) ?? readOutput(shown);
    const given = noted ?? (stamp.f === 'mcp' ? asShown(part.output) : part.output);
    const plain = unify(given, answer ?? errors.get(part.toolCallId), toolName);
    // What Toolfold itself told the model counts repetitions already, and is nobody else's text.
    const told =
      answer === undefined ? this.#framed(this.#counted(plain, signature), toolName) : plain;
    const output = this.#placing?.result(part.toolCallId, { wireName, output: told }) ?? told;
    const restored = { ...rest, toolName: wireName, output: mended(output) };
    return kept ? { ...restored, providerOptions: kept } : restored;
  }

  /** A call that fails again as it failed before is told so, or the model will send it once more. */
  #counted(
    output: LanguageModelV4ToolResultOutput,
    signature: string,
  ): LanguageModelV4ToolResultOutput {
    if (!isError(output)) {
      this.#failures.delete(signature);
      return output;
    }
    const times = (this.#failures.get(signature) ?? 0) + 1;
    this.#failures.set(signature, times);
    if (times === 1 || own(contentOf(output), 'error') === 'repeated_call') return output;
    const again = `This exact call has now failed ${times} times. Change it, use another tool, or tell the user what is in the way.`;
    if (output.type === 'error-text') return { ...output, value: `${output.value}\n\n[${again}]` };
    const value = contentOf(output);
    return {
      type: 'error-json',
      value: isRecord(value) ? { ...value, next: again } : { error: value, next: again },
    } as LanguageModelV4ToolResultOutput;
  }

  #framed(
    output: LanguageModelV4ToolResultOutput,
    toolName: string,
  ): LanguageModelV4ToolResultOutput {
    const frame = (text: string) => this.#frame?.(toolName, text);
    switch (output.type) {
      case 'text':
      case 'error-text':
        return { ...output, value: frame(output.value) ?? output.value };
      case 'json': {
        const text = frame(JSON.stringify(output.value));
        return text === undefined ? output : { type: 'text', value: text };
      }
      case 'content': {
        const value = output.value.map((part) =>
          part.type === 'text' ? { ...part, text: frame(part.text) ?? part.text } : part,
        );
        return { ...output, value };
      }
      default:
        return output;
    }
  }
}

/** One form for denials and errors, whichever route they came by. */
function unify(
  output: LanguageModelV4ToolResultOutput,
  told: string | undefined,
  toolName: string,
): LanguageModelV4ToolResultOutput {
  if (!isError(output)) return output;
  const text = told ?? ownTextOf(output, toolName);
  const error = text === undefined ? output : { type: 'error-text' as const, value: text };
  if (error.type !== 'error-text') return error;
  // As JSON, or OpenAI's providers would send it with every quote escaped.
  const value = readInput(error.value);
  return isRecord(value)
    ? ({ type: 'error-json', value } as LanguageModelV4ToolResultOutput)
    : error;
}

/** The output without half characters, which providers refuse. */
function mended(output: LanguageModelV4ToolResultOutput): LanguageModelV4ToolResultOutput {
  switch (output.type) {
    case 'text':
    case 'error-text':
      return { ...output, value: output.value.toWellFormed() };
    case 'json':
    case 'error-json':
      return { ...output, value: wellFormed(output.value) };
    case 'content': {
      const value = output.value.map((part) =>
        part.type === 'text' ? { ...part, text: part.text.toWellFormed() } : part,
      );
      return { ...output, value };
    }
    default:
      return output;
  }
}

/** A result of MCP in the form that it has where the SDK knows its tool. */
function asShown(output: LanguageModelV4ToolResultOutput): LanguageModelV4ToolResultOutput {
  return output.type === 'json'
    ? (mcpOutput(output.value) as LanguageModelV4ToolResultOutput)
    : output;
}

/** What a denial comes to as text, and what stands in for the SDK's list of every tool. */
function ownTextOf(output: LanguageModelV4ToolResultOutput, toolName: string): string | undefined {
  if (output.type === 'execution-denied') return output.reason ?? DENIED;
  return isUnknownToSdk(output, toolName) ? textOf(callAgain(toolName)) : undefined;
}

function contentOf(output: LanguageModelV4ToolResultOutput): unknown {
  return 'value' in output ? output.value : undefined;
}
