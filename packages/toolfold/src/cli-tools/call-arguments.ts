import { addAbortSignal, type Readable } from 'node:stream';
import { errorMessage } from '@toolfold/core/internal/errors.ts';
import { nearNames } from '@toolfold/core/internal/near-names.ts';
import { checkArguments, signatureOf } from '@toolfold/core/internal/schema';
import {
  bytesUpTo,
  exactJson,
  formatNumber,
  isRecord,
  type JsonSchema,
  ownProperty,
  parsedJson,
  raceAbort,
  truncate,
} from '@toolfold/core/internal/values';
import type { KnownTool } from '@toolfold/mcp/internal/known-tools.ts';
import { type Terminal, usageError } from '../terminal/index.ts';

type Input = Readonly<Record<string, unknown>>;

/** Milliseconds after which a person hears that the command waits for stdin. */
const PATIENCE = 2000;
const MAX_BYTES = 64 * 1024 * 1024;
const WAITING = "Waiting for arguments on stdin. For a call without arguments, give '{}'.";

/** What the command line says about the arguments. */
interface GivenArguments {
  /** The words behind the name: a JSON object, `-` for stdin, or `name=value` each. */
  readonly words: readonly string[];
  /** `name=value`, as given with `--arg`. */
  readonly named: readonly string[];
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly signal: AbortSignal;
}

/** The arguments as far as they are known without the tool. Neither: there are none on the command line. */
interface ParsedArguments {
  readonly input?: Input;
  readonly pairs?: readonly string[];
}

/**
 * Reads the arguments: a JSON object, from stdin if that is asked for, or single ones. Throws
 * `invalid-option` if they have another form.
 */
export async function parsedArguments(given: GivenArguments): Promise<ParsedArguments> {
  const { named } = given;
  const words = withEquals(given.words);
  const [first, second] = words;
  const isWhole = first !== undefined && !isPair(first);
  const pairs = [...(isWhole ? [] : words), ...named];
  checkPairs(pairs);
  if (!isWhole) return pairs.length === 0 ? {} : { pairs };
  if (second !== undefined || named.length > 0)
    throw usageError(
      `${JSON.stringify(truncate(first, 60))} is no name=value, and there are other arguments.`,
      'Write name=value for each, or all of them as one JSON object.',
    );
  if (first === '-') return { input: parse(await readStdin(given), 'stdin') };
  return { input: parse(first, 'The argument') };
}

/**
 * The arguments for a tool, checked against its schema. Without any on the command line, reads stdin
 * where it is no terminal and the tool takes arguments. Throws `invalid-option` with at most five
 * problems and the tool's signature.
 */
export async function checkedArguments(
  tool: KnownTool,
  parsed: ParsedArguments,
  given: GivenArguments,
  terminal: Pick<Terminal, 'note'>,
): Promise<Input> {
  const { name, bare, inputSchema } = tool;
  const { pairs } = parsed;
  let input = parsed.input ?? readPairs(pairs ?? [], inputSchema);
  const isPiped = !parsed.input && !pairs && given.stdin.isTTY !== true;
  if (isPiped && takesArguments(inputSchema)) {
    // A program that started the command may have left its stdin open.
    const waiting = setTimeout(() => terminal.note(WAITING), PATIENCE);
    input = parse(await readStdin(given).finally(() => clearTimeout(waiting)), 'stdin');
  }
  const schema = inputSchema as JsonSchema;
  const check = await checkArguments({ name: bare, inputSchema: schema }, input, given.signal);
  if (check.warning !== undefined) terminal.note(`${name}: ${check.warning}.`);
  const unknown = unknownArguments(input, schema);
  if (check.ok) {
    for (const line of unknown) terminal.note(`${name}: ${line}`);
    return input;
  }
  const hints = unknown.map((line) => `\n  ${line}`).join('');
  const problems = check.problems.map((problem) => `\n  ${problem.replace(/\s+/g, ' ')}`).join('');
  throw usageError(
    `The arguments do not fit ${name}.`,
    `Its signature: ${name}(${signatureOf(inputSchema)})${problems}${hints}`,
  );
}

/** A line for each argument that the schema does not name and that is spelt like one that it names. */
function unknownArguments(input: Input, { properties }: JsonSchema): readonly string[] {
  const known = isRecord(properties) ? Object.keys(properties) : [];
  return Object.keys(input)
    .filter((name) => !known.includes(name))
    .flatMap((name) => {
      const [near] = nearNames(name, known, 1);
      return near === undefined
        ? []
        : [`There is no argument ${JSON.stringify(truncate(name, 60))}. Did you mean ${near}?`];
    });
}

/** Stdin as UTF-8. Throws `invalid-option` if it is not, or too long; rejects with the signal's reason. */
async function readStdin({ stdin, signal }: GivenArguments): Promise<string> {
  // The signal ends stdin too: an open one would keep the process alive.
  const reading = bytesUpTo(MAX_BYTES, addAbortSignal(signal, stdin));
  const { bytes, isWhole } = await raceAbort(reading, signal);
  if (!isWhole) {
    const size = formatNumber(MAX_BYTES);
    throw usageError(`stdin has more than ${size} bytes.`, 'Give fewer arguments.');
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    const hint = 'Convert it, or give the arguments in another form.';
    throw usageError('stdin is not UTF-8.', hint, error);
  }
}

function takesArguments({ properties, additionalProperties }: Input): boolean {
  if (isRecord(properties)) return Object.keys(properties).length > 0;
  return additionalProperties !== false;
}

function parse(text: string, source: string): Input {
  // Nothing at all means no arguments.
  if (text.trim() === '') return {};
  const value = exactValue(text, source);
  if (isRecord(value)) return value;
  throw usageError(`${source} is JSON, but no object.`, EXPECTED_ARGUMENTS);
}

/** An argument as it is written: `name=text`, whose type the schema says, or `name:=json`. */
interface Pair {
  readonly name: string;
  readonly text: string;
  readonly isJson: boolean;
}

/** Whether a word looks like an argument with its name. */
export function isPair(word: string): boolean {
  return /^[^\s={}[\]"':]+:?=/.test(word);
}

/** The words of arguments, `name:value` as `name=value`: mcporter takes both. */
function withEquals(words: readonly string[]): string[] {
  return words.map((word) => word.replace(/^([^\s={}[\]"':]+):(?!=)/, '$1='));
}

/** Throws `invalid-option` if a pair is neither `name=value` nor `name:=json`. */
function checkPairs(pairs: readonly string[]): void {
  for (const pair of pairs) {
    const { name, text, isJson } = read(pair);
    const shown = truncate(name, 60);
    if (name === '')
      throw usageError(
        `The argument ${JSON.stringify(truncate(pair, 60))} has no name and value.`,
        'Write name=value, name:=json, or all arguments as one JSON object.',
      );
    if (isJson && parsedJson(text) === undefined)
      throw usageError(`What follows ${shown}:= is not JSON.`, `Write ${shown}=value for a text.`);
  }
}

/**
 * The arguments of these pairs, each with the type that the tool's schema says. The values of a list may be
 * given one by one. Throws `invalid-option` if another argument is given twice.
 */
export function readPairs(
  pairs: readonly string[],
  schema: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const byName = Map.groupBy(pairs.map(read), ({ name }) => name);
  const values = [...byName].map(
    ([name, given]) => [name, argumentOf(name, given, schema)] as const,
  );
  return Object.fromEntries(values);
}

function read(pair: string): Pair {
  const at = Math.max(0, pair.indexOf('='));
  const isJson = at > 1 && pair[at - 1] === ':';
  return { name: pair.slice(0, isJson ? at - 1 : at), text: pair.slice(at + 1), isJson };
}

function argumentOf(
  name: string,
  given: readonly Pair[],
  schema: Readonly<Record<string, unknown>>,
): unknown {
  const property = ownProperty(ownProperty(schema, 'properties'), name);
  const types = typesOf(property, schema);
  const [first] = given;
  const isList = types.has('array') && !types.has('string');
  const items = isRecord(property) ? ownProperty(property, 'items') : undefined;
  const valueIn = ({ text, isJson }: Pair, of: unknown): unknown =>
    isJson ? exactValue(text, name) : typedValue(text, of, schema);
  const isWhole = first?.isJson || first?.text.trimStart().startsWith('[');
  if (isList && (given.length > 1 || !isWhole)) return given.map((pair) => valueIn(pair, items));
  if (first !== undefined && given.length === 1) return valueIn(first, property);
  throw usageError(
    `The arguments have ${JSON.stringify(truncate(name, 60))} more than once, but it is no list.`,
    'Give it once, or all arguments as a JSON object.',
  );
}

const TYPES = ['string', 'number', 'boolean', 'null', 'object', 'array'] as const;
/** A JSON type, as in a schema. */
type JsonType = (typeof TYPES)[number];

const MAX_LEVELS = 8;

/**
 * The types that a schema accepts; empty if it does not say. Follows `anyOf`, `oneOf` and references
 * within the schema of the tool (`root`).
 */
function typesOf(
  schema: unknown,
  root: unknown,
  levels: number = MAX_LEVELS,
): ReadonlySet<JsonType> {
  if (!isRecord(schema) || levels === 0) return new Set();
  const type = ownProperty(schema, 'type');
  if (type !== undefined) return new Set([type].flat().flatMap(asType));
  const values =
    ownProperty(schema, 'enum') ?? (Object.hasOwn(schema, 'const') ? [schema.const] : undefined);
  if (Array.isArray(values)) return new Set(values.map(typeOf));
  const reference = ownProperty(schema, '$ref');
  if (typeof reference === 'string') return typesOf(target(reference, root), root, levels - 1);
  const alternatives = ownProperty(schema, 'anyOf') ?? ownProperty(schema, 'oneOf');
  if (!Array.isArray(alternatives)) return new Set();
  const types = alternatives.map((one) => [...typesOf(one, root, levels - 1)]);
  // An alternative that does not say accepts everything.
  return new Set(types.some((some) => some.length === 0) ? [] : types.flat());
}

/**
 * The value that a text means under a schema. A text that fits none of its types stays a text, and the
 * check of the arguments then says what is wrong.
 */
export function typedValue(text: string, schema: unknown, root: unknown): unknown {
  const types = typesOf(schema, root);
  if (types.has('string')) return text;
  if (parsedJson(text) === undefined) return text;
  const value = exactValue(text, 'The argument');
  return types.size === 0 || types.has(typeOf(value)) ? value : text;
}

function asType(name: unknown): JsonType[] {
  return TYPES.filter((type) => type === (name === 'integer' ? 'number' : name));
}

function typeOf(value: unknown): JsonType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'bigint') return 'number';
  return asType(typeof value)[0] ?? 'object';
}

/** The part of the tool's schema that a reference such as `#/$defs/state` names. */
function target(reference: string, root: unknown): unknown {
  if (!reference.startsWith('#/')) return;
  const steps = reference.slice(2).split('/', 20);
  return steps.reduce<unknown>(
    (place, step) => ownProperty(place, step.replaceAll('~1', '/').replaceAll('~0', '~')),
    root,
  );
}

const EXPECTED_ARGUMENTS =
  'Give the arguments as a JSON object, such as \'{ "path": "." }\', or as name=value.';

/**
 * The value of a JSON text. Integers that no number holds are bigints, so that the server gets them as they were
 * written. Throws `invalid-option` for another number that cannot be held, and for a text that is not JSON.
 */
function exactValue(text: string, source: string): unknown {
  let read: ReturnType<typeof exactJson>;
  try {
    read = exactJson(text);
  } catch (error) {
    throw usageError(`${source} is not JSON: ${errorMessage(error)}.`, EXPECTED_ARGUMENTS, error);
  }
  if (!('lost' in read)) return read.value;
  throw usageError(
    `The number ${truncate(read.lost, 60)} has more digits than a number can hold.`,
    'Write it as a string, if the tool takes one.',
  );
}
