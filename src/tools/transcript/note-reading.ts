import { readActive } from '../active/index.ts';
import { listIn, ownProperty } from '../values/index.ts';
import { definitionsIn } from './result-reading.ts';
import type { EpochNote, Note } from './transcript.ts';

/**
 * Reads a note. It comes back through whatever keeps the messages, a browser perhaps: members of a
 * wrong shape are left out.
 */
export function readNote(note: unknown): Note {
  const epoch = epochIn(note);
  const announced = ownProperty(note, 'announced');
  const active = readActive(ownProperty(note, 'active'));
  const appended = definitionsIn(note, 'appended');
  return {
    ...(epoch ? { epoch } : {}),
    ...textsIn(note, 'inserts'),
    ...(typeof announced === 'string' ? { announced } : {}),
    ...(active ? { active } : {}),
    ...textsIn(note, 'declared'),
    ...textsIn(note, 'shown'),
    ...textsIn(note, 'asText'),
    ...(appended.length > 0 ? { appended } : {}),
  };
}

function epochIn(note: unknown): EpochNote | undefined {
  const epoch = ownProperty(note, 'epoch');
  const [strategy, fingerprint, scope] = ['strategy', 'fingerprint', 'scope'].map((key) => {
    const value = ownProperty(epoch, key);
    return typeof value === 'string' ? value : undefined;
  });
  if (strategy === undefined || fingerprint === undefined || scope === undefined) return;
  const insteadOf = ownProperty(epoch, 'insteadOf');
  const active = readActive(ownProperty(epoch, 'active'));
  return {
    strategy,
    fingerprint,
    scope,
    ...(active ? { active } : {}),
    ...(typeof insteadOf === 'string' ? { insteadOf } : {}),
  };
}

function textsIn<K extends 'inserts' | 'declared' | 'shown' | 'asText'>(note: unknown, key: K) {
  const texts = listIn(note, key).filter((text) => typeof text === 'string');
  return (texts.length > 0 ? { [key]: texts } : {}) as { readonly [key in K]?: string[] };
}
