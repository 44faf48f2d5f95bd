import { isRecord } from '@toolfold/core/internal/tools/values';
import { recordsOf } from '../request/index.ts';
import { definitionsRefusal, toolNames } from './tools-refusal.ts';

// Moonshot's API accepts tools in a system message. OpenAI's API has no such field.
const TAKES_TOOLS = /kimi|moonshot/i;

/** Why a model would refuse the tools in a message of Chat Completions; undefined if it would not. */
export function toolMessagesRefusal(body: Readonly<Record<string, unknown>>): string | undefined {
  const declared = toolNames(body.tools);
  for (const [index, { role, tools }] of recordsOf(body.messages).entries()) {
    if (tools === undefined) continue;
    const where = `messages[${index}].tools`;
    if (!TAKES_TOOLS.test(String(body.model))) return `Unknown parameter: '${where}'.`;
    if (role !== 'system') return `Invalid '${where}': only a system message may carry tools.`;
    if (!Array.isArray(tools) || !tools.every(isFunction)) {
      return `Invalid '${where}': expected a list of function definitions.`;
    }
    const refusal = definitionsRefusal(tools, where, declared);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

function isFunction(entry: unknown): boolean {
  return (
    isRecord(entry) &&
    entry.type === 'function' &&
    isRecord(entry.function) &&
    typeof entry.function.name === 'string'
  );
}
