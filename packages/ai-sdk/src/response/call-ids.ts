import { KEY, readStamp, type Stamp } from '@toolfold/core/internal/host';
import { ownProperty } from '@toolfold/core/internal/values';
import { unusedId } from '../messages/index.ts';
import type {
  LanguageModelV4Content,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
  LanguageModelV4ToolCall,
} from '../protocol/index.ts';

type StreamPart = LanguageModelV4StreamPart;

/** The calls so far. */
interface SeenCalls {
  readonly used: Set<string>;
  /** By the id that the provider gave: whether the last such call is not run by the provider. */
  readonly isOurs: Map<string, boolean>;
}

/** A call whose parts arrive. */
interface Arriving {
  /** The id that the provider gave it. */
  readonly given: string;
  /** The id by which everybody else knows it. */
  readonly id: string;
  hasEnded: boolean;
}

/**
 * The ids of the calls of one model call. A provider may use an id again, in one answer or in a later one, or give
 * none: policy, results and approvals would then be those of another call. Such a call gets an id of its own, and
 * the stamp keeps the one that the provider gave (`i`).
 */
export class CallIds {
  readonly #prompt: LanguageModelV4Prompt;
  readonly #isUsed: (id: string) => boolean;
  #known: SeenCalls | undefined;

  /** `prompt`: the messages of the request. `isUsed`: whether a call had the id whose messages are gone. */
  constructor(prompt: LanguageModelV4Prompt, isUsed: (id: string) => boolean) {
    this.#prompt = prompt;
    this.#isUsed = isUsed;
  }

  /** The parts of one response, with an id of its own for each call. */
  async *ofStream(parts: AsyncIterable<StreamPart>): AsyncGenerator<StreamPart> {
    const arriving: Arriving[] = [];
    let count = 0;
    const begin = (given: string): Arriving => {
      const call = { given, id: this.#take(given), hasEnded: false };
      arriving.push(call);
      return call;
    };
    for await (const part of parts) {
      switch (part.type) {
        case 'tool-input-start':
          yield part.providerExecuted ? part : { ...part, id: begin(part.id ?? '').id };
          break;
        case 'tool-input-delta':
        case 'tool-input-end': {
          // Where two calls with one id arrive side by side, the pieces are those of the second, and the first ends first.
          const open = arriving.filter((call) => call.given === (part.id ?? '') && !call.hasEnded);
          const call = part.type === 'tool-input-end' ? open[0] : open.at(-1);
          if (call && part.type === 'tool-input-end') call.hasEnded = true;
          yield call ? { ...part, id: call.id } : part;
          break;
        }
        case 'tool-call': {
          if (part.providerExecuted) {
            this.#take(part.toolCallId, false);
            yield part;
            break;
          }
          const given = part.toolCallId ?? '';
          const at = arriving.findIndex((call) => call.given === given);
          const { id } = arriving[at] ?? begin(given);
          arriving.splice(at, 1);
          yield withId(part, id, count++);
          break;
        }
        default:
          if (!this.#isResultOfOurs(part)) yield part;
      }
    }
  }

  /** The content of one response, with an id of its own for each call. */
  ofContent(content: readonly LanguageModelV4Content[]): LanguageModelV4Content[] {
    let count = 0;
    return content.flatMap((part): LanguageModelV4Content[] => {
      if (part.type !== 'tool-call') return this.#isResultOfOurs(part) ? [] : [part];
      const id = this.#take(part.toolCallId ?? '', !part.providerExecuted);
      return [part.providerExecuted ? part : withId(part, id, count++)];
    });
  }

  /** An unused id for a call with this one. That of a call which the provider runs is the provider's. */
  #take(given: string, isOurs = true): string {
    const { used, isOurs: known } = this.#read();
    const has = (id: string) => used.has(id) || this.#isUsed(id);
    const id = isOurs ? unusedId(given, { has }) : given;
    used.add(id);
    for (const name of [given, id]) known.set(name, isOurs);
    return id;
  }

  /** Whether this is a result that the provider gives for a call which it does not run. That call has its own result. */
  #isResultOfOurs(part: LanguageModelV4Content | StreamPart): boolean {
    return part.type === 'tool-result' && this.#read().isOurs.get(part.toolCallId ?? '') === true;
  }

  /** The calls so far. The messages are read with the first call. */
  #read(): SeenCalls {
    if (this.#known) return this.#known;
    const used = new Set<string>();
    const isOurs = new Map<string, boolean>();
    for (const { role, content } of this.#prompt) {
      if (role !== 'assistant') continue;
      for (const part of content) {
        if (part.type !== 'tool-call') continue;
        const { toolCallId: id, providerExecuted, providerOptions } = part;
        const stamp = readStamp(providerOptions);
        used.add(id);
        for (const name of [id, stamp?.i ?? id])
          isOurs.set(name, providerExecuted !== true || stamp?.k !== undefined);
      }
    }
    this.#known = { used, isOurs };
    return this.#known;
  }
}

/** The call with its own id. If the provider gave another one, a stamp keeps that. `at`: its place among the calls. */
function withId(call: LanguageModelV4ToolCall, id: string, at: number): LanguageModelV4ToolCall {
  const { toolCallId: given = '', toolName, input, providerMetadata } = call;
  if (id === given) return call;
  const stamp: Stamp = { n: toolName, r: input, o: at, i: given };
  return {
    ...call,
    toolCallId: id,
    providerMetadata: { ...providerMetadata, [KEY]: { ...stamp } },
  };
}

/** The id that the provider gave to a call, if it is not the one of the call. */
export function givenId({ providerMetadata }: LanguageModelV4ToolCall): Pick<Stamp, 'i'> {
  const i = ownProperty(ownProperty(providerMetadata, KEY), 'i');
  return typeof i === 'string' ? { i } : {};
}
