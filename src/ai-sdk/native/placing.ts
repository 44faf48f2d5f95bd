import type {
  LanguageModelV4Message,
  LanguageModelV4ToolCallPart,
  LanguageModelV4ToolResultOutput,
} from '@ai-sdk/provider';
import type { Delivery } from '../../tools/epoch/index.ts';
import type { ToolDefinition } from '../../tools/tool/index.ts';
import { own } from '../../tools/values/index.ts';
import type { LoaderResult, NativeWriter } from './writer.ts';

/**
 * Puts what a request appends into its prompt, walking it from the beginning: results first, then,
 * before the next assistant message, what they brought.
 */
export class Placing {
  readonly #writer: NativeWriter;
  readonly #deliveries: readonly Delivery[];
  readonly #byCall: ReadonlyMap<string, Delivery>;
  /** Deliveries whose tools stand in the result itself. */
  readonly #inResults = new Set<Delivery>();
  /** Namespaces of tools that stand in one. */
  readonly #namespaces = new Map<string, string>();
  #beside: string[] = [];
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

  /** Whether what is appended may stand between any two messages. */
  get isAnywhere(): boolean {
    return this.#writer.append.anywhere === true;
  }

  /** The result of a bridge tool as it is sent. */
  result(id: string, given: Omit<LoaderResult, 'delivery'>): LanguageModelV4ToolResultOutput {
    const delivery = this.#byCall.get(id);
    const written = this.#writer.searchOutput?.({ ...given, delivery });
    if (written) {
      if (delivery) this.#inResults.add(delivery);
      for (const { name } of delivery?.tools ?? [])
        if (written.namespace !== undefined) this.#namespaces.set(name, written.namespace);
      if (written.beside !== undefined) this.#beside.push(written.beside);
      return written.output;
    }
    if (!delivery?.result) return given.output;
    return { type: 'json', value: delivery.result as never };
  }

  /** A call as it is sent: one that another model made names no namespace, and has to here. */
  call(part: LanguageModelV4ToolCallPart): LanguageModelV4ToolCallPart {
    const namespace = this.#namespaces.get(part.toolName);
    const { providerOptions } = part;
    if (namespace === undefined || own(providerOptions?.openai, 'namespace') !== undefined)
      return part;
    const openai = { ...providerOptions?.openai, namespace };
    return { ...part, providerOptions: { ...providerOptions, openai } };
  }

  /** What stands before the message at this index, or at the end. */
  messagesAt(position: number): LanguageModelV4Message[] {
    const beside = this.#beside.map(
      (text): LanguageModelV4Message => ({ role: 'user', content: [{ type: 'text', text }] }),
    );
    this.#beside = [];
    const here = this.#deliveries.filter(
      (delivery) => delivery.position === position && !this.#inResults.has(delivery),
    );
    // Of two versions that came in one step, the later counts.
    const tools = new Map<string, ToolDefinition>();
    for (const tool of here.flatMap((delivery) => delivery.tools)) tools.set(tool.name, tool);
    const add = this.#writer.messages;
    if (tools.size === 0 || !add) return beside;
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    const place = { isFirst, streamsInput: this.#streamsInput };
    return [...beside, ...add([...tools.values()], place)];
  }
}
