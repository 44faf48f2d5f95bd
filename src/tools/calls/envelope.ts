import { isRecord, type JsonObject, own } from '../values/index.ts';

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

const NAME_KEYS = ['tool_name', 'name', 'tool'];
const ARGUMENT_KEYS = ['arguments', 'args', 'input', 'parameters'];

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
  const found = keys.find((key) => typeof own(read.value, key) === 'string');
  const target = found === undefined ? '' : String(read.value[found]).trim();
  const argumentsKey = Object.hasOwn(read.value, 'arguments') ? 'arguments' : undefined;
  const given = argumentsKey ? readObject(read.value[argumentsKey]) : { kind: 'nothing' as const };
  const beside = Object.fromEntries(
    Object.entries(read.value).filter(([key]) => key !== found && key !== argumentsKey),
  );
  const problem = target === '' ? 'No tool is named.' : undefined;
  return { target: target || undefined, given, beside, problem };
}

/** Names of parameters. */
type Names = Pick<ReadonlySet<string>, 'has' | 'size'>;

export type Settled =
  | { readonly ok: true; readonly arguments: JsonObject }
  | { readonly ok: false; readonly problem: string };

/**
 * Finds the arguments for a target that declares `parameters`. Flattened, renamed or doubly
 * nested arguments are repaired only if the declared names allow one reading. Ambiguous input
 * and garbage are a problem, never a call without arguments.
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

/**
 * `{arguments: {arguments: {…}}}`, or a whole envelope inside `arguments`, stands for the
 * innermost arguments.
 */
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

/** The request to a bridge tool; an empty object if it cannot be read. */
export function readRequest(input: unknown): JsonObject {
  const read = readObject(input);
  return read.kind === 'object' ? read.value : {};
}

/** An object, JSON text of one (encoded at most twice), or nothing: undefined, null, blank text. */
export function readObject(input: unknown): Given {
  let value = input;
  for (let pass = 0; pass < 2 && typeof value === 'string'; pass++) {
    if (value.trim() === '') return { kind: 'nothing' };
    try {
      value = JSON.parse(value);
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

/** The requested names: a list, one name, or either as JSON text. Undefined if there are none. */
export function readNames(value: unknown): string[] | undefined {
  let names = value;
  if (typeof names === 'string' && names.trim().startsWith('[')) {
    try {
      names = JSON.parse(names);
    } catch {
      // Not JSON: a tool may have this name.
    }
  }
  const list = Array.isArray(names) ? names : [names];
  const texts = list.flatMap((name) => {
    if (name === undefined || name === null) return [];
    const text = typeof name === 'string' ? name.trim() : JSON.stringify(name);
    return text === '' ? [] : [text];
  });
  return texts.length === 0 ? undefined : [...new Set(texts)];
}

function nameIn(text: string, key: string): string | undefined {
  const start = text.slice(0, 2_000);
  const at = start.indexOf(`"${key}"`);
  return at < 0 ? undefined : /^"\w+"\s*:\s*"([^"\\]{1,128})"/.exec(start.slice(at))?.[1];
}

function broken(problem: string, target: string | undefined): Envelope {
  return { target, given: { kind: 'nothing' }, beside: {}, problem };
}

function list(keys: readonly string[]): string {
  const shown = keys.slice(0, 5).map((key) => JSON.stringify(key.slice(0, 40)));
  return shown.join(', ') + (keys.length > 5 ? ` and ${keys.length - 5} more` : '');
}
