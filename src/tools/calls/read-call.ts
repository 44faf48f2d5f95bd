import type { BridgeKind } from '../strategies/index.ts';
import type { TranscriptCall } from '../transcript/index.ts';
import { type Envelope, readEnvelope, readObject } from './envelope.ts';

/** A call whose input was read, once, for every later step. */
export interface ReadCall extends TranscriptCall {
  /** The bridge tool that carries the call, or that is called. Undefined for a native call. */
  readonly kind: BridgeKind | undefined;
  /** The target and its arguments. Undefined for bridge tools that answer themselves. */
  readonly envelope: Envelope | undefined;
}

/** Reads a native call, or a call of the bridge tool that its name means. */
export function readCall(call: TranscriptCall, kind: BridgeKind | undefined): ReadCall {
  const { name, input } = call;
  if (kind === undefined) return { ...call, kind, envelope: directEnvelope(name, input) };
  const key = nameKeyOf(kind);
  return { ...call, kind, envelope: key === undefined ? undefined : readEnvelope(input, key) };
}

/** The key under which a dispatcher's input names its target; undefined for any other tool. */
export function nameKeyOf(kind: BridgeKind | undefined): string | undefined {
  return kind === 'deferred_tool_call' ? 'tool_name' : kind === 'tool_call' ? 'name' : undefined;
}

function directEnvelope(target: string, input: unknown): Envelope {
  return { target, given: readObject(input), beside: {}, problem: undefined };
}
