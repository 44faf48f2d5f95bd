/** Counts the changes of room in an order of entries. A room is a folder. */
import { dirname } from 'node:path';
import type { Place } from './entries.ts';

/** Counts by name, the highest first. */
export type Counts = readonly (readonly [name: string, count: number])[];

export interface Changes {
  /** Entries of functions that are in another room than the one entered before. Returning is not counted. */
  readonly changes: number;
  /** Those of them into a room that had been left before. */
  readonly back: number;
  readonly entries: number;
  /** By `file:line:column name`: how often each function is entered. */
  readonly functions: Counts;
  readonly files: Counts;
  /** By room: the changes into it. A room that is only the first one has none. */
  readonly rooms: Counts;
  /** By `room > room`. */
  readonly pairs: Counts;
  /** By `function > function`: the changes between two functions of different rooms. */
  readonly functionPairs: Counts;
}

export function changesOf(places: readonly Place[]): Changes {
  const functions = new Map<string, number>();
  const files = new Map<string, number>();
  const rooms = new Map<string, number>();
  const pairs = new Map<string, number>();
  const functionPairs = new Map<string, number>();
  let changes = 0;
  let back = 0;
  let last: Place | undefined;
  for (const place of places) {
    const room = dirname(place.file);
    const lastRoom = last && dirname(last.file);
    add(functions, labelOf(place));
    add(files, place.file);
    if (last && room !== lastRoom) {
      changes += 1;
      if (rooms.has(room)) back += 1;
      add(pairs, `${lastRoom} > ${room}`);
      add(functionPairs, `${labelOf(last)} > ${labelOf(place)}`);
      add(rooms, room);
    } else add(rooms, room, 0);
    last = place;
  }
  return {
    changes,
    back,
    entries: places.length,
    functions: sorted(functions),
    files: sorted(files),
    rooms: sorted(rooms),
    pairs: sorted(pairs),
    functionPairs: sorted(functionPairs),
  };
}

export function labelOf({ file, line, column, name }: Place): string {
  return `${file}:${line}:${column}${name && ` ${name}`}`;
}

function add(counts: Map<string, number>, name: string, more = 1): void {
  counts.set(name, (counts.get(name) ?? 0) + more);
}

function sorted(counts: ReadonlyMap<string, number>): Counts {
  return [...counts].sort(([, one], [, other]) => other - one);
}
