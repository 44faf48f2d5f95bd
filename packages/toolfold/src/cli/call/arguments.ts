import { addAbortSignal, type Readable } from 'node:stream';
import { checkArguments, signatureOf } from '@toolfold/core/internal/tools/schema';
import {
  bytesUpTo,
  formatNumber,
  isRecord,
  type JsonSchema,
  raceAbort,
  truncate,
} from '@toolfold/core/internal/tools/values';
import type { KnownTool } from '@toolfold/mcp/internal/known-tools';
import { type Terminal, usageError } from '../../app/terminal/index.ts';
import { EXPECTED_ARGUMENTS, exactValue } from './exact-value.ts';
import { checkPairs, isPair, readPairs, withEquals } from './pairs.ts';

type Input = Readonly<Record<string, unknown>>;

/** Milliseconds after which a person hears that the command waits for stdin. */
const PATIENCE = 2000;
const MAX_BYTES = 64 * 1024 * 1024;
const WAITING = "Waiting for arguments on stdin. For a call without arguments, give '{}'.";

/** What the command line says about the arguments. */
export interface GivenArguments {
  /** The words behind the name: a JSON object, `-` for stdin, or `name=value` each. */
  readonly words: readonly string[];
  /** `name=value`, as given with `--arg`. */
  readonly named: readonly string[];
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly signal: AbortSignal;
}

/** The arguments as far as they are known without the tool. Neither: there are none on the command line. */
export interface ParsedArguments {
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
  if (check.ok) return input;
  const problems = check.problems.map((problem) => `\n  ${problem.replace(/\s+/g, ' ')}`).join('');
  throw usageError(
    `The arguments do not fit ${name}.`,
    `Its signature: ${name}(${signatureOf(inputSchema)})${problems}`,
  );
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
