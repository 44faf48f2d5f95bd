import type { Refusal } from '../format/index.ts';
import { declaredTools, recordsOf } from '../request/index.ts';
import { resultReferences, toolChanges } from './tool-change.ts';

/** Why the API would refuse a tool reference in a result or a system message; undefined if it would not. */
export function referenceRefusal(body: Readonly<Record<string, unknown>>): Refusal | undefined {
  const known = new Set(declaredTools(body).map(({ name }) => name));
  const changes = toolChanges(body);
  for (const [index, message] of recordsOf(body.messages).entries()) {
    for (const change of changes.filter((candidate) => candidate.message === index)) {
      if (change.name === undefined) continue;
      if (change.definition !== undefined) known.add(change.name);
      else if (!known.has(change.name)) return unresolved(change.at, change.name);
    }
    for (const [place, block] of recordsOf(message.content).entries()) {
      const at = `messages.${index}.content.${place}`;
      const names = resultReferences(block);
      const unknown = names.find((name) => !known.has(name));
      if (unknown !== undefined) return unresolved(at, unknown);
      if (names.length > 0 && Array.isArray(block.content) && block.content.length > names.length) {
        return `${at}.tool_result.content: \`tool_reference\` blocks cannot stand beside other content.`;
      }
    }
  }
  return undefined;
}

function unresolved(at: string, name: string): Refusal {
  const message = `${at}: tool reference '${name}' not found in available tools.`;
  return { message, code: 'tool_reference_unresolved' };
}
