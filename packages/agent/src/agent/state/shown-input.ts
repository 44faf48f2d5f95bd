import { callDigest, type isDigestOf } from '@toolfold/core/internal/host';
import { isJson } from '@toolfold/core/internal/host/input-text';
import type { ToolLayer } from '@toolfold/core/internal/tools';
import { assess } from '@toolfold/core/internal/tools/calls';
import { contextOf } from '@toolfold/core/internal/tools/epoch';

type Layer = Pick<ToolLayer, 'bindingOf'>;
type Toolbox = ReturnType<typeof contextOf>['toolbox'];
type Digests = Parameters<typeof isDigestOf>[0];

interface ShownInput {
  readonly input: unknown;
  /** The digest that an approval of the call holds for. */
  readonly digest: string;
  /** The digests of the last question do not hold any more. */
  readonly isChanged: boolean;
}

/**
 * What the user has to see of a call, now that its tool may have loaded: the input after its schema, if
 * that is JSON. If the schema makes something else each time, the call is refused where it runs.
 */
export async function shownInput(
  layer: Layer,
  name: string,
  input: unknown,
  digests: Digests,
  signal: AbortSignal | undefined,
): Promise<ShownInput> {
  const make = (given: unknown) => madeBySchema(layer, name, given, signal);
  const final = await make(input);
  const digest = callDigest(name, input, final);
  const isSame = digests.c === digest;
  if (isSame || digest !== callDigest(name, input, await make(input)))
    return { input, digest, isChanged: false };
  const ofFinal = callDigest(name, final);
  const isStable = isJson(final) && ofFinal === callDigest(name, final, await make(final));
  const shown = isStable ? { input: final, digest: ofFinal } : { input, digest };
  return { ...shown, isChanged: true };
}

/** Loads the group of a tool. A failure is reported when the tool is called. */
export async function loadTool(
  layer: Layer,
  name: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const toolbox = toolboxOf(layer);
  const groupId = toolbox?.registry.get(name)?.groupId;
  if (groupId !== undefined) await toolbox?.load(groupId, signal).catch(() => {});
  signal?.throwIfAborted();
}

/** What the schema of a loaded tool of a group makes of an input. The AI SDK applies the schemas of other tools. */
async function madeBySchema(
  layer: Layer,
  name: string,
  input: unknown,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const toolbox = toolboxOf(layer);
  const entry = toolbox?.registry.get(name);
  const tool = entry && !entry.appTool ? toolbox?.toolOf(entry) : undefined;
  if (!toolbox || !entry || !tool) return input;
  const { check } = await assess(toolbox, entry, tool, input, signal);
  return check.ok ? check.value : input;
}

/** The toolbox of a layer; undefined for a layer of another copy of this package. */
export function toolboxOf(layer: Layer): Toolbox | undefined {
  try {
    return contextOf(layer).toolbox;
  } catch {
    return undefined;
  }
}
