import { isNotePart } from '@toolfold/ai-sdk/internal/metadata';
import type { LanguageModelV4StreamPart } from '@toolfold/ai-sdk/internal/protocol';
import { plainOutput } from '@toolfold/ai-sdk/internal/results';
import { parsedJson, pick } from '@toolfold/core/internal/tools/values';
import type { AnswerParts, Content, Kinds } from '../entries/index.ts';
import type { AgentEvent } from '../events/index.ts';
import { callEvent, type ShownCall, type ToolFacts } from './call-event.ts';

type Part = LanguageModelV4StreamPart;
type TextPart = Extract<Part, { type: `${'text' | 'reasoning'}-${'start' | 'delta' | 'end'}` }>;
type Options = Extract<Content, { type: 'text' }>['providerOptions'];

interface Block {
  type: 'text' | 'reasoning';
  text: string;
  providerOptions?: NonNullable<Options>;
}

/** The answer to one request, as far as the model's stream has brought it: what is sent back, and what is shown of it. */
export class ReceivedAnswer {
  /** How often its request was sent. */
  attempt: number;
  readonly #content: (Content | Block)[] = [];
  readonly #blocks = new Map<string, Block>();
  /** The arguments of calls that are being written, by call id: the part that is not shown yet. */
  readonly #held = new Map<string, { readonly name: string; text: string }>();
  /** The raw text of arguments that are no JSON object, by call id. */
  readonly inputs: Record<string, string> = {};
  /** The calls that are shown. */
  readonly shown: ShownCall[] = [];
  /** The texts as they were shown: of several blocks in the order in which their pieces came. */
  text = '';
  reasoning = '';
  /** Why the stream broke off. */
  error: unknown;

  constructor(attempt = 0) {
    this.attempt = attempt;
  }

  /** The parts received so far in the form of the SDK's messages, without empty texts. */
  get parts(): AnswerParts {
    return this.#content.filter(
      (part) => part.type !== 'text' || part.text !== '' || part.providerOptions !== undefined,
    );
  }

  /** Toolfold's note in the answer. */
  get note(): Content | undefined {
    return this.#content.find(isNotePart);
  }

  /** Names of the calls that are shown, by id. A call is a draft until its entry. */
  get calls(): ReadonlyMap<string, string> {
    return new Map(this.shown.map(({ event: { id, name } }) => [id, name]));
  }

  /** Takes the next part, and returns the events that show it. */
  take(part: Part, tools: ToolFacts): readonly AgentEvent[] {
    switch (part.type) {
      case 'text-start':
      case 'text-delta':
      case 'text-end':
      case 'reasoning-start':
      case 'reasoning-delta':
      case 'reasoning-end':
        return this.#takeText(part);
      case 'custom':
      case 'file':
      case 'reasoning-file': {
        const { providerMetadata: _, ...content } = part;
        this.#content.push({ ...content, ...optionsOf(part) } as Content);
        return [];
      }
      case 'tool-input-start':
        // The input of a bridge tool is not the arguments of a real tool.
        if (tools.isReal(part.toolName)) this.#held.set(part.id, { name: part.toolName, text: '' });
        return [];
      case 'tool-input-delta':
        return this.#takeInput(part.id, part.delta);
      case 'tool-call': {
        const { type, toolCallId, toolName, input: text } = part;
        const input = objectIn(text);
        if (!input) this.inputs[toolCallId] = text;
        // Text that is not a JSON object becomes `{}`, as in the SDK.
        const call = { type, toolCallId, toolName, input: input ?? {} };
        this.#content.push({ ...call, ...pick(part, 'providerExecuted'), ...optionsOf(part) });
        this.#held.delete(toolCallId);
        const shown = callEvent(part, tools);
        if (!shown) return [];
        this.shown.push(shown);
        return [shown.event];
      }
      case 'tool-result': {
        // The provider ran the tool, so the result is part of the answer.
        const { toolCallId, toolName, result, isError } = part;
        const output = isError
          ? { type: 'error-json' as const, value: result }
          : plainOutput(result);
        const content = { type: 'tool-result' as const, toolCallId, toolName, output };
        this.#content.push({ ...content, ...optionsOf(part) } as Content);
        return [];
      }
      case 'error':
        this.error = part.error;
        return [];
      default:
        return [];
    }
  }

  #takeText(part: TextPart): AgentEvent[] {
    const type = part.type.startsWith('text') ? 'text' : 'reasoning';
    const key = `${type} ${part.id}`;
    const isStart = part.type.endsWith('-start');
    const text = 'delta' in part ? part.delta : '';
    let block = isStart ? undefined : this.#blocks.get(key);
    // A text without a start is shown, so it is kept. An end alone is nothing.
    if (!block && (isStart || text !== '')) {
      block = { type, text: '' };
      this.#blocks.set(key, block);
      this.#content.push(block);
    }
    if (block) Object.assign(block, optionsOf(part), { text: block.text + text });
    this[type] += text;
    return text === '' ? [] : [{ type, text }];
  }

  /**
   * A part of the arguments of a call. Each is held until the next one comes, and the last one is dropped: it may be
   * the whole text of a call that could only be read at its end, and the `call` event follows at once.
   */
  #takeInput(id: string, delta: string): AgentEvent[] {
    const open = this.#held.get(id);
    if (!open) return [];
    const { name, text } = open;
    open.text = delta;
    return text === '' ? [] : [{ type: 'call-delta', id, name, text }];
  }
}

/** What is withdrawn of an answer, with the names of calls by id. Undefined if there is nothing. */
export function withdrawalOf({
  text,
  reasoning,
  calls,
}: Pick<ReceivedAnswer, 'text' | 'reasoning' | 'calls'>): Kinds['interrupted']['withdrawn'] {
  if (text === '' && reasoning === '' && calls.size === 0) return;
  return {
    ...(text === '' ? {} : { text }),
    ...(reasoning === '' ? {} : { reasoning }),
    ...(calls.size === 0 ? {} : { calls: [...calls].map(([id, name]) => ({ id, name })) }),
  };
}

function objectIn(text: string): object | undefined {
  const input = parsedJson(text);
  return typeof input === 'object' && input !== null ? input : undefined;
}

function optionsOf({ providerMetadata }: { readonly providerMetadata?: Options }): {
  providerOptions?: NonNullable<Options>;
} {
  return providerMetadata ? { providerOptions: providerMetadata } : {};
}
