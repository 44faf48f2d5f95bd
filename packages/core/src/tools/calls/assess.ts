import type { Toolbox } from '../registry/index.ts';
import { type Assessed, assessArguments } from '../schema/index.ts';
import type { Entry, Tool } from '../tool/index.ts';
import { firstBig, withBigints } from '../values/index.ts';
import { numberLost } from './envelope.ts';

/**
 * The arguments that a tool would get, after repairs and its schema. A tool with `takesBigints` gets integers that no
 * number holds as bigints; for any other tool such arguments are invalid.
 */
export async function assess(
  toolbox: Toolbox,
  entry: Entry,
  tool: Tool,
  given: unknown,
  signal: AbortSignal | undefined,
): Promise<Assessed> {
  const exact = exactFor(tool, given);
  if ('check' in exact) return exact;
  const { parameters } = toolbox.definitionOf(entry, tool);
  // An empty text that is left out of a path would widen what a tool deletes.
  const mayDrop = toolbox.trustedAnnotationsOf(entry.name)?.readOnlyHint === true;
  return assessArguments(tool, parameters, exact.input, mayDrop, signal);
}

/** The same without a check of the schema. */
export function unchecked(tool: Tool, given: unknown): Assessed {
  const exact = exactFor(tool, given);
  if ('check' in exact) return exact;
  return { check: { ok: true, value: exact.input }, input: exact.input, changes: [] };
}

function exactFor(tool: Tool, given: unknown): Assessed | { readonly input: unknown } {
  if (tool.takesBigints) return { input: withBigints(given) };
  const big = firstBig(given);
  if (big === undefined) return { input: given };
  return { check: { ok: false, problems: [numberLost(big)] }, input: given, changes: [] };
}
