import { ToolfoldError } from '../../errors.ts';
import { type Entry, MISSING_ENTRY, type SessionRecord } from './entry.ts';
import type { Owner } from './lease.ts';

/** The errors that all stores reject with. */

/** `place`: the name of the store, for those who may have another one in mind. */
export function unknownSession(id: string, place?: string): ToolfoldError {
  return new ToolfoldError(
    'session-unknown',
    `There is no session "${id}"${place === undefined ? '' : ` in ${place}`}.`,
    'List the sessions: toolfold sessions ls.',
  );
}

export function lostSession(id: string): ToolfoldError {
  return new ToolfoldError(
    'session-lost',
    `The lease of the session "${id}" was released or taken by another owner.`,
    'Open the session again.',
  );
}

export function busySession(id: string, { pid, host, since }: Owner): ToolfoldError {
  const begun = since === undefined ? '' : ` since ${new Date(since).toISOString()}`;
  return new ToolfoldError(
    'session-busy',
    `The process ${pid} on ${host} writes the session "${id}"${begun}.`,
    'Wait until it has ended its turn, or end that process.',
  );
}

export function takenId(what: 'a session' | 'an entry', id: string): ToolfoldError {
  return new ToolfoldError(
    'invalid-option',
    `There is ${what} "${id}" already.`,
    'Give another id, or none.',
  );
}

export function unknownLeaf(id: string): ToolfoldError {
  return new ToolfoldError(
    'invalid-option',
    `There is no entry "${id}" that a session could begin with.`,
    'Use the id of an entry in this store.',
  );
}

/** Throws `session-lost` if the entries do not follow the last one of a session, each the one before it. */
export function checkOrder(
  { id, leaf, seq }: Pick<SessionRecord, 'id' | 'leaf' | 'seq'>,
  entries: readonly Entry[],
): void {
  let last: Pick<Entry, 'id' | 'seq'> = { id: leaf ?? '', seq };
  for (const entry of entries) {
    if ((entry.parent ?? '') !== last.id || entry.seq !== last.seq + 1) {
      throw new ToolfoldError(
        'session-lost',
        `The entry ${entry.seq} does not follow the last entry of the session "${id}", which is ${last.seq}.`,
        'Open the session again.',
      );
    }
    last = entry;
  }
}

/** Throws `session-damaged` if one of a session's entries stands for lost ones. */
export function checkWhole(entries: readonly Entry[], id: string): void {
  const gap = entries.find(({ kind }) => kind === MISSING_ENTRY);
  if (!gap) return;
  const before = gap.seq - 1;
  const fork = before === 0 ? '' : ` To continue before the gap, fork it at entry ${before}.`;
  throw new ToolfoldError(
    'session-damaged',
    `The session "${id}" cannot be continued: damage of its file has destroyed entry ${gap.seq}, and maybe later ones.`,
    `What is left can be read and exported: toolfold sessions show ${id}.${fork}`,
  );
}
