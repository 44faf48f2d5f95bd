import {
  canonicalJson,
  exactJson,
  firstBig,
  isRecord,
  type JsonSchema,
  visibleText,
} from '../values/index.ts';
import type { CheckableSchema } from './checkable-schema.ts';
import type { SchemaLocation } from './references.ts';
import { CheckState, Spot } from './run.ts';

/** What a repair may do. */
export interface RepairOptions {
  /** Whether values that say nothing may be left out. */
  readonly mayDrop: boolean;
  /** Whether digits may become a bigint where no number holds them. */
  readonly mayBeBig: boolean;
}

/** Arguments that were repaired, and what was changed, for people. */
export interface Repair {
  readonly value: unknown;
  /** At least one; each names a place and the change. */
  readonly changes: readonly string[];
}

/** The maximum depth of values that are repaired, and of schemas that lead to them. */
const MAX_DEPTH = 40;
/** The maximum number of readings of one value. Where there are more, none is chosen: one that is not followed may be valid too. */
const MAX_READINGS = 4;
const MAX_CHANGES = 10;
/** The maximum length of a place in a change. */
const MAX_POINTER = 80;

/** One way to understand a value that the schema refuses as it is. */
interface Interpretation {
  readonly value: unknown;
  readonly changes: readonly string[];
}

/** A place in the arguments, with its schema. */
interface At {
  readonly place: SchemaLocation;
  readonly pointer: string;
  readonly depth: number;
}

/**
 * Repairs arguments that the schema refuses: `null` and `""` of optional fields are left out (only if
 * `may.mayDrop`), JSON text becomes the list or object that it writes, and digits become a number. A value that
 * is valid where it stands is never changed. Undefined unless exactly one valid reading exists, and if that
 * takes too much work.
 */
export function repairBySchema(
  schema: CheckableSchema,
  value: unknown,
  may: RepairOptions,
  run: CheckState = new CheckState(),
): Repair | undefined {
  try {
    const at = { place: schema.root, pointer: '', depth: 0 };
    const [only, ...others] = new Repairing(schema, may, run).readings(at, value);
    return only?.changes.length && others.length === 0 ? only : undefined;
  } catch {
    // The work is spent, or the schema cannot be used: the arguments are refused as they are.
    return;
  }
}

class Repairing {
  readonly #schema: CheckableSchema;
  readonly #may: RepairOptions;
  readonly #run: CheckState;

  constructor(schema: CheckableSchema, may: RepairOptions, run: CheckState) {
    this.#schema = schema;
    this.#may = may;
    this.#run = run;
  }

  /** The readings of a value that its schema accepts; the value alone, if it is valid. */
  readings(at: At, value: unknown): readonly Interpretation[] {
    if (this.#isValid(at.place, value)) return [{ value, changes: [] }];
    const { source } = at.place;
    if (!isRecord(source) || at.depth > MAX_DEPTH) return [];
    if (typeof value === 'string') return this.#ofText(at, value);
    if (typeof value !== 'object' || value === null) return [];
    const steps: ((reading: Interpretation) => readonly Interpretation[])[] = [
      ({ value }) => this.#ofMembers(at, source, value),
      ...this.#targets(at, source).map((target) => (reading: Interpretation) => [
        ...this.readings(target, reading.value),
      ]),
      ...alternatives(at, source).map((branches) => (reading: Interpretation) => [
        ...branches.flatMap((branch) => this.readings(branch, reading.value)),
      ]),
    ];
    let found: readonly Interpretation[] = [{ value, changes: [] }];
    for (const step of steps)
      found = distinct(
        found.flatMap((reading) =>
          step(reading).map(({ value, changes }) => ({
            value,
            changes: joined(reading.changes, changes),
          })),
        ),
      );
    return found.filter((reading) => this.#isValid(at.place, reading.value));
  }

  #isValid(place: SchemaLocation, value: unknown): boolean {
    const run = this.#run;
    run.problems.length = 0;
    run.isPartial = false;
    const isValid = this.#schema.visitOf(place)(new Spot(run, value));
    return isValid || (run.isPartial && !run.problems.some(({ isCertain }) => isCertain));
  }

  /** A text that writes a number, a list or an object. */
  #ofText(at: At, text: string): readonly Interpretation[] {
    const meant = writtenIn(text, this.#may.mayBeBig);
    if (meant === undefined) return [];
    const what =
      typeof meant === 'number' || typeof meant === 'bigint'
        ? 'a number'
        : `${listOrObject(meant)} in JSON`;
    const change = `${shownPlace(at.pointer)}: the text was read as ${what}`;
    return this.readings({ ...at, depth: at.depth + 1 }, meant).map(({ value, changes }) => ({
      value,
      changes: joined([change], changes),
    }));
  }

  /** The readings of the members of a list or an object. */
  #ofMembers(at: At, source: JsonSchema, value: unknown): readonly Interpretation[] {
    const entries = Object.entries(value as object);
    let found: readonly { members: [string, unknown][]; changes: readonly string[] }[] = [
      { members: [], changes: [] },
    ];
    for (const [key, member] of entries) {
      const place = memberPlace(at.place, source, key, Array.isArray(value));
      const pointer = `${at.pointer}/${key}`;
      const next = { pointer, depth: at.depth + 1 };
      const readings: readonly Interpretation[] = place
        ? this.readings({ ...next, place }, member)
        : [{ value: member, changes: [] }];
      const isLeftOut = readings.length === 0 && this.#mayLeaveOut(source, key, member);
      if (readings.length === 0 && !isLeftOut) return [];
      if (isLeftOut) {
        const change = `${shownPlace(pointer)}: ${JSON.stringify(member)} was left out`;
        found = found.map((one) => ({ ...one, changes: joined(one.changes, [change]) }));
        continue;
      }
      const [only] = readings;
      if (only && readings.length === 1) {
        for (const one of found) one.members.push([key, only.value]);
        if (only.changes.length > 0)
          found = found.map((one) => ({ ...one, changes: joined(one.changes, only.changes) }));
        continue;
      }
      found = followed(
        found.flatMap(({ members, changes }) =>
          readings.map((reading) => ({
            members: [...members, [key, reading.value] as [string, unknown]],
            changes: joined(changes, reading.changes),
          })),
        ),
      );
    }
    return found.map(({ members, changes }) => ({
      value: Array.isArray(value)
        ? members.map(([, member]) => member)
        : Object.fromEntries(members),
      changes,
    }));
  }

  /** Whether a value says nothing and its field is declared as an optional one. */
  #mayLeaveOut({ properties, required }: JsonSchema, key: string, member: unknown): boolean {
    if (!this.#may.mayDrop || (member !== null && member !== '')) return false;
    const isDeclared = isRecord(properties) && Object.hasOwn(properties, key);
    return isDeclared && !(Array.isArray(required) && required.includes(key));
  }

  /** The schemas that a value must follow as well. */
  #targets({ place, ...at }: At, { $ref, allOf }: JsonSchema): At[] {
    const target = typeof $ref === 'string' ? this.#schema.placeOf($ref, place, this.#run) : null;
    const all = Array.isArray(allOf) ? allOf : [];
    const places = all.map((source, index) => place.within(source, `allOf/${index}`));
    const depth = at.depth + 1;
    return [...(target ? [target] : []), ...places].map((next) => ({ ...at, place: next, depth }));
  }
}

/** The lists of schemas of which a value must follow one. */
function alternatives({ place, ...at }: At, source: JsonSchema): At[][] {
  return ['anyOf', 'oneOf'].flatMap((keyword) => {
    const list = source[keyword];
    if (!Array.isArray(list)) return [];
    const branches = list.map((branch: unknown, index) => ({
      ...at,
      place: place.within(branch, `${keyword}/${index}`),
      depth: at.depth + 1,
    }));
    return [branches];
  });
}

/** The schema of one member, if the schema of the whole has one for it. */
function memberPlace(
  place: SchemaLocation,
  { properties, additionalProperties, patternProperties, items, prefixItems }: JsonSchema,
  key: string,
  isList: boolean,
): SchemaLocation | undefined {
  if (isList) {
    const first: unknown[] = Array.isArray(prefixItems) ? prefixItems : listOf(items);
    const index = Number(key);
    if (index < first.length) return place.within(first[index], `items/${key}`);
    return isRecord(items) ? place.within(items, 'items') : undefined;
  }
  if (isRecord(properties) && Object.hasOwn(properties, key))
    return place.within(properties[key], `properties/${key}`);
  const isOther = isRecord(additionalProperties) && patternProperties === undefined;
  return isOther ? place.within(additionalProperties, 'additionalProperties') : undefined;
}

function listOf(items: unknown): unknown[] {
  return Array.isArray(items) ? items : [];
}

/**
 * The number, list or object that a text writes; undefined for any other text. Digits count only if the number is
 * written in the same way: `007` is no number that we may choose, and 12345678901234567890 only as a bigint.
 */
function writtenIn(text: string, mayBeBig: boolean): unknown {
  const number = Number(text);
  if (Number.isFinite(number) && String(number) === text) return number;
  const isDigits = /^-?[1-9]\d{15,}$/.test(text);
  if (!isDigits && !/^\s*[[{]/.test(text)) return;
  try {
    const read = exactJson(text);
    // Which of the values of a repeated key is meant, nobody knows.
    if (hasRepeatedKey(text)) return;
    if ('lost' in read || (!mayBeBig && firstBig(read.value) !== undefined)) return;
    return read.value;
  } catch {
    return;
  }
}

/** Whether an object in a JSON text has a key twice. */
function hasRepeatedKey(text: string): boolean {
  const open: (Set<string> | undefined)[] = [];
  for (const [token, string, colon] of text.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?|[{}[\]]/g)) {
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(undefined);
    else if (token === '}' || token === ']') open.pop();
    else if (string !== undefined && colon !== undefined) {
      const keys = open.at(-1);
      const key = String(JSON.parse(string));
      if (keys?.has(key)) return true;
      keys?.add(key);
    }
  }
  return false;
}

function listOrObject(value: unknown): string {
  return Array.isArray(value) ? 'a list' : 'an object';
}

function shownPlace(pointer: string): string {
  return visibleText(pointer || '/', MAX_POINTER);
}

/** The first changes: a list of thousands may need one for each item. */
function joined(first: readonly string[], then: readonly string[]): readonly string[] {
  if (then.length === 0 || first.length >= MAX_CHANGES) return first;
  return [...first, ...then].slice(0, MAX_CHANGES);
}

function distinct(readings: readonly Interpretation[]): readonly Interpretation[] {
  if (readings.length < 2) return readings;
  const byText = new Map(readings.map((reading) => [canonicalJson(reading.value), reading]));
  return followed([...byText.values()]);
}

/** The readings, if all of them can be followed. Throws if not. */
function followed<T>(readings: readonly T[]): readonly T[] {
  if (readings.length > MAX_READINGS) throw new Error('It has too many readings.');
  return readings;
}
