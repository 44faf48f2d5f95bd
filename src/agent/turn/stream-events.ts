import type { TextStreamPart, ToolSet } from 'ai';
import { errorMessage } from '../../errors.ts';
import { own } from '../../tools/values/index.ts';
import type { OpenCall } from '../conversation/index.ts';
import type { AgentEvent } from '../events/index.ts';

type Part = TextStreamPart<ToolSet>;

type Call = Extract<AgentEvent, { type: 'call' }>;

/** A call as it was told, and what the model is told of one that cannot run. */
interface EmittedCall {
  readonly name: string;
  readonly answer: string | undefined;
}

/** Tells the parts of one stream of the SDK's to those who follow the turn; most parts tell nothing. */
export class StreamEvents {
  readonly #isReal: (name: string) => boolean;
  /** By id. Endpoints may number calls anew in each answer: the latest one counts. */
  readonly #emitted = new Map<string, EmittedCall>();

  #hasBegun = false;

  /** `open`: calls of earlier answers, which have been told. */
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
        // Of a tool that yields results as it goes, the last one counts.
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
        // Ahead of a first answer the SDK tells denials of the last one again.
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

  /** A call of a bridge tool is told only where it cannot run, under the name of the tool that it means. */
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
    return this.#tell(id, isReal ? toolName : askedFor(stamp, toolName), input, answer);
  }

  /** The name of a call that failed, and the call itself where it has not been told. */
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
    return { name, events: this.#tell(id, name, input, undefined) };
  }

  #tell(id: string, name: string, given: unknown, answer: string | undefined): Call[] {
    this.#emitted.set(id, { name, answer });
    return [{ type: 'call', id, name, arguments: given }];
  }
}

/** The tool that a call meant, where it reached none: what its envelope names, else the name it used. */
function askedFor(stamp: unknown, name: string): string {
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
