import type { ToolDefinition } from '../tool/index.ts';
import { listIn, own } from '../values/index.ts';
import { type ActiveNote, readActive } from './active.ts';
import { definitionsIn } from './result-reading.ts';
import type { EpochNote, Note } from './transcript.ts';

/** One thing that a note says about tools. */
export type NoteEvent =
  | { readonly type: 'epoch'; readonly epoch: EpochNote }
  | { readonly type: 'announced'; readonly list: string }
  | { readonly type: 'active'; readonly active: ActiveNote }
  /** A text showed the schema of this tool. */
  | { readonly type: 'preloaded'; readonly name: string }
  /** See `Note.asText`. */
  | { readonly type: 'as-text'; readonly key: string }
  /** The schema was declared without a load call. */
  | { readonly type: 'declared'; readonly name: string }
  | { readonly type: 'insert'; readonly text: string; readonly position: number }
  | {
      readonly type: 'appended';
      readonly tools: readonly ToolDefinition[];
      readonly position: number;
    };

const NONE: readonly never[] = [];

/** The events of the notes of one message, in order. */
export function eventsOf(
  notes: readonly Note[] | undefined,
  position: number,
): Iterable<NoteEvent> {
  // Most messages have no note.
  if (!Array.isArray(notes) || notes.length === 0) return NONE;
  return notes.flatMap((note) => [...eventsOfNote(note, position)]);
}

/** Notes come back through whatever keeps the messages, a browser perhaps: junk is passed over. */
function* eventsOfNote(note: unknown, position: number): Iterable<NoteEvent> {
  const epoch = epochIn(note);
  if (epoch) yield { type: 'epoch', epoch };
  const list = own(note, 'announced');
  if (typeof list === 'string') yield { type: 'announced', list };
  const active = readActive(own(note, 'active'));
  if (active) yield { type: 'active', active };
  for (const name of textsIn(note, 'shown')) yield { type: 'preloaded', name };
  for (const key of textsIn(note, 'asText')) yield { type: 'as-text', key };
  for (const name of textsIn(note, 'declared')) yield { type: 'declared', name };
  for (const text of textsIn(note, 'inserts')) yield { type: 'insert', text, position };
  const tools = definitionsIn(note, 'appended');
  if (tools.length > 0) yield { type: 'appended', tools, position };
}

function epochIn(note: unknown): EpochNote | undefined {
  const epoch = own(note, 'epoch');
  const [strategy, fingerprint, scope] = ['strategy', 'fingerprint', 'scope'].map((key) => {
    const value = own(epoch, key);
    return typeof value === 'string' ? value : undefined;
  });
  if (strategy === undefined || fingerprint === undefined || scope === undefined) return;
  const insteadOf = own(epoch, 'insteadOf');
  const active = readActive(own(epoch, 'active'));
  return {
    strategy,
    fingerprint,
    scope,
    ...(active ? { active } : {}),
    ...(typeof insteadOf === 'string' ? { insteadOf } : {}),
  };
}

function textsIn(record: unknown, key: string): string[] {
  return listIn(record, key).filter((text) => typeof text === 'string');
}
