import type { ActiveNote } from '../active/index.ts';
import { ownProperties } from '../values/index.ts';
import { definitionsIn } from './result-reading.ts';
import type { EpochNote, Note } from './transcript.ts';

type Members = ReturnType<typeof ownProperties>;

/** Notes that were read: a host that reads the notes of its messages passes them on. */
const known = new WeakSet<Note>();

/**
 * Reads a note. It comes back through whatever keeps the messages, a browser perhaps: members of a
 * wrong shape are left out.
 */
export function readNote(note: unknown): Note {
  if (known.has(note as Note)) return note as Note;
  const members = ownProperties(note);
  const ofEpoch = ownProperties(members.epoch);
  const activeIn = ownProperties(members.active);
  const epoch = readEpoch(ofEpoch, ownProperties(ofEpoch.active));
  const active = readActive(activeIn);
  const { announced } = members;
  const appended = definitionsIn(members.appended);
  const read: Note = {
    ...(epoch ? { epoch } : {}),
    ...textsIn(members, 'inserts'),
    ...(typeof announced === 'string' ? { announced } : {}),
    ...(active ? { active } : {}),
    ...textsIn(members, 'declared'),
    ...textsIn(members, 'shown'),
    ...textsIn(members, 'asText'),
    ...(appended.length > 0 ? { appended } : {}),
  };
  known.add(read);
  return read;
}

function readEpoch(members: Members, activeIn: Members): EpochNote | undefined {
  const { strategy, fingerprint, scope, insteadOf } = members;
  if (typeof strategy !== 'string' || typeof fingerprint !== 'string') return;
  if (typeof scope !== 'string') return;
  const active = readActive(activeIn);
  return {
    strategy,
    fingerprint,
    scope,
    ...(active ? { active } : {}),
    ...(typeof insteadOf === 'string' ? { insteadOf } : {}),
  };
}

/** Undefined for what is no note of active tools. Names in it can only narrow what is rendered. */
function readActive(lists: Members): ActiveNote | undefined {
  const only = textsOf(lists.only);
  if (only) return { only };
  const without = textsOf(lists.without);
  return without && { without };
}

function textsOf(list: unknown): string[] | undefined {
  return Array.isArray(list) ? list.filter((item) => typeof item === 'string') : undefined;
}

type Texts = 'inserts' | 'declared' | 'shown' | 'asText';

function textsIn<K extends Texts>(members: { readonly [key in K]?: unknown }, key: K) {
  const texts = textsOf(members[key]) ?? [];
  return (texts.length > 0 ? { [key]: texts } : {}) as { readonly [key in K]?: string[] };
}
