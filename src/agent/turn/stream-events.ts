import type { TextStreamPart, ToolSet } from 'ai';
import { errorMessage } from '../../errors.ts';
import { own } from '../../tools/values/index.ts';
import type { OpenCall } from '../conversation/index.ts';
import type { AgentEvent } from '../events/index.ts';

type Part = TextStreamPart<ToolSet>;

type Call = Extract<AgentEvent, { type: 'call' }>;

/** An emitted call, and the answer for the model if the call cannot run. */
interface EmittedCall {
  readonly name: string;
  readonly answer: string | undefined;
}

/** Translates the parts of one SDK stream to events. Most parts produce none. */
export class StreamEvents {
  readonly #isReal: (name: string) => boolean;
  /** Emitted calls, by id. Endpoints may reuse ids in each answer; the latest call counts. */
  readonly #emitted = new Map<string, EmittedCall>();

  #hasBegun = false;

  /** `open`: calls of earlier answers, which were already emitted. */
  constructor(isReal: (name: string) => boolean, open: readonly OpenCall[] = []) {
    this.#isReal = isReal;
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
        this.#hasBegun = true;
        return [];
      case 'tool-call':
        return this.#call(part);
      case 'tool-result': {
        // A tool may yield preliminary results. Only the last one is emitted.
        if (part.preliminary === true) return [];
        const { toolCallId: id, toolName: name, output } = part;
        return this.#isReal(name) ? [{ type: 'result', id, name, output }] : loadsIn(output);
      }
      case 'tool-error': {
        const { toolCallId: id, error } = part;
        const asked = this.#failing(part);
        const answer = this.#emitted.get(id)?.answer ?? errorMessage(error);
        return [...asked.events, { type: 'failure', id, name: asked.name, error: answer }];
      }
      case 'tool-approval-request': {
        if (part.isAutomatic === true) return [];
        const { approvalId, reason, toolCall } = part;
        const { toolCallId: id, toolName: name, input } = toolCall;
        const why = reason === undefined ? {} : { reason };
        return [{ type: 'approval', approvalId, id, name, arguments: input, ...why }];
      }
      case 'tool-approval-response': {
        const { approved, reason, toolCall } = part;
        const { toolCallId: id, toolName: name } = toolCall;
        const why = reason === undefined ? {} : { reason };
        return this.#isReal(name) ? [{ type: 'decision', id, name, approved, ...why }] : [];
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

  /** A call of a bridge tool is emitted only if it cannot run, under the name of its target tool. */
  #call({
    toolCallId: id,
    toolName,
    input,
    ...part
  }: Extract<Part, { type: 'tool-call' }>): Call[] {
    const stamp = own(part.providerMetadata, 'toolfold');
    const given = own(stamp, 'e');
    const answer = typeof given === 'string' ? given : undefined;
    const isReal = this.#isReal(toolName);
    if (part.invalid !== true && answer === undefined && !isReal) return [];
    return this.#emit(id, isReal ? toolName : targetOf(stamp, toolName), input, answer);
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
    const asked = own(input, 'tool_name');
    const name = this.#isReal(toolName) || typeof asked !== 'string' ? toolName : asked;
    return { name, events: this.#emit(id, name, input, undefined) };
  }

  #emit(id: string, name: string, given: unknown, answer: string | undefined): Call[] {
    this.#emitted.set(id, { name, answer });
    return [{ type: 'call', id, name, arguments: given }];
  }
}

/** The target tool of a call that reached no tool: the name in its envelope, else the name it used. */
function targetOf(stamp: unknown, name: string): string {
  const raw = own(stamp, 'r');
  const wire = own(stamp, 'n');
  const envelope = typeof raw === 'string' ? parsed(raw) : undefined;
  const target = own(envelope, 'tool_name') ?? own(envelope, 'name');
  return typeof target === 'string' ? target : typeof wire === 'string' ? wire : name;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return;
  }
}

function loadsIn(output: unknown): AgentEvent[] {
  const group = own(output, 'group_id');
  const tools = own(output, 'tool_names');
  if (own(output, 'expanded') !== true || typeof group !== 'string' || !Array.isArray(tools))
    return [];
  return [{ type: 'load', group, tools: tools.map(String) }];
}
