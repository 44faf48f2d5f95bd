import { type JsonObject, parsedJson } from '../values/index.ts';
import { type Envelope, NAME_KEYS, readObject } from './envelope.ts';

const ARGUMENT_KEYS = ['arguments', 'args', 'input', 'parameters'];

/** A set of parameter names. */
type Names = Pick<ReadonlySet<string>, 'has' | 'size'>;

export type Settled =
  | { readonly ok: true; readonly arguments: JsonObject }
  | { readonly ok: false; readonly problem: string };

/**
 * Reads the arguments of an envelope for a target that declares `parameters`. Repairs flattened,
 * renamed or doubly nested arguments only if the declared names allow one interpretation. Ambiguous
 * or unreadable arguments are a problem, never a call without arguments.
 */
export function settleArguments(envelope: Envelope, parameters: Names): Settled {
  const { given, beside } = envelope;
  if (given.kind === 'unusable') return { ok: false, problem: given.problem };
  const extra = Object.keys(beside);
  const value = given.kind === 'object' ? given.value : {};
  if (extra.length === 0) return unnest(envelope, value, parameters);
  if (Object.keys(value).length > 0) {
    return {
      ok: false,
      problem: `Beside "arguments" stand ${list(extra)}: put all arguments into "arguments".`,
    };
  }
  const [only = ''] = extra;
  const isRenamed = extra.length === 1 && ARGUMENT_KEYS.includes(only);
  const renamed = isRenamed ? readObject(beside[only]) : undefined;
  if (extra.every((key) => parameters.has(key))) {
    const names = renamed?.kind === 'object' ? Object.keys(renamed.value) : [];
    return names.length > 0 && names.every((name) => parameters.has(name))
      ? { ok: false, problem: `"${only}" can be read in two ways: put it into "arguments".` }
      : { ok: true, arguments: beside };
  }
  if (renamed?.kind === 'object') return { ok: true, arguments: renamed.value };
  return {
    ok: false,
    problem: `Not parameters of this tool, and not inside "arguments": ${list(extra)}.`,
  };
}

/** Returns the innermost arguments of `{arguments: {arguments: {…}}}` or of an envelope inside `arguments`. */
function unnest(envelope: Envelope, value: JsonObject, parameters: Names): Settled {
  let inner = value;
  while (parameters.size > 0 && !parameters.has('arguments') && Object.hasOwn(inner, 'arguments')) {
    const { arguments: nested, ...beside } = inner;
    const isEnvelope = Object.keys(beside).every(
      (key) => NAME_KEYS.includes(key) && !parameters.has(key) && beside[key] === envelope.target,
    );
    if (!isEnvelope) break;
    const read = readObject(nested);
    if (read.kind === 'unusable') return { ok: false, problem: read.problem };
    inner = read.kind === 'object' ? read.value : {};
  }
  return { ok: true, arguments: inner };
}

/** The input of a bridge tool; an empty object if it cannot be read. */
export function readRequest(input: unknown): JsonObject {
  const read = readObject(input);
  return read.kind === 'object' ? read.value : {};
}

/** The requested names: a list, one name, or either as JSON text. Undefined if there are none. */
export function readNames(value: unknown): string[] | undefined {
  let names = value;
  if (typeof names === 'string' && names.trim().startsWith('[')) {
    // Not JSON: the text may be the name of a tool.
    names = parsedJson(names) ?? names;
  }
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
