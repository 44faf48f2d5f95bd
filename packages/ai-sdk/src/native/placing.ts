import type { Delivery } from '@toolfold/core/internal/tools/epoch';
import type { ToolDefinition } from '@toolfold/core/internal/tools/tool';
import { ownProperty } from '@toolfold/core/internal/tools/values';
import type {
  LanguageModelV4Message,
  LanguageModelV4ToolCallPart,
  LanguageModelV4ToolResultOutput,
} from '../protocol/index.ts';
import type { LoaderResult, NativeWriter } from './writer.ts';

/**
 * Places the appended tools of a request in its prompt. The caller walks the prompt from the beginning
 * and asks first for each result, then for the messages before the next assistant message.
 */
export class Placing {
  readonly #writer: NativeWriter;
  readonly #deliveries: readonly Delivery[];
  readonly #byCall: ReadonlyMap<string, Delivery>;
  /** Deliveries whose tools are inside the result itself. */
  readonly #inResults = new Set<Delivery>();
  /** Namespace by tool name. */
  readonly #namespaces = new Map<string, string>();
  #remarks: string[] = [];
  readonly #streamsInput: boolean;
  #isFirst = true;

  constructor(writer: NativeWriter, deliveries: readonly Delivery[], streamsInput: boolean) {
    this.#streamsInput = streamsInput;
    this.#writer = writer;
    this.#deliveries = deliveries;
    this.#byCall = new Map(
      deliveries.flatMap((delivery) =>
        delivery.callId === undefined ? [] : [[delivery.callId, delivery] as const],
      ),
    );
  }

  /** Whether tools may be appended between any two messages. */
  get isAnywhere(): boolean {
    return this.#writer.append.anywhere === true;
  }

  /** The wire form of a bridge tool's result. */
  result(id: string, given: Omit<LoaderResult, 'delivery'>): LanguageModelV4ToolResultOutput {
    const delivery = this.#byCall.get(id);
    const written = this.#writer.searchOutput?.({ ...given, delivery });
    if (written) {
      if (delivery) this.#inResults.add(delivery);
      for (const { name } of delivery?.tools ?? [])
        if (written.namespace !== undefined) this.#namespaces.set(name, written.namespace);
      if (written.remarks !== undefined) this.#remarks.push(written.remarks);
      return written.output;
    }
    if (!delivery?.result) return given.output;
    return { type: 'json', value: delivery.result as never };
  }

  /** Whether the result of this call delivers tools itself. Asked after `result`. */
  holdsTools(id: string): boolean {
    const delivery = this.#byCall.get(id);
    return delivery !== undefined && delivery.tools.length > 0 && this.#inResults.has(delivery);
  }

  /** The wire form of a call. OpenAI requires the namespace, which a call of another model does not have. */
  call(part: LanguageModelV4ToolCallPart): LanguageModelV4ToolCallPart {
    const namespace = this.#namespaces.get(part.toolName);
    const { providerOptions } = part;
    if (namespace === undefined || ownProperty(providerOptions?.openai, 'namespace') !== undefined)
      return part;
    const openai = { ...providerOptions?.openai, namespace };
    return { ...part, providerOptions: { ...providerOptions, openai } };
  }

  /** The messages to insert before the message at this index, or at the end. */
  messagesAt(position: number): LanguageModelV4Message[] {
    const remarks = this.#remarks.map(
      (text): LanguageModelV4Message => ({ role: 'user', content: [{ type: 'text', text }] }),
    );
    this.#remarks = [];
    const here = this.#deliveries.filter(
      (delivery) => delivery.position === position && !this.#inResults.has(delivery),
    );
    // If one step delivered two versions of a tool, the later one counts.
    const tools = new Map<string, ToolDefinition>();
    for (const tool of here.flatMap((delivery) => delivery.tools)) tools.set(tool.name, tool);
    const add = this.#writer.messages;
    if (tools.size === 0 || !add) return remarks;
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    const place = { isFirst, streamsInput: this.#streamsInput };
    return [...remarks, ...add([...tools.values()], place)];
  }
}
