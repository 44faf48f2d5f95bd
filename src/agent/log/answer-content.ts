import { isNotePart } from '../../ai-sdk/metadata/index.ts';
import type { LanguageModelV4StreamPart } from '../../ai-sdk/protocol/index.ts';
import { plainOutput } from '../../ai-sdk/results/index.ts';
import { parsedJson, pick } from '../../tools/values/index.ts';
import type { Content } from '../entries/index.ts';

type Part = LanguageModelV4StreamPart;
type Options = Extract<Content, { type: 'text' }>['providerOptions'];

interface Block {
  type: 'text' | 'reasoning';
  text: string;
  providerOptions?: NonNullable<Options>;
}

/** Collects the answer to one request from the model's stream, in the form of the SDK's messages. */
export class AnswerContent {
  readonly #content: (Content | Block)[] = [];
  readonly #open = new Map<string, Block>();
  /** The raw text of arguments that are no JSON object, by call id. */
  readonly inputs: Record<string, string> = {};

  /** The parts received so far, without empty texts. */
  get parts(): readonly Content[] {
    return this.#content.filter(
      (part) => part.type !== 'text' || part.text !== '' || part.providerOptions !== undefined,
    );
  }

  /** Toolfold's note in the answer. */
  get note(): Content | undefined {
    return this.#content.find(isNotePart);
  }

  take(part: Part): void {
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start': {
        const type = part.type === 'text-start' ? 'text' : 'reasoning';
        const block: Block = { type, text: '', ...optionsOf(part) };
        this.#open.set(`${type} ${part.id}`, block);
        this.#content.push(block);
        return;
      }
      case 'text-delta':
      case 'reasoning-delta':
        this.#append(`${part.type.slice(0, -6)} ${part.id}`, part, part.delta);
        return;
      case 'text-end':
      case 'reasoning-end':
        this.#append(`${part.type.slice(0, -4)} ${part.id}`, part);
        return;
      case 'custom':
      case 'file':
      case 'reasoning-file': {
        const { providerMetadata: _, ...content } = part;
        this.#content.push({ ...content, ...optionsOf(part) } as Content);
        return;
      }
      case 'tool-call': {
        const { type, toolCallId, toolName, input: text } = part;
        const input = objectIn(text);
        if (!input) this.inputs[toolCallId] = text;
        // Text that is not a JSON object becomes `{}`, as in the SDK.
        const call = { type, toolCallId, toolName, input: input ?? {} };
        this.#content.push({ ...call, ...pick(part, 'providerExecuted'), ...optionsOf(part) });
        return;
      }
      case 'tool-result': {
        // The provider ran the tool, so the result is part of the answer.
        const { toolCallId, toolName, result, isError } = part;
        const output = isError
          ? { type: 'error-json' as const, value: result }
          : plainOutput(result);
        const content = { type: 'tool-result' as const, toolCallId, toolName, output };
        this.#content.push({ ...content, ...optionsOf(part) } as Content);
        return;
      }
    }
  }

  #append(key: string, part: { readonly providerMetadata?: Options }, text = ''): void {
    const block = this.#open.get(key);
    if (!block) return;
    block.text += text;
    Object.assign(block, optionsOf(part));
  }
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
