import { hashText, isRecord, type JsonValue, own } from '../../tools/values/index.ts';
import { inputText } from './input-text.ts';

/** The key under which everything of Toolfold's travels in provider metadata. */
export const KEY = 'toolfold';

/**
 * What the model wrote, kept with the call that the host sees. It comes back with the messages,
 * through JSON and UI messages alike. A browser may hold it: nothing in it makes a call run. Short
 * keys: it is stored once per call, and the UI stores it twice.
 */
export interface Stamp {
  /** The name on the wire. */
  readonly n: string;
  /** The input as raw text. */
  readonly r: string;
  /** Its place among the calls of its response: UI messages keep the order in which calls began. */
  readonly o: number;
  /** The answer to send instead of the host's own error text. */
  readonly e?: string;
  /** The host's name and input of the call: an answer, and an approval, is about these. */
  readonly t?: string;
  /** On a result: what its tool wants a model to be shown of it, which may not be there another time. */
  readonly m?: JsonValue;
  /** The format of its result, where it is not what the tool returned: `mcp`. */
  readonly f?: 'mcp';
  /** What the tool was known by when the call was made: an approval is for that tool. */
  readonly d?: string;
}

type Metadata = Readonly<Record<string, unknown>>;

export function readStamp(options: Metadata | undefined): Stamp | undefined {
  const stamp = own(options, KEY);
  const n = own(stamp, 'n');
  const r = own(stamp, 'r');
  const o = own(stamp, 'o');
  const e = own(stamp, 'e');
  // A browser may hold these messages: what does not look like a stamp is none.
  if (typeof n !== 'string' || typeof r !== 'string' || !/^[\w-]{1,128}$/.test(n)) return;
  const order = typeof o === 'number' ? o : 0;
  const stamped = { n, r, o: order };
  const t = own(stamp, 't');
  const about = typeof t === 'string' ? { t } : {};
  const format = own(stamp, 'f') === 'mcp' ? { f: 'mcp' as const } : {};
  return typeof e === 'string' ? { ...stamped, ...format, ...about, e } : { ...stamped, ...format };
}

/** The host's name and input of a call, as a short text. */
export function aboutOf(name: string, input: unknown): string {
  return `${name} ${hashText(inputText(input), 16)}`;
}

/**
 * The answer to a refused call; undefined where the call in the messages is another one by now: the
 * app repaired it, and the tool ran. `isUnread` says whether the host reports that it could not read
 * the input; it keeps an empty object in place of such an input.
 */
export function answerOf(
  stamp: Stamp,
  { name, input, isUnread }: { name: string; input: unknown; isUnread: boolean },
): string | undefined {
  const { e, t } = stamp;
  if (e === undefined || t === undefined || t === aboutOf(name, input)) return e;
  const isEmpty = isRecord(input) && Object.keys(input).length === 0;
  return isUnread && isEmpty && t.startsWith(`${name} `) ? e : undefined;
}

/** What an approval of a call is for, as the messages have it; undefined where nobody says. */
export function readBinding(options: Metadata | undefined): {
  readonly binding: string | undefined;
  readonly about: string | undefined;
} {
  const stamp = own(options, KEY);
  const [binding, about] = [own(stamp, 'd'), own(stamp, 't')];
  return {
    binding: typeof binding === 'string' ? binding : undefined,
    about: typeof about === 'string' ? about : undefined,
  };
}

/** Provider metadata without Toolfold's, undefined where nothing else is in it. */
export function withoutStamp<M extends Metadata>(options: M | undefined): M | undefined {
  if (!options || !Object.hasOwn(options, KEY)) return options;
  const { [KEY]: _, ...rest } = options;
  return Object.keys(rest).length > 0 ? (rest as unknown as M) : undefined;
}

/** The input as the model meant it: the object it wrote, else its text. */
export function readInput(raw: string): unknown {
  try {
    const value: unknown = JSON.parse(raw);
    if (isRecord(value)) return value;
  } catch {
    // Not JSON: the text itself is all there is.
  }
  return raw;
}

/**
 * The input as an object, which some providers insist on; text that is none in one fixed form.
 * `value`: what the text was parsed to, where that is known.
 */
export function wireInput(raw: string, value: unknown = readInput(raw)): Record<string, unknown> {
  if (isRecord(value)) return value;
  return raw.trim() === '' ? {} : { malformed_input: raw };
}
