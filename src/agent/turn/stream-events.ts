import type { TextStreamPart, ToolSet } from 'ai';
import type { SchemaSource } from '../../ai-sdk/index.ts';
import { errorMessage } from '../../errors.ts';
import { type Asker, askerOf } from '../../host/index.ts';
import { ownProperty, parsedJson } from '../../tools/values/index.ts';
import type { OpenCall } from '../conversation/index.ts';
import { type AgentEvent, askedByOf, type DecisionSource } from '../events/index.ts';
import { CallDeltas } from './call-deltas.ts';
import { callEvent } from './call-event.ts';
import { NO_ROUNDS, TOOLS_ARE_OFF } from './rounds.ts';

type Part = TextStreamPart<ToolSet>;

type Call = Extract<AgentEvent, { type: 'call' }>;

/** An emitted call, and the answer for the model if the call cannot run. */
interface EmittedCall {
  readonly name: string;
  readonly answer: string | undefined;
}

/** What the parts of a stream do not say about calls. */
interface CallFacts {
  /** How the model got the schema of the tool. */
  schemaOf(name: string): SchemaSource | undefined;
  /** How long the tool took, in milliseconds. */
  durationOf(id: string): number | undefined;
  /** Whether the tool has begun and nobody knows how it ended. */
  isUnknown(id: string): boolean;
}

const NO_FACTS: CallFacts = {
  schemaOf: () => undefined,
  durationOf: () => undefined,
  isUnknown: () => false,
};

/** Translates the parts of one SDK stream to events. Most parts produce none. */
export class StreamEvents {
  readonly #isReal: (name: string) => boolean;
  /** Emitted calls, by id. Endpoints may reuse ids in each answer; the latest call counts. */
  readonly #emitted = new Map<string, EmittedCall>();

  readonly #deltas = new CallDeltas();
  readonly #facts: CallFacts;
  #hasBegun = false;

  /** `open`: calls of earlier answers, which were already emitted. */
  constructor(
    isReal: (name: string) => boolean,
    open: readonly OpenCall[] = [],
    facts: CallFacts = NO_FACTS,
  ) {
    this.#isReal = isReal;
    this.#facts = facts;
    for (const { id, name } of open) this.#emitted.set(id, { name, answer: undefined });
  }

  of(part: Part): AgentEvent[] {
    switch (part.type) {
      case 'text-delta':
        return [{ type: 'text', text: part.text }];
      case 'reasoning-delta':
        return [{ type: 'reasoning', text: part.text }];
      case 'start-step':
        this.#emitted.clear();
        this.#deltas.clear();
        this.#hasBegun = true;
        return [];
      case 'tool-input-start':
        // The input of a bridge tool is not the arguments of a real tool.
        if (this.#isReal(part.toolName)) this.#deltas.start(part.id, part.toolName);
        return [];
      case 'tool-input-delta':
        return this.#deltas.take(part.id, part.delta);
      case 'tool-call':
        this.#deltas.end(part.toolCallId);
        return this.#call(part);
      case 'tool-result': {
        // A tool may yield preliminary results. Only the last one is emitted.
        if (part.preliminary === true) return [];
        const { toolCallId: id, toolName: name, output } = part;
        if (!this.#isReal(name)) return loadsIn(output);
        return [{ type: 'result', id, name, output, ...this.#duration(id) }];
      }
      case 'tool-error': {
        const { toolCallId: id, error } = part;
        const asked = this.#failing(part);
        const answer = this.#emitted.get(id)?.answer ?? errorMessage(error);
        const failure = { type: 'failure' as const, id, name: asked.name, error: answer };
        const unknown = this.#facts.isUnknown(id) ? { isUnknown: true as const } : {};
        return [...asked.events, { ...failure, ...this.#duration(id), ...unknown }];
      }
      case 'tool-approval-request': {
        if (part.isAutomatic === true) return [];
        const { approvalId, reason, toolCall } = part;
        const { toolCallId: id, toolName: name, input } = toolCall;
        const why = reason === undefined ? {} : { reason };
        const asked = askedByOf(askerIn(toolCall));
        return [{ type: 'approval', approvalId, id, name, arguments: input, ...why, ...asked }];
      }
      case 'tool-approval-response': {
        const { approvalId, approved, reason, toolCall } = part;
        const { toolCallId: id, toolName: name } = toolCall;
        if (!this.#isReal(name)) return [];
        const why = reason === undefined ? {} : { reason };
        const source = this.#sourceOf(id, reason);
        const by = source === undefined ? {} : { source };
        return [{ type: 'decision', id, name, approved, ...why, approvalId, ...by }];
      }
      case 'tool-output-denied': {
        // Before the first step the SDK repeats denials of the previous answer.
        if (!this.#hasBegun && !this.#emitted.has(part.toolCallId)) return [];
        const asked = this.#failing({ ...part, input: {} });
        const { toolCallId: id } = part;
        const failure = { type: 'failure' as const, id, name: asked.name };
        return [...asked.events, { ...failure, error: 'The call was denied.' }];
      }
      default:
        return [];
    }
  }

  #call(part: Extract<Part, { type: 'tool-call' }>): Call[] {
    const facts = { isReal: this.#isReal, schemaOf: (name: string) => this.#facts.schemaOf(name) };
    const shown = callEvent(part, facts);
    if (!shown) return [];
    const { event, answer } = shown;
    this.#emitted.set(event.id, { name: event.name, answer });
    return [event];
  }

  #duration(id: string): { readonly duration?: number } {
    const duration = this.#facts.durationOf(id);
    return duration === undefined ? {} : { duration };
  }

  /** Who made an automatic decision; undefined if it is not known. */
  #sourceOf(id: string, reason: string | undefined): DecisionSource | undefined {
    if (reason === NO_ROUNDS || reason === TOOLS_ARE_OFF) return 'policy';
    const { answer = '' } = this.#emitted.get(id) ?? {};
    return ownProperty(parsedJson(answer), 'error') === 'denied' ? 'hook' : undefined;
  }

  /** The name of a failed call, and its `call` event if it was not emitted yet. */
  #failing(part: {
    readonly toolCallId: string;
    readonly toolName: string;
    readonly input: unknown;
  }): {
    readonly name: string;
    readonly events: Call[];
  } {
    const { toolCallId: id, toolName, input } = part;
    const known = this.#emitted.get(id);
    if (known) return { name: known.name, events: [] };
    const asked = ownProperty(input, 'tool_name');
    const name = this.#isReal(toolName) || typeof asked !== 'string' ? toolName : asked;
    this.#emitted.set(id, { name, answer: undefined });
    const schema = this.#facts.schemaOf(name);
    const how = schema === undefined ? {} : { schema };
    return { name, events: [{ type: 'call', id, name, arguments: input, ...how }] };
  }
}

/** Who requires the approval of a call. Hooks do not see calls that the provider runs. */
function askerIn({
  providerExecuted,
  providerMetadata,
}: Extract<Part, { type: 'tool-call' }>): Asker {
  return providerExecuted === true ? { by: 'setting' } : askerOf(providerMetadata);
}

function loadsIn(output: unknown): AgentEvent[] {
  const group = ownProperty(output, 'group_id');
  const tools = ownProperty(output, 'tool_names');
  if (
    ownProperty(output, 'expanded') !== true ||
    typeof group !== 'string' ||
    !Array.isArray(tools)
  )
    return [];
  return [{ type: 'load', group, tools: tools.map(String) }];
}
