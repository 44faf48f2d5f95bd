import { errorMessage } from '@toolfold/core/internal/errors.ts';
import { heldOutput, KEY } from '@toolfold/core/internal/host';
import { isRecord, listIn, ownProperty, parsedJson } from '@toolfold/core/internal/values';
import { modelMessageSchema, type Tool as SdkTool } from 'ai';

export type ModelOutput = Awaited<ReturnType<NonNullable<SdkTool['toModelOutput']>>>;

/** A lone surrogate as `JSON.stringify` escapes it. It does not escape complete pairs. */
const HALF = /\\ud[89a-f]/;
const ESCAPE = /\\(?:(ud[89a-f][0-9a-f]{2})|.)/g;

/**
 * The output for the model of a result whose tool has no `toModelOutput`: a string as text, any other
 * value as JSON. The result goes through JSON first, so that it stays the same after the messages have
 * been stored. What JSON cannot hold of it (a circle, a getter that throws) is a remark, which also says that
 * the tool has run.
 */
export function plainOutput(output: unknown): ModelOutput {
  try {
    const value = JSON.parse(JSON.stringify(heldOutput(output)) ?? 'null');
    return typeof value === 'string' ? { type: 'text', value } : { type: 'json', value };
  } catch (error) {
    const why = errorMessage(error).split('\n')[0];
    return {
      type: 'error-text',
      value: `The tool has run. Its result cannot be shown, as it cannot be written as JSON: ${why}`,
    };
  }
}

/**
 * What an app's `toModelOutput` answers, now or when it resolves. If it throws, or answers with no form of the AI
 * SDK, the output is a text with a remark: the tool has run, and the SDK would end the response, or fail each later
 * request of the conversation. `reasonOf` puts into words what was thrown.
 */
export function readModelOutput(
  convert: () => unknown,
  reasonOf: (error: unknown) => string,
): ModelOutput | PromiseLike<ModelOutput> {
  const failed = (error: unknown): ModelOutput => {
    const value = `The tool has run. Its \`toModelOutput\` failed: ${reasonOf(error)}`;
    return { type: 'error-text', value };
  };
  try {
    const given = convert();
    return given instanceof Promise ? given.then(checked).catch(failed) : checked(given);
  } catch (error) {
    return failed(error);
  }
}

function checked(given: unknown): ModelOutput {
  const output = heldOutput(given);
  if (isModelOutput(output)) return output;
  const value = ownProperty(output, 'value');
  // JSON makes texts of dates, for example.
  const plain = isRecord(output) && { ...output, value: parsedJson(JSON.stringify(value) ?? '') };
  if (isModelOutput(plain)) return plain;
  const written = JSON.stringify(output) ?? 'undefined';
  return {
    type: 'text',
    value: `[The tool has run. Its \`toModelOutput\` gave no output of the AI SDK:] ${written}`,
  };
}

function isModelOutput(output: unknown): output is ModelOutput {
  const result = { type: 'tool-result', toolCallId: 'a', toolName: 'a', output };
  return modelMessageSchema.safeParse({ role: 'tool', content: [result] }).success;
}

/** Objects without a lone surrogate. Only that is kept, never a copy of the value. */
const found = new WeakSet<object>();

/**
 * The value with every lone surrogate in keys and strings replaced by U+FFFD, because Anthropic refuses
 * requests that contain one. Returns the same object if there is none. `value` must be JSON. The same
 * object is searched once: what an app puts into it later is sent as it is.
 */
export function wellFormed<T>(value: T): T {
  const isObject = typeof value === 'object' && value !== null;
  if (isObject && found.has(value)) return value;
  const text = JSON.stringify(value) ?? '';
  if (!HALF.test(text)) {
    if (isObject) found.add(value);
    return value;
  }
  return JSON.parse(text.replace(ESCAPE, (part, half) => (half === undefined ? part : '\\ufffd')));
}

/** An output of a result, for a tool or for the wire. */
interface AnyOutput {
  readonly type: string;
  readonly value?: unknown;
}

const MARK = { [KEY]: { isError: true } };

/** Marks a file as part of a result that is an error: the SDK has no error with files. */
export function asErrorFile<PART extends { readonly type: string }>(part: PART): PART {
  return part.type === 'file' ? { ...part, providerOptions: MARK } : part;
}

/** Whether an output is an error, also one with files. */
export function isErrorOutput(output: AnyOutput): boolean {
  const { type } = output;
  if (type === 'content') return listIn(output, 'value').some(isErrorFile);
  return type === 'error-text' || type === 'error-json' || type === 'execution-denied';
}

function isErrorFile(part: unknown): boolean {
  return ownProperty(ownProperty(ownProperty(part, 'providerOptions'), KEY), 'isError') === true;
}

type UntypedOutput = { readonly type: string; readonly value?: unknown };

/** Whether a result is the SDK's error for a name that its tool set does not have. This error lists all tools. */
export function isUnknownToSdk(output: UntypedOutput, toolName: string): boolean {
  return sdkError(output).startsWith(`Model tried to call unavailable tool '${toolName}'.`);
}

/** Whether a result is the SDK's error for a call that it did not run. The SDK may have lost the input of the call. */
export function isNotRunBySdk(output: UntypedOutput): boolean {
  return NOT_RUN.test(sdkError(output));
}

/** The SDK's errors for an invalid input, a failed repair and an unknown tool. */
const NOT_RUN =
  /^(Invalid input for tool|Error repairing tool call|Model tried to call unavailable tool)/;

/** The text of an error, without the name of its class. */
function sdkError({ type, value }: UntypedOutput): string {
  return type === 'error-text' ? String(value).replace(/^\w+: /, '') : '';
}
