import type {
  JSONObject,
  LanguageModelV4CustomContent,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider';
import { isRecord, own } from '../tools/json.ts';
import type { ToolDefinition } from '../tools/tool.ts';
import type { Note } from '../tools/transcript.ts';
import { KEY } from './stamp.ts';

/** The kind of the custom content part that carries notes through messages of every form. */
export const NOTE_KIND = 'toolfold.note';

/** What a response carries besides its content. */
export interface ResponseNote extends Note {
  /**
   * Error texts of the tool results this response answers, by call id: an app's `onError` may
   * redact them in UI messages, and the model must be sent what it was sent before.
   */
  readonly errors?: Readonly<Record<string, string>>;
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

/** Reads a note back; whatever in it has not the right type is left out. */
export function readNote(options: SharedV4ProviderOptions | undefined): ResponseNote | undefined {
  const note = own(options, KEY);
  if (!isRecord(note)) return;
  const epoch = own(note, 'epoch');
  const announced = own(note, 'announced');
  const errors = own(note, 'errors');
  const appended = own(note, 'appended');
  const strings = (key: string) => {
    const list = own(note, key);
    return Array.isArray(list) ? list.filter((item) => typeof item === 'string') : undefined;
  };
  const inserts = strings('inserts');
  const declared = strings('declared');
  const shown = strings('shown');
  return {
    ...(isEpoch(epoch) ? { epoch } : {}),
    ...(typeof announced === 'string' ? { announced } : {}),
    ...(inserts ? { inserts } : {}),
    ...(declared ? { declared } : {}),
    ...(shown ? { shown } : {}),
    // What is in it is looked at where it is used.
    ...(Array.isArray(appended) ? { appended: appended as ToolDefinition[] } : {}),
    ...(isRecord(errors) ? { errors: textsOf(errors) } : {}),
  };
}

function isEpoch(value: unknown): value is NonNullable<Note['epoch']> {
  return ['strategy', 'fingerprint', 'scope'].every((key) => typeof own(value, key) === 'string');
}

function textsOf(record: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(record).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  );
}
