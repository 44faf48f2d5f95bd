import { assess } from '@toolfold/core/internal/calls';
import {
  callDigest,
  type isDigestOf,
  isJson,
  KEY,
  readBinding,
} from '@toolfold/core/internal/host';
import { contextOf } from '@toolfold/core/internal/request';
import type { ToolLayer } from '@toolfold/core/internal/session';
import { ownProperty } from '@toolfold/core/internal/values';
import type { ModelMessage } from 'ai';
import type { Content } from '../entries/index.ts';
import { partsOf } from './messages.ts';

type ToolCallPart = Extract<Content, { type: 'tool-call' }>;
type BoundCall = Pick<ToolCallPart, 'toolName' | 'providerOptions'>;

/** What the approval of a call is for now: its arguments, and the call bound to the present tool, if it is known. */
export interface Binding {
  readonly input: unknown;
  readonly call?: BoundCall;
}

/**
 * Finds calls whose tool or arguments have changed since the user was asked, and returns their present
 * bindings, by call id. Loads groups where that is needed to compare them. `areApproved`: the calls run next, so the
 * group of the first one may load in any case. A group that fails to load is reported when the call runs.
 */
export async function changedTools(
  messages: readonly ModelMessage[],
  calls: readonly { readonly id: string; readonly name: string }[],
  layer: Pick<ToolLayer, 'bindingOf' | 'isBound'>,
  signal: AbortSignal | undefined,
  areApproved: boolean,
): Promise<ReadonlyMap<string, Binding>> {
  const changed = new Map<string, Binding>();
  const options = signal ? { signal } : {};
  for (const [at, { id, name }] of calls.entries()) {
    const call = callOf(messages, id);
    const { binding, digests } = readBinding(call?.providerOptions);
    const isSame = binding !== undefined && (await layer.isBound(name, binding, options));
    // No earlier call has to run before the group of the first one loads.
    if (areApproved && at === 0) await loadTool(layer, name, signal);
    const shown = await shownInput(layer, name, call?.input, digests, signal);
    const d = layer.bindingOf(name);
    // Tools outside the fold have no binding.
    if (d === undefined || (isSame && !shown.isChanged)) continue;
    const { input } = shown;
    changed.set(id, { input, ...(call ? { call: boundCall(call, d, shown.digest) } : {}) });
  }
  return changed;
}

/** Loads the tools that had loaded when these calls were made, so that the calls are decided as they were then. */
export async function loadBound(
  answer: readonly Content[],
  layer: Pick<ToolLayer, 'isBound'>,
  signal: AbortSignal,
): Promise<void> {
  for (const part of answer) {
    if (part.type !== 'tool-call') continue;
    const { binding } = readBinding(part.providerOptions);
    // A binding of a loaded tool is compared with the tool.
    if (binding !== undefined) await layer.isBound(part.toolName, binding, { signal });
  }
}

/** A call with the stamp of a tool and a digest. */
function boundCall({ toolName, providerOptions }: ToolCallPart, d: string, c: string): BoundCall {
  const now = { ...(ownProperty(providerOptions, KEY) as object), d, c };
  return { toolName, providerOptions: { ...providerOptions, [KEY]: now } };
}

/** The messages with a call changed. */
export function rebound(
  messages: readonly ModelMessage[],
  id: string,
  call: Partial<BoundCall> & { readonly input: unknown },
): ModelMessage[] {
  const isMeant = (part: Content) => part.type === 'tool-call' && part.toolCallId === id;
  return messages.map((message) => {
    const { role, content } = message;
    if (role !== 'assistant' || typeof content === 'string' || !content.some(isMeant))
      return message;
    return {
      ...message,
      content: content.map((part) => (isMeant(part) ? { ...part, ...call } : part)),
    };
  });
}

function callOf(messages: readonly ModelMessage[], id: string): ToolCallPart | undefined {
  const calls = partsOf(messages).filter((part) => part.type === 'tool-call');
  return calls.findLast(({ toolCallId }) => toolCallId === id);
}

type Layer = Pick<ToolLayer, 'bindingOf'>;
type LayerToolbox = ReturnType<typeof contextOf>['toolbox'];
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
async function shownInput(
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
async function loadTool(
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
export function toolboxOf(layer: Layer): LayerToolbox | undefined {
  try {
    return contextOf(layer).toolbox;
  } catch {
    return undefined;
  }
}
