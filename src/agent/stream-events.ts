import type { TextStreamPart, ToolSet } from 'ai';
import { errorMessage } from '../errors.ts';
import { own } from '../tools/json.ts';
import type { AgentEvent } from './events.ts';

type Part = TextStreamPart<ToolSet>;

/** What is known of a call that cannot run: the name it asked for, and what the model is told. */
interface Invalid {
  readonly name: string;
  readonly told: string | undefined;
}

/** Tells the parts of one stream of the SDK's to those who follow the turn; most parts tell nothing. */
export class StreamEvents {
  readonly #isReal: (name: string) => boolean;
  readonly #invalid = new Map<string, Invalid>();

  constructor(isReal: (name: string) => boolean) {
    this.#isReal = isReal;
  }

  of(part: Part): AgentEvent[] {
    switch (part.type) {
      case 'text-delta':
        return [{ type: 'text', text: part.text }];
      case 'reasoning-delta':
        return [{ type: 'reasoning', text: part.text }];
      case 'tool-call': {
        const { toolCallId: id, toolName: name, input } = part;
        const stamp = own(part.providerMetadata, 'toolfold');
        const told = own(stamp, 'e');
        if (part.invalid === true || typeof told === 'string') {
          const asked = this.#isReal(name) ? name : askedFor(stamp, name);
          this.#invalid.set(id, { name: asked, told: typeof told === 'string' ? told : undefined });
          return [];
        }
        return this.#isReal(name) ? [{ type: 'call', id, name, arguments: input }] : [];
      }
      case 'tool-result': {
        const { toolCallId: id, toolName: name, output } = part;
        return this.#isReal(name) ? [{ type: 'result', id, name, output }] : loadsIn(output);
      }
      case 'tool-error': {
        const { toolCallId: id, toolName, error, input } = part;
        const known = this.#invalid.get(id);
        const asked = own(input, 'tool_name');
        const name =
          known?.name ?? (this.#isReal(toolName) || typeof asked !== 'string' ? toolName : asked);
        return [{ type: 'failure', id, name, error: known?.told ?? errorMessage(error) }];
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
        const { toolCallId: id, toolName: name } = part;
        return [{ type: 'failure', id, name, error: 'The call was denied.' }];
      }
      default:
        return [];
    }
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
