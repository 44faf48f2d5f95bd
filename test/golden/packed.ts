/** A value in place of which a file has its number: `{ "$": 3 }`. */
interface Reference {
  readonly $: number;
}

/** Values of at least this many characters of JSON are written once. */
const LONG = 40;

/** How long a line may be. */
const LINE = 160;

/** A value as JSON in which equal long parts are written once: most requests begin alike. */
export function packed(value: unknown): string {
  const counts = new Map<string, number>();
  count(value, counts);
  const numbers = new Map<string, number>();
  const values: string[] = [];
  const shorten = (part: unknown): unknown => {
    const text = textOf(part);
    if (text === undefined || (counts.get(text) ?? 0) < 2) return mapped(part, shorten);
    if (!numbers.has(text)) {
      const short = JSON.stringify(mapped(part, shorten));
      numbers.set(text, values.push(short) - 1);
    }
    return { $: numbers.get(text) };
  };
  const short = broken(shorten(value), '');
  return `{"values":[\n${values.join(',\n')}\n],\n"value":${short}}\n`;
}

/** JSON with a line for each part that is short enough for one. */
function broken(value: unknown, indent: string): string {
  const text = JSON.stringify(value);
  if (typeof value !== 'object' || value === null || text.length <= LINE) return text;
  const isList = Array.isArray(value);
  const parts = Object.entries(value).map(
    ([key, part]) =>
      `${indent} ${isList ? '' : `${JSON.stringify(key)}:`}${broken(part, `${indent} `)}`,
  );
  const [open, close] = isList ? '[]' : '{}';
  return `${open}\n${parts.join(',\n')}\n${indent}${close}`;
}

/** Reads what `packed` has written. */
export function unpacked(text: string): unknown {
  const { values, value } = JSON.parse(text) as { values: unknown[]; value: unknown };
  const whole: unknown[] = [];
  const lengthen = (part: unknown): unknown =>
    isReference(part) ? whole[part.$] : mapped(part, lengthen);
  // A value refers only to values before it.
  for (const one of values) whole.push(lengthen(one));
  return lengthen(value);
}

function count(value: unknown, counts: Map<string, number>): void {
  const text = textOf(value);
  if (text !== undefined) {
    const known = counts.get(text) ?? 0;
    counts.set(text, known + 1);
    if (known > 0) return;
  }
  mapped(value, (part) => count(part, counts));
}

function textOf(value: unknown): string | undefined {
  if (typeof value !== 'object' && typeof value !== 'string') return undefined;
  const text = JSON.stringify(value);
  return text.length < LONG ? undefined : text;
}

function mapped(value: unknown, change: (part: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(change);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, change(part)]));
}

const isReference = (part: unknown): part is Reference =>
  typeof part === 'object' && part !== null && '$' in part;
