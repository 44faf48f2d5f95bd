import type { Refusal } from '../format/index.ts';
import { deferredDefinitions, toolChanges } from './tool-change.ts';

// Docs, "Mid-conversation system messages and tool changes": the limit of deferred tools, and also of
// tools that messages have defined and not removed.
const MAX_TOOLS = 10_000;
const MAX_DEFINITION_BYTES = 4_194_304; // the same page: all definitions in messages together

/** Why the API would refuse the number or size of the available tools after a message; undefined if it would not. */
export function limitRefusal(body: Readonly<Record<string, unknown>>): Refusal | undefined {
  const deferred = deferredDefinitions(body).size;
  if (deferred > MAX_TOOLS) return exceeded(`${deferred} deferred tools`, MAX_TOOLS);
  const sizes = new Map<string, number>();
  let bytes = 0;
  for (const { kind, name, definition } of toolChanges(body)) {
    if (name === undefined || (kind === 'addition' && definition === undefined)) continue;
    bytes -= sizes.get(name) ?? 0;
    sizes.delete(name);
    if (definition === undefined) continue;
    const size = Buffer.byteLength(JSON.stringify(definition));
    sizes.set(name, size);
    bytes += size;
    if (sizes.size > MAX_TOOLS) return exceeded(`${sizes.size} tools defined`, MAX_TOOLS);
    if (bytes > MAX_DEFINITION_BYTES) {
      return exceeded(`${bytes} bytes of definitions`, MAX_DEFINITION_BYTES);
    }
  }
  return undefined;
}

function exceeded(found: string, limit: number): Refusal {
  const code = 'available_tools_limit_exceeded';
  return { message: `messages: ${found}, but at most ${limit} may be available.`, code };
}
