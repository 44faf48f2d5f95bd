/**
 * A change from one state to the next. A tuple is a path and what happens there: `=` sets a value, `-` removes a key or
 * the end of a list, `+` appends to a text or a list, `<` takes so many from the beginning of a list.
 */
export type Change =
  | readonly ['=', Path, unknown]
  | readonly ['-', Path]
  | readonly ['+', Path, string | readonly unknown[]]
  | readonly ['<', Path, number];

export type Path = readonly (string | number)[];
export type Patch = readonly Change[];

/** The changes from `before` to `after`. What is the same object is not looked into. */
export function patchOf(before: unknown, after: unknown): Patch {
  const changes: Change[] = [];
  compare(before, after, [], changes);
  return changes;
}

function compare(before: unknown, after: unknown, path: Path, changes: Change[]): void {
  if (before === after) return;
  if (
    typeof before === 'string' &&
    typeof after === 'string' &&
    before !== '' &&
    after.startsWith(before)
  ) {
    changes.push(['+', path, after.slice(before.length)]);
  } else if (Array.isArray(before) && Array.isArray(after)) {
    compareLists(before, after, path, changes);
  } else if (isObject(before) && isObject(after)) {
    for (const key of Object.keys(before))
      if (after[key] === undefined) changes.push(['-', [...path, key]]);
    for (const [key, value] of Object.entries(after)) {
      if (value === undefined) continue;
      if (before[key] === undefined) changes.push(['=', [...path, key], value]);
      else compare(before[key], value, [...path, key], changes);
    }
  } else changes.push(['=', path, after]);
}

/** Lists change in place and at both ends: the beginning is lost where the first object is a later one of before. */
function compareLists(
  whole: readonly unknown[],
  after: readonly unknown[],
  path: Path,
  changes: Change[],
): void {
  const lost = isObject(after[0]) ? Math.max(0, whole.indexOf(after[0])) : 0;
  if (lost > 0) changes.push(['<', path, lost]);
  const before = whole.slice(lost);
  const both = Math.min(before.length, after.length);
  for (let at = 0; at < both; at += 1) compare(before[at], after[at], [...path, at], changes);
  if (after.length < before.length) changes.push(['-', [...path, after.length]]);
  if (after.length > both) changes.push(['+', path, after.slice(both)]);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The state after a patch. What no change is about stays the same object. Throws a `TypeError` if the patch does not fit. */
export function patched<T>(state: T, patch: Patch): T {
  return patch.reduce<unknown>((now, change) => changed(now, change, change[1]), state) as T;
}

function changed(value: unknown, change: Change, [key, ...rest]: Path): unknown {
  if (key === undefined) return ended(value, change);
  if (Array.isArray(value)) {
    const at = Number(key);
    if (rest.length === 0 && change[0] === '-') return value.slice(0, at);
    return value.with(at, changed(value[at], change, rest));
  }
  if (!isObject(value)) throw new TypeError(`A patch does not fit: there is nothing at "${key}".`);
  if (rest.length === 0 && change[0] === '-') {
    const { [key]: _, ...others } = value;
    return others;
  }
  return { ...value, [key]: changed(value[key], change, rest) };
}

function ended(value: unknown, [what, , given]: Change): unknown {
  if (what === '=') return given;
  if (what === '+' && typeof value === 'string' && typeof given === 'string') return value + given;
  if (what === '+' && Array.isArray(value) && Array.isArray(given)) return [...value, ...given];
  if (what === '<' && Array.isArray(value)) return value.slice(Number(given));
  throw new TypeError('A patch does not fit: another kind of value is there.');
}
