import type { BridgeKind } from '../strategies/index.ts';
import type { Entry } from '../tool/index.ts';
import type { TranscriptCall } from '../transcript/index.ts';
import { exactJson, isRecord, type JsonObject, ownProperty, truncate } from '../values/index.ts';

/** The content of a dispatcher call, before the target's schema is known. */
export interface Envelope {
  /** The target, if one is named, even in input that is otherwise malformed. */
  readonly target: string | undefined;
  readonly given: Given;
  /** Other keys next to name and arguments; they may be flattened arguments. */
  readonly beside: JsonObject;
  /** Set if the envelope itself cannot be read. */
  readonly problem: string | undefined;
}

/** The value of `arguments`, as far as it can be read without a schema. */
export type Given =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'object'; readonly value: JsonObject }
  | { readonly kind: 'unusable'; readonly problem: string };

/** A call whose input was read, once, for every later step. */
export interface ReadCall extends TranscriptCall {
  /** The bridge tool that carries the call, or that is called. Undefined for a native call. */
  readonly kind: BridgeKind | undefined;
  /** The target and its arguments. Undefined for bridge tools that answer themselves. */
  readonly envelope: Envelope | undefined;
  /** The tool that the target means, if the host has looked it up. */
  readonly entry?: Entry | undefined;
}

/** Reads a native call, or a call of the bridge tool that its name means. */
export function readCall(call: TranscriptCall, kind: BridgeKind | undefined): ReadCall {
  const { name, input } = call;
  if (kind === undefined) {
    const envelope = { target: name, given: readObject(input), beside: {}, problem: undefined };
    return { ...call, kind, envelope };
  }
  const key = nameKeyOf(kind);
  return { ...call, kind, envelope: key === undefined ? undefined : readEnvelope(input, key) };
}

/** The key under which a dispatcher's input names its target; undefined for any other tool. */
export function nameKeyOf(kind: BridgeKind | undefined): string | undefined {
  return kind === 'deferred_tool_call' ? 'tool_name' : kind === 'tool_call' ? 'name' : undefined;
}

export const NAME_KEYS: readonly string[] = ['tool_name', 'name', 'tool'];

/**
 * Reads the input of a dispatcher: an object, or JSON text of one, even if it is encoded twice.
 * The target stands under `nameKey`, or under another key that models use instead.
 */
export function readEnvelope(input: unknown, nameKey: string): Envelope {
  const read = readObject(input);
  if (read.kind === 'nothing') return broken('The input is empty.', undefined);
  if (read.kind === 'unusable') {
    return broken(read.problem, typeof input === 'string' ? nameIn(input, nameKey) : undefined);
  }
  const keys = [nameKey, ...NAME_KEYS];
  const found = keys.find((key) => typeof ownProperty(read.value, key) === 'string');
  const target = found === undefined ? '' : String(read.value[found]).trim();
  const argumentsKey = Object.hasOwn(read.value, 'arguments') ? 'arguments' : undefined;
  const given = argumentsKey ? readObject(read.value[argumentsKey]) : { kind: 'nothing' as const };
  const beside = Object.fromEntries(
    Object.entries(read.value).filter(([key]) => key !== found && key !== argumentsKey),
  );
  const problem = target === '' ? 'No tool is named.' : undefined;
  return { target: target || undefined, given, beside, problem };
}

/**
 * An object, JSON text of one (encoded at most twice), or nothing: undefined, null, blank text. In a text,
 * integers that no number holds are read as bigints.
 */
export function readObject(input: unknown): Given {
  let value = input;
  for (let pass = 0; pass < 2 && typeof value === 'string'; pass++) {
    if (value.trim() === '') return { kind: 'nothing' };
    try {
      const read = exactJson(value);
      if ('lost' in read) return { kind: 'unusable', problem: numberLost(read.lost) };
      value = read.value;
    } catch (error) {
      const why = error instanceof Error ? error.message.slice(0, 120) : '';
      return { kind: 'unusable', problem: `The arguments are not valid JSON: ${why}` };
    }
  }
  if (value === undefined || value === null) return { kind: 'nothing' };
  if (isRecord(value)) return { kind: 'object', value: value as JsonObject };
  const found = Array.isArray(value) ? 'an array' : `a ${typeof value}`;
  return { kind: 'unusable', problem: `The arguments are ${found}; they must be one object.` };
}

/** Why a call does not run: it must not run with another number than the model wrote. */
export function numberLost(number: string): string {
  return `The number ${truncate(number, 60)} has more digits than a number can hold, so the tool would get another one. Write it as a string where the tool takes a string; else tell the user.`;
}

/** The same where the provider does not show how the number was written. */
export function numberRounded(number: string): string {
  return `The number ${truncate(number, 60)} may be another one than you wrote: it is beyond 2^53, and the provider did not pass on its digits. Write it as a string of digits, or use a smaller number.`;
}

function nameIn(text: string, key: string): string | undefined {
  const start = text.slice(0, 2_000);
  const at = start.indexOf(`"${key}"`);
  return at < 0 ? undefined : /^"\w+"\s*:\s*"([^"\\]{1,128})"/.exec(start.slice(at))?.[1];
}

function broken(problem: string, target: string | undefined): Envelope {
  return { target, given: { kind: 'nothing' }, beside: {}, problem };
}
