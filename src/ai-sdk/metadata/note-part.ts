import { KEY } from '../../host/index.ts';
import type { ToolDefinition } from '../../tools/tool/index.ts';
import { type Note, readActive } from '../../tools/transcript/index.ts';
import { isRecord, own } from '../../tools/values/index.ts';
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
  return part.type === 'custom' && own(part, 'kind') === NOTE_KIND;
}

/** Reads a note from metadata. Fields of a wrong type are left out. */
export function readNote(options: SharedV4ProviderOptions | undefined): ResponseNote | undefined {
  const note = own(options, KEY);
  if (!isRecord(note)) return;
  const epoch = own(note, 'epoch');
  const announced = own(note, 'announced');
  const errors = own(note, 'errors');
  const outputs = own(note, 'outputs');
  const active = readActive(own(note, 'active'));
  const appended = own(note, 'appended');
  const strings = (key: string) => {
    const list = own(note, key);
    return Array.isArray(list) ? list.filter((item) => typeof item === 'string') : undefined;
  };
  const inserts = strings('inserts');
  const declared = strings('declared');
  const shown = strings('shown');
  const asText = strings('asText');
  return {
    ...(isEpoch(epoch) ? { epoch } : {}),
    ...(typeof announced === 'string' ? { announced } : {}),
    ...(inserts ? { inserts } : {}),
    ...(active ? { active } : {}),
    ...(declared ? { declared } : {}),
    ...(shown ? { shown } : {}),
    ...(asText ? { asText } : {}),
    // The definitions are checked where they are used.
    ...(Array.isArray(appended) ? { appended: appended as ToolDefinition[] } : {}),
    ...(isRecord(errors) ? { errors: textsOf(errors) } : {}),
    ...(isRecord(outputs) ? { outputs: outputsOf(outputs) } : {}),
  };
}

function isEpoch(value: unknown): value is NonNullable<Note['epoch']> {
  return ['strategy', 'fingerprint', 'scope'].every((key) => typeof own(value, key) === 'string');
}

function outputsOf(
  record: Record<string, unknown>,
): Record<string, LanguageModelV4ToolResultOutput> {
  return Object.fromEntries(
    Object.entries(record).flatMap(([id, value]) => {
      const output = readOutput(value);
      return output ? [[id, output]] : [];
    }),
  );
}

function textsOf(record: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(record).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  );
}
