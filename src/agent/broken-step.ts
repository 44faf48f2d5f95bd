import type {
  AssistantModelMessage,
  ModelMessage,
  TextStreamPart,
  ToolModelMessage,
  ToolSet,
} from 'ai';
import { plainOutput } from '../ai-sdk/model-output.ts';
import { errorMessage } from '../errors.ts';

type Part = TextStreamPart<ToolSet>;
type Content = Exclude<AssistantModelMessage['content'], string>[number];
type Result = ToolModelMessage['content'][number];
type Options = Extract<Content, { type: 'text' }>['providerOptions'];

/**
 * Gathers one step from its stream, for the case that it breaks off: a tool that has run must not be
 * forgotten, or the model would have it run again.
 */
export class BrokenStep {
  #content: Content[] = [];
  #results: Result[] = [];
  /** What tools returned, by call, before it is put into the form that a model is shown. */
  readonly #outputs = new Map<string, { readonly input: unknown; readonly output: unknown }>();
  readonly #open = new Map<
    string,
    { type: 'text' | 'reasoning'; text: string; options: Options }
  >();

  take(part: Part): void {
    switch (part.type) {
      case 'custom':
        this.#content.push({ type: 'custom', kind: part.kind, ...optionsOf(part) });
        return;
      case 'text-start':
      case 'reasoning-start': {
        const type = part.type === 'text-start' ? 'text' : 'reasoning';
        this.#open.set(`${type} ${part.id}`, { type, text: '', options: part.providerMetadata });
        return;
      }
      case 'text-delta':
      case 'reasoning-delta':
        this.#grow(`${part.type.slice(0, -6)} ${part.id}`, part.text, part.providerMetadata);
        return;
      case 'text-end':
      case 'reasoning-end':
        this.#close(`${part.type.slice(0, -4)} ${part.id}`, part.providerMetadata);
        return;
      case 'tool-call': {
        const { toolCallId, toolName, input } = part;
        this.#content.push({ type: 'tool-call', toolCallId, toolName, input, ...optionsOf(part) });
        return;
      }
      case 'tool-result':
      case 'tool-error': {
        const { toolCallId, toolName } = part;
        const output: Extract<Result, { type: 'tool-result' }>['output'] =
          part.type === 'tool-result'
            ? plainOutput(part.output)
            : { type: 'error-text', value: errorMessage(part.error) };
        const result = { type: 'tool-result' as const, toolCallId, toolName, output };
        this.#results.push({ ...result, ...optionsOf(part) });
        if (part.type === 'tool-result')
          this.#outputs.set(toolCallId, { input: part.input, output: part.output });
        return;
      }
    }
  }

  /** Everything up to here is in the messages that the next step begins with. */
  clear(): void {
    this.#content = [];
    this.#results = [];
    this.#outputs.clear();
    this.#open.clear();
  }

  /** Puts results into the form that their tools want a model to be shown, as the SDK would have. */
  async show(tools: ToolSet): Promise<void> {
    for (const result of this.#results) {
      if (result.type !== 'tool-result') continue;
      const { toolCallId, toolName } = result;
      const given = this.#outputs.get(toolCallId);
      const { toModelOutput: show } = (Object.hasOwn(tools, toolName) && tools[toolName]) || {};
      if (!given || !show) continue;
      try {
        Object.assign(result, { output: await show({ toolCallId, ...given }) });
      } catch (error) {
        const value = `The result cannot be shown: ${errorMessage(error)}`;
        Object.assign(result, { output: { type: 'error-text', value } });
      }
    }
    this.#outputs.clear();
  }

  /** The step as messages, where a tool has run in it; calls that have not are left open. */
  messages(): ModelMessage[] {
    if (this.#results.length === 0) return [];
    const results: ModelMessage = { role: 'tool', content: this.#results };
    // Approved calls run before there is any step.
    if (this.#content.length === 0) return [results];
    return [{ role: 'assistant', content: this.#content }, results];
  }

  /** Whether the step has a call that has come to nothing yet. */
  isOpen(toolCallId: string): boolean {
    const isIt = (part: { readonly type: string; readonly toolCallId?: string }) =>
      part.toolCallId === toolCallId;
    return this.#content.some(isIt) && !this.#results.some(isIt);
  }

  #grow(key: string, text: string, options: Options): void {
    const block = this.#open.get(key);
    if (!block) return;
    block.text += text;
    block.options = options ?? block.options;
  }

  #close(key: string, options: Options): void {
    this.#grow(key, '', options);
    const block = this.#open.get(key);
    this.#open.delete(key);
    if (!block || (block.text === '' && block.type === 'text')) return;
    const { type, text, options: providerOptions } = block;
    this.#content.push({ type, text, ...(providerOptions ? { providerOptions } : {}) });
  }
}

function optionsOf({ providerMetadata }: { readonly providerMetadata?: Options }): {
  providerOptions?: NonNullable<Options>;
} {
  return providerMetadata ? { providerOptions: providerMetadata } : {};
}
