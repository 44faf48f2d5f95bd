import { listIn, own } from '../values/index.ts';
import { readActive } from './active.ts';
import { definitionsIn } from './result-reading.ts';
import type { EpochNote } from './transcript.ts';
import type { TranscriptState } from './transcript-state.ts';

/**
 * Takes a note into the state. Notes come back through whatever keeps the messages, a browser perhaps: junk
 * is passed over.
 */
export function readNote(state: TranscriptState, note: unknown, position: number): void {
  const epoch = epochIn(note);
  if (epoch) beginEpoch(state, epoch);
  const list = own(note, 'announced');
  if (typeof list === 'string') state.announced = list;
  const active = readActive(own(note, 'active'));
  if (active) state.active = active;
  for (const name of textsIn(note, 'shown')) state.preloaded.add(name);
  const before = state.shownTools.length;
  for (const key of textsIn(note, 'asText')) state.asText.push({ key, before });
  for (const name of textsIn(note, 'declared')) state.loaded.push({ groupId: undefined, name });
  for (const text of textsIn(note, 'inserts')) state.inserts.push({ position, text });
  const tools = definitionsIn(note, 'appended');
  if (tools.length > 0) state.shownTools.push({ after: position - 1, tools });
  for (const { name } of tools) state.loaded.push({ groupId: undefined, name });
}

function beginEpoch(state: TranscriptState, epoch: EpochNote): void {
  const continues =
    epoch.fingerprint === state.epoch?.fingerprint && epoch.scope === state.epoch.scope;
  // What was announced in an earlier epoch is in the catalog of the new one.
  if (state.epoch && !continues) state.inserts.length = 0;
  state.epoch = epoch;
  state.active = epoch.active;
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
