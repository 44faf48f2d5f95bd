import type { Delivery } from '@toolfold/core/internal/request';
import type { AppendForm, ToolDefinition } from '@toolfold/core/internal/tool';
import { type JsonObject, ownProperty } from '@toolfold/core/internal/values';
import type { WireTool } from './declared-tools.ts';
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4ToolCallPart,
  LanguageModelV4ToolResultOutput,
} from './language-model.ts';

/** A result in the form of a provider's own search, and the remarks that this form has no place for. */
export interface SearchOutput {
  readonly output: LanguageModelV4ToolResultOutput;
  /** A text that follows after the results. */
  readonly remarks?: string;
  /** OpenAI's namespace of these tools, which their calls have to name. */
  readonly namespace?: string;
}

/** A tool result of the loader or of the search. */
export interface LoaderResult {
  /** The name of the bridge on the wire. */
  readonly wireName: string;
  readonly output: LanguageModelV4ToolResultOutput;
  /** The schemas that the result delivered; undefined if there are none. */
  readonly delivery: Delivery | undefined;
}

/** The position at which tools are appended. */
export interface AppendPosition {
  /** No tools were appended before this position. */
  readonly isFirst: boolean;
  /** Whether the app wants arguments to stream as they are written. */
  readonly streamsInput: boolean;
}

/** Writes appended tools in the form of one provider, through the options of the AI SDK's provider. */
export interface NativeWriter {
  readonly append: AppendForm;
  /** The messages that append these tools at their position. */
  readonly messages?: (
    tools: readonly ToolDefinition[],
    place: AppendPosition,
  ) => readonly LanguageModelV4Message[];
  /** Replaces a result that delivers tools; undefined for a result that is sent unchanged. */
  readonly searchOutput?: (result: LoaderResult) => SearchOutput | undefined;
  /** The declaration of a bridge tool; undefined if it is an ordinary function. */
  readonly bridge?: (tool: ToolDefinition) => WireTool | undefined;
  /** The declaration of a deferred tool, which the model does not see yet. */
  readonly deferred?: (tool: ToolDefinition) => WireTool;
  /** The provider options of every request, from the first on. */
  readonly providerOptions?: (
    given: LanguageModelV4CallOptions['providerOptions'],
  ) => LanguageModelV4CallOptions['providerOptions'];
  /** Unwraps the input of a bridge tool from the input that the provider passes on. */
  readonly bridgeInput?: (name: string, input: string) => string;
}

/** The keys of a loader's result that a list of tools cannot express. */
const REMARK_KEYS = ['unknown', 'changed', 'schemas', 'not_searched', 'ignored_queries', 'next'];

/** The remarks in a loader's result that the form of the provider has no place for, as a text. */
export function remarksOf(result: JsonObject): string | undefined {
  const rest = Object.entries(result).filter(([key]) => REMARK_KEYS.includes(key));
  if (rest.length === 0) return;
  return `[Notice from the application, not from the user: about the tools just loaded: ${JSON.stringify(Object.fromEntries(rest))}]`;
}

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
