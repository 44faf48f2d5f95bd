import { KEY } from '@toolfold/core/internal/host';
import { type Note, readNote } from '@toolfold/core/internal/tools/transcript';
import { isRecord, ownProperties, ownProperty } from '@toolfold/core/internal/tools/values';
import type {
  JSONObject,
  LanguageModelV4CustomContent,
  LanguageModelV4ToolResultOutput,
  SharedV4ProviderOptions,
} from '../protocol/index.ts';
import { readOutput } from '../results/index.ts';

/** The kind of the custom content part that carries notes in messages. */
export const NOTE_KIND = 'toolfold.note';

/** The note that a response carries beside its content. */
export interface ResponseNote extends Note {
  /**
   * Error texts of the tool results that this response answers, by call id. An app's `onError` may
   * redact them in UI messages, but later requests must contain the same bytes as before.
   */
  readonly errors?: Readonly<Record<string, string>>;
  /**
   * Outputs of `toModelOutput` for the tool results that this response answers, by call id. The tool
   * may be missing when the messages are converted again.
   */
  readonly outputs?: Readonly<Record<string, LanguageModelV4ToolResultOutput>>;
}

export function notePart(note: ResponseNote): LanguageModelV4CustomContent {
  const metadata = { [KEY]: note as JSONObject };
  return { type: 'custom', kind: NOTE_KIND, providerMetadata: metadata };
}

export function isNotePart<PART extends { type: string }>(
  part: PART,
): part is Extract<PART, { type: 'custom' }> {
  return part.type === 'custom' && 'kind' in part && part.kind === NOTE_KIND;
}

/** Reads the note of a part. Members of a wrong shape are left out. */
export function readResponseNote(
  options: SharedV4ProviderOptions | undefined,
): ResponseNote | undefined {
  const note = ownProperty(options, KEY);
  if (!isRecord(note)) return;
  const { errors, outputs } = ownProperties(note);
  const beside = {
    ...(isRecord(errors) ? { errors: readEach(errors, asString) } : {}),
    ...(isRecord(outputs) ? { outputs: readEach(outputs, readOutput) } : {}),
  };
  return Object.assign(readNote(note), beside);
}

function asString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The members that can be read. */
function readEach<T>(
  record: Record<string, unknown>,
  read: (value: unknown) => T | undefined,
): Record<string, T> {
  const members = Object.entries(record).flatMap(([id, value]) => {
    const found = read(value);
    return found === undefined ? [] : [[id, found] as const];
  });
  return Object.fromEntries(members);
}
