/** How many differences are printed. */
const MOST = 12;

/** What differs between two JSON values, one line each: `screen.turns[0].end: …`. Empty if they are equal. */
export function differences(expected: unknown, actual: unknown): string {
  const found: string[] = [];
  compare('', expected, actual, found);
  const rest = found.length - MOST;
  const shown = found.slice(0, MOST).join('\n');
  return rest > 0 ? `${shown}\n… and ${rest} more` : shown;
}

function compare(path: string, expected: unknown, actual: unknown, found: string[]): void {
  if (
    !isObject(expected) ||
    !isObject(actual) ||
    Array.isArray(expected) !== Array.isArray(actual)
  ) {
    if (Object.is(expected, actual)) return;
    const from = commonLength(expected, actual);
    found.push(`${path}:\n  expected ${shown(expected, from)}\n  but got  ${shown(actual, from)}`);
    return;
  }
  const keys = Object.keys(expected);
  const all = new Set([...keys, ...Object.keys(actual)]);
  for (const key of all) compare(pathOf(path, key, expected), expected[key], actual[key], found);
  // The bytes of a request count, so its keys keep their order too.
  const isWire = /(^|\.)requests\b/.test(path);
  const order = Object.keys(actual);
  if (isWire && keys.length === order.length && keys.some((key, at) => key !== order[at]))
    found.push(`${path}: the keys have another order: ${order.join(', ')}`);
}

const pathOf = (path: string, key: string, parent: object): string =>
  Array.isArray(parent) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** How many characters two texts share at their beginning. */
function commonLength(one: unknown, other: unknown): number {
  if (typeof one !== 'string' || typeof other !== 'string') return 0;
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
}

/** A value as JSON. Of a long text, the part around the place `from`. */
function shown(value: unknown, from: number): string {
  const start = Math.max(0, from - 60);
  const part = typeof value === 'string' ? value.slice(start) : value;
  const text = JSON.stringify(part) ?? 'nothing';
  const short = text.length > 400 ? `${text.slice(0, 400)}…` : text;
  return start > 0 ? `…${short}` : short;
}
