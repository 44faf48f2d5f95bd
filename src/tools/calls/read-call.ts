import type { BridgeKind } from '../strategies/index.ts';
import type { TranscriptCall } from '../transcript/index.ts';
import { type Envelope, readEnvelope, readObject } from './envelope.ts';

/** A call whose input has been read, once: every later step works on this. */
export interface ReadCall extends TranscriptCall {
  /** The bridge tool it travels in, or is; undefined for a native call of a tool. */
  readonly kind: BridgeKind | undefined;
  /** The tool it asks for, with its arguments; undefined for bridge tools that answer themselves. */
  readonly envelope: Envelope | undefined;
}

/** Reads a call of a tool, or of the bridge tool that its name stands for. */
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
