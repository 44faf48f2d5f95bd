import type { TextStreamPart, ToolSet } from 'ai';
import { isRecord, own } from '../tools/json.ts';
import type { AgentEvent } from './events.ts';

type Part = TextStreamPart<ToolSet>;

/** What one part of the SDK's stream means to those who follow a turn; nothing for most parts. */
export function eventsOf(part: Part, isReal: (name: string) => boolean): AgentEvent[] {
  switch (part.type) {
    case 'text-delta':
      return [{ type: 'text', text: part.text }];
    case 'reasoning-delta':
      return [{ type: 'reasoning', text: part.text }];
    case 'tool-call': {
      const { toolCallId: id, toolName: name, input } = part;
      return isReal(name) ? [{ type: 'call', id, name, arguments: input }] : [];
    }
    case 'tool-result': {
      const { toolCallId: id, toolName: name, output } = part;
      return isReal(name) ? [{ type: 'result', id, name, output }] : loadsIn(output);
    }
    case 'tool-error': {
      const { toolCallId: id, toolName, error } = part;
      const stamp = own(part.providerMetadata, 'toolfold');
      // A call that reached no tool is told under the name it asked for.
      const asked = own(part.input, 'tool_name') ?? own(stamp, 'n');
      const name = isReal(toolName) || typeof asked !== 'string' ? toolName : asked;
      // What the model is told says more than the SDK's words for the same.
      const told = own(stamp, 'e');
      return [
        { type: 'failure', id, name, error: typeof told === 'string' ? told : textOf(error) },
      ];
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
      return isReal(name) ? [{ type: 'decision', id, name, approved, ...why }] : [];
    }
    case 'tool-output-denied': {
      const { toolCallId: id, toolName: name } = part;
      return [{ type: 'failure', id, name, error: 'The call was denied.' }];
    }
    case 'finish-step': {
      const { inputTokens = 0, outputTokens = 0, inputTokenDetails } = part.usage;
      const { cacheReadTokens = 0, cacheWriteTokens = 0 } = inputTokenDetails;
      const cached = { cacheRead: cacheReadTokens, cacheWrite: cacheWriteTokens };
      return [{ type: 'usage', input: inputTokens, ...cached, output: outputTokens }];
    }
    default:
      return [];
  }
}

function loadsIn(output: unknown): AgentEvent[] {
  const group = own(output, 'group_id');
  const tools = own(output, 'tool_names');
  if (own(output, 'expanded') !== true || typeof group !== 'string' || !Array.isArray(tools))
    return [];
  return [{ type: 'load', group, tools: tools.map(String) }];
}

function textOf(error: unknown): string {
  const message = isRecord(error) || error instanceof Error ? own(error, 'message') : undefined;
  return error instanceof Error ? error.message : String(message ?? error);
}
