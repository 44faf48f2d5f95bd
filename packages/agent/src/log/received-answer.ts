import type { RequestEvent } from '@toolfold/ai-sdk';
import { brokenText, isNotePart, plainOutput, readRaw } from '@toolfold/ai-sdk/internal/messages';
import type { LanguageModelV4StreamPart } from '@toolfold/ai-sdk/internal/protocol';
import {
  type JsonObject,
  listIn,
  ownProperty,
  parsedJson,
  pick,
} from '@toolfold/core/internal/values';
import { type AnswerParts, type Content, type Kinds, textIn } from '../entries/index.ts';
import type { AgentEvent } from '../events/index.ts';
import type { Entry, SessionStore } from '../sessions/index.ts';

type StreamPart = LanguageModelV4StreamPart;
type TextChunk = Extract<
  StreamPart,
  { type: `${'text' | 'reasoning'}-${'start' | 'delta' | 'end'}` }
>;
type ProviderOptions = Extract<Content, { type: 'text' }>['providerOptions'];

interface AnswerBlock {
  type: 'text' | 'reasoning';
  text: string;
  providerOptions?: NonNullable<ProviderOptions>;
}

/** The answer to one request, as far as the model's stream has brought it: what is sent back, and what is shown of it. */
export class ReceivedAnswer {
  /** How often its request was sent. */
  attempt: number;
  readonly #content: (Content | AnswerBlock)[] = [];
  readonly #blocks = new Map<string, AnswerBlock>();
  /** The arguments of calls that are being written, by call id: the part that is not shown yet. */
  readonly #held = new Map<string, { readonly name: string; text: string }>();
  /** The raw text of arguments that are no JSON object, by call id. */
  readonly inputs: Record<string, string> = {};
  /** The calls that are shown. */
  readonly shown: DisplayedCall[] = [];
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
  take(part: StreamPart, tools: ToolFacts): readonly AgentEvent[] {
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

  #takeText(part: TextChunk): AgentEvent[] {
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

function optionsOf({ providerMetadata }: { readonly providerMetadata?: ProviderOptions }): {
  providerOptions?: NonNullable<ProviderOptions>;
} {
  return providerMetadata ? { providerOptions: providerMetadata } : {};
}

type AgentCallEvent = Extract<AgentEvent, { type: 'call' }>;

/** A call as the model has written it. */
type StreamedCall = Extract<LanguageModelV4StreamPart, { type: 'tool-call' }>;

/** What is known about tools beside the call. */
export interface ToolFacts {
  /** Whether a name is that of a real tool and not of a bridge tool. */
  readonly isReal: (name: string) => boolean;
  /** Whether the SDK refuses each call, because the request has no tools. */
  readonly refusesCalls: () => boolean;
  readonly schemaOf: RequestEvent['schemaOf'] | undefined;
}

/** A call that is shown, and the answer for the model if it cannot run. */
interface DisplayedCall {
  readonly event: AgentCallEvent;
  readonly answer: string | undefined;
}

/**
 * The event of a call. A call of a bridge tool is shown only if it cannot run, under the name of its
 * target tool.
 */
function callEvent(
  { toolCallId: id, toolName, input: text, providerMetadata }: StreamedCall,
  { isReal, refusesCalls, schemaOf }: ToolFacts,
): DisplayedCall | undefined {
  const stamp = ownProperty(providerMetadata, 'toolfold');
  const given = ownProperty(stamp, 'e');
  const answer = typeof given === 'string' ? given : undefined;
  const input = inputOf(text);
  const isRefused = refusesCalls() || answer !== undefined;
  if (!isRefused && !isReal(toolName)) return;
  const name = isReal(toolName) ? toolName : targetOf(stamp, toolName);
  const raw = isRefused || typeof input === 'string' ? unreadIn(stamp, input) : undefined;
  const wireName = ownProperty(stamp, 'n');
  const schema = schemaOf?.(name);
  const repairs = listIn(stamp, 'p').filter((text) => typeof text === 'string');
  const event: AgentCallEvent = {
    type: 'call',
    id,
    name,
    arguments: input,
    ...(schema === undefined ? {} : { schema }),
    ...(typeof wireName === 'string' && wireName !== name ? { wireName } : {}),
    ...(raw === undefined ? {} : { raw }),
    ...(repairs.length > 0 ? { repairs } : {}),
  };
  return { event, answer };
}

/** What the SDK makes of arguments that are no JSON object. */
function inputOf(text: string): unknown {
  return text.trim() === '' ? {} : (parsedJson(text) ?? text);
}

/** What the model wrote, if that is not JSON. */
function unreadIn(stamp: unknown, input: unknown): string | undefined {
  const raw = ownProperty(stamp, 'r') ?? input;
  return typeof raw === 'string' ? brokenText(readRaw(raw)) : undefined;
}

/** The target tool of a call that reached no tool: the name in its envelope, else the name it used. */
function targetOf(stamp: unknown, name: string): string {
  const raw = ownProperty(stamp, 'r');
  const wire = ownProperty(stamp, 'n');
  const envelope = typeof raw === 'string' ? parsedJson(raw) : undefined;
  const target = ownProperty(envelope, 'tool_name') ?? ownProperty(envelope, 'name');
  return typeof target === 'string' ? target : typeof wire === 'string' ? wire : name;
}

/** Characters of a text that other processes are shown: the last ones. */
const MAX_DRAFT = 20_000;

/** What is open behind the entry `after`, for other processes. Undefined if there is nothing. */
export function draftOf(
  { text, reasoning }: Pick<ReceivedAnswer, 'text' | 'reasoning'>,
  after: number,
): JsonObject | undefined {
  if (text === '' && reasoning === '') return;
  return { after, text: text.slice(-MAX_DRAFT), reasoning: reasoning.slice(-MAX_DRAFT) };
}

/** Kinds of entries behind which the text before them is not open any more. */
const CLOSING: ReadonlySet<string> = new Set(['turn', 'model', 'interrupted']);

/**
 * The answer that another process receives now, as events behind those of the entries of its session. Reasoning and
 * text are joined, and of a long one only its end is there. The process notices within half a second that somebody
 * watches; ask again every second or so, and use what comes in place of what came before.
 */
export async function openEvents(
  store: SessionStore,
  id: string,
  entries: readonly Entry[],
): Promise<readonly AgentEvent[]> {
  const draft = await store.watch(id);
  if (!draft) return [];
  const { after } = draft;
  // An entry that was read meanwhile may hold it.
  const isOver = entries.some(({ seq, kind }) => CLOSING.has(kind) && seq > Number(after));
  if (isOver || typeof after !== 'number') return [];
  return (['reasoning', 'text'] as const).flatMap((type): readonly AgentEvent[] => {
    const text = textIn(draft, type) ?? '';
    return text === '' ? [] : [{ type, text }];
  });
}
