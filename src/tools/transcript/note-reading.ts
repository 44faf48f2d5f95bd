import { readActive } from '../active/index.ts';
import { ownProperties } from '../values/index.ts';
import { definitionsIn } from './result-reading.ts';
import type { EpochNote, Note } from './transcript.ts';

/**
 * Reads a note. It comes back through whatever keeps the messages, a browser perhaps: members of a
 * wrong shape are left out.
 */
export function readNote(note: unknown): Note {
  const members = ownProperties(note);
  const { announced } = members;
  const epoch = readEpoch(members.epoch);
  const active = readActive(members.active);
  const appended = definitionsIn(members.appended);
  return {
    ...(epoch ? { epoch } : {}),
    ...textsIn(members, 'inserts'),
    ...(typeof announced === 'string' ? { announced } : {}),
    ...(active ? { active } : {}),
    ...textsIn(members, 'declared'),
    ...textsIn(members, 'shown'),
    ...textsIn(members, 'asText'),
    ...(appended.length > 0 ? { appended } : {}),
  };
}

function readEpoch(epoch: unknown): EpochNote | undefined {
  const members = ownProperties(epoch);
  const { strategy, fingerprint, scope, insteadOf } = members;
  if (typeof strategy !== 'string' || typeof fingerprint !== 'string') return;
  if (typeof scope !== 'string') return;
  const active = readActive(members.active);
  return {
    strategy,
    fingerprint,
    scope,
    ...(active ? { active } : {}),
    ...(typeof insteadOf === 'string' ? { insteadOf } : {}),
  };
}

type Texts = 'inserts' | 'declared' | 'shown' | 'asText';

function textsIn<K extends Texts>(members: { readonly [key in K]?: unknown }, key: K) {
  const list = members[key];
  const texts = Array.isArray(list) ? list.filter((text) => typeof text === 'string') : [];
  return (texts.length > 0 ? { [key]: texts } : {}) as { readonly [key in K]?: string[] };
}
