import { type JsonObject, parsedJson } from '../values/index.ts';
import { type Envelope, type Given, NAME_KEYS, readObject } from './envelope.ts';

const ARGUMENT_KEYS = ['arguments', 'args', 'input', 'parameters'];

export type Settled =
  | { readonly ok: true; readonly arguments: JsonObject }
  | { readonly ok: false; readonly problem: string };

/**
 * Reads the arguments of an envelope for a target that declares `parameters`. Repairs flattened,
 * renamed or doubly nested arguments only if the declared names allow one interpretation. Ambiguous
 * or unreadable arguments are a problem, never a call without arguments.
 */
export function settleArguments(envelope: Envelope, parameters: ReadonlySet<string>): Settled {
  const { given, beside } = envelope;
  if (given.kind === 'unusable') return refused(given.problem);
  const extra = Object.keys(beside);
  const value = objectOf(given);
  if (extra.length === 0) return unnest(envelope, value, parameters);
  if (Object.keys(value).length > 0) {
    return refused(`Beside "arguments" stand ${list(extra)}: put all arguments into "arguments".`);
  }
  const [only = ''] = extra;
  const isRenamed = extra.length === 1 && ARGUMENT_KEYS.includes(only);
  const renamed = isRenamed ? readObject(beside[only]) : undefined;
  if (extra.every((key) => parameters.has(key))) {
    const names = renamed ? Object.keys(objectOf(renamed)) : [];
    return names.length > 0 && names.every((name) => parameters.has(name))
      ? refused(`"${only}" can be read in two ways: put it into "arguments".`)
      : { ok: true, arguments: beside };
  }
  if (renamed?.kind === 'object') return { ok: true, arguments: renamed.value };
  return refused(`Not parameters of this tool, and not inside "arguments": ${list(extra)}.`);
}

function refused(problem: string): Settled {
  return { ok: false, problem };
}

/** Returns the innermost arguments of `{arguments: {arguments: {…}}}` or of an envelope inside `arguments`. */
function unnest(envelope: Envelope, value: JsonObject, parameters: ReadonlySet<string>): Settled {
  let inner = value;
  while (parameters.size > 0 && !parameters.has('arguments') && Object.hasOwn(inner, 'arguments')) {
    const { arguments: nested, ...beside } = inner;
    const isEnvelope = Object.keys(beside).every(
      (key) => NAME_KEYS.includes(key) && !parameters.has(key) && beside[key] === envelope.target,
    );
    if (!isEnvelope) break;
    const read = readObject(nested);
    if (read.kind === 'unusable') return refused(read.problem);
    inner = objectOf(read);
  }
  return { ok: true, arguments: inner };
}

/** The object that was read; an empty one if there is none. */
export function objectOf(read: Given): JsonObject {
  return read.kind === 'object' ? read.value : {};
}

/** The requested names: a list, one name, or either as JSON text. Undefined if there are none. */
export function readNames(value: unknown): string[] | undefined {
  // A text that is not JSON may be the name of a tool.
  const isList = typeof value === 'string' && value.trim().startsWith('[');
  const names = isList ? (parsedJson(value) ?? value) : value;
  const list = Array.isArray(names) ? names : [names];
  const texts = list.flatMap((name) => {
    if (name === undefined || name === null) return [];
    const text = typeof name === 'string' ? name.trim() : JSON.stringify(name);
    return text === '' ? [] : [text];
  });
  return texts.length === 0 ? undefined : [...new Set(texts)];
}

function list(keys: readonly string[]): string {
  const shown = keys.slice(0, 5).map((key) => JSON.stringify(key.slice(0, 40)));
  return shown.join(', ') + (keys.length > 5 ? ` and ${keys.length - 5} more` : '');
}
