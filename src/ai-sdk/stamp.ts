import type {
  JSONObject,
  SharedV4ProviderMetadata,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider';
import { isRecord, own } from '../tools/json.ts';

/** The key under which everything of Toolfold's travels in provider metadata. */
export const KEY = 'toolfold';

/**
 * What the model wrote, kept with the call the SDK sees. It comes back as provider options, through
 * JSON and UI messages alike. Short keys: it is stored once per call, and the UI stores it twice.
 */
export interface Stamp {
  /** The name on the wire. */
  readonly n: string;
  /** The input as raw text. */
  readonly r: string;
  /** Its place among the calls of its response: UI messages keep the order in which calls began. */
  readonly o: number;
  /** The answer to send instead of the SDK's own error text. */
  readonly e?: string;
  /** The call has not been judged: neither its arguments nor the app's hooks have been asked. */
  readonly u?: true;
}

export function withStamp(
  metadata: SharedV4ProviderMetadata | undefined,
  stamp: Stamp,
): SharedV4ProviderMetadata {
  return { ...metadata, [KEY]: { ...stamp } as JSONObject };
}

export function readStamp(options: SharedV4ProviderOptions | undefined): Stamp | undefined {
  const stamp = own(options, KEY);
  const n = own(stamp, 'n');
  const r = own(stamp, 'r');
  const o = own(stamp, 'o');
  const e = own(stamp, 'e');
  // A browser may hold these messages: what does not look like a stamp is none.
  if (typeof n !== 'string' || typeof r !== 'string' || !/^[\w-]{1,128}$/.test(n)) return;
  const order = typeof o === 'number' ? o : 0;
  const isUnjudged = own(stamp, 'u') === true ? { u: true as const } : {};
  const stamped = { n, r, o: order, ...isUnjudged };
  return typeof e === 'string' ? { ...stamped, e } : stamped;
}

/** Provider options without Toolfold's, undefined where nothing else is in them. */
export function withoutStamp(
  options: SharedV4ProviderOptions | undefined,
): SharedV4ProviderOptions | undefined {
  if (!options || !Object.hasOwn(options, KEY)) return options;
  const { [KEY]: _, ...rest } = options;
  return Object.keys(rest).length > 0 ? rest : undefined;
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

/** The input as an object, which some providers insist on; text that is none in one fixed form. */
export function wireInput(raw: string): Record<string, unknown> {
  const value = readInput(raw);
  if (isRecord(value)) return value;
  return raw.trim() === '' ? {} : { malformed_input: raw };
}
