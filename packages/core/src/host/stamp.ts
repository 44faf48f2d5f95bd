import { hashText } from '../tool/index.ts';
import {
  isRecord,
  type JsonValue,
  ownProperties,
  ownProperty,
  parsedJson,
} from '../values/index.ts';
import { inputText, projectedText } from './input-text.ts';

/** The key of Toolfold's data in provider metadata. */
export const KEY = 'toolfold';

/**
 * The call as the model wrote it, kept in the metadata of the host's call. It survives JSON and UI
 * messages. A browser may hold and change it, so nothing in it allows a call to run. The keys are
 * short because every call stores one stamp, and UI messages store it twice.
 */
export interface Stamp {
  /** The name on the wire. */
  readonly n: string;
  /** The input as raw text. */
  readonly r: string;
  /** Index among the calls of the response. UI messages keep the order in which calls began instead. */
  readonly o: number;
  /** The answer for the model that replaces the host's error text. */
  readonly e?: string;
  /** Digest of the host's name and input of the call. The answer and the approval hold only for these. */
  readonly c?: string;
  /** On a result: the output of the tool's `toModelOutput`. Another process may not have the tool. */
  readonly m?: JsonValue;
  /** On a result: the order of its keys. A store may sort them. */
  readonly q?: JsonValue;
  /** The format of the result, if it needs conversion for the model: `mcp`. */
  readonly f?: 'mcp';
  /** The round inside the model call that answered the call. On a result: the round of its call. */
  readonly k?: number;
  /** On a result of a round after which the model was asked again: content parts after its last call. */
  readonly z?: number;
  /** The id that the provider gave, if another call has it too or it is empty. */
  readonly i?: string;
  /** What was repaired in the arguments, for people. */
  readonly p?: readonly string[];
  /** The binding of the tool when the call was made. An approval holds only for this tool. */
  readonly d?: string;
}

type Metadata = Readonly<Record<string, unknown>>;

export function readStamp(options: Metadata | undefined): Stamp | undefined {
  const { n, r, o, e, i, f, k, c } = ownProperties(ownProperty(options, KEY));
  // A browser may have changed these messages: ignore anything that is not a valid stamp.
  if (typeof n !== 'string' || typeof r !== 'string' || !/^[\w-]{1,128}$/.test(n)) return;
  const common = {
    n,
    r,
    o: typeof o === 'number' ? o : 0,
    ...(f === 'mcp' ? { f: 'mcp' as const } : {}),
    ...(isCount(k) ? { k } : {}),
    ...(typeof i === 'string' && /^[\x21-\x7e]{0,256}$/.test(i) ? { i } : {}),
  };
  return typeof e === 'string' ? { ...common, ...digestOf(c), e } : common;
}

/** The digest of a call in a stamp. */
export type Digests = Pick<Stamp, 'c'>;

function digestOf(c: unknown): Digests {
  return typeof c === 'string' ? { c } : {};
}

/** The marks on a result: the round of its call, and the parts after the last call of that round. */
export function readRound(options: Metadata | undefined): Pick<Stamp, 'k' | 'z'> {
  const { k, z } = ownProperties(ownProperty(options, KEY));
  return { ...(isCount(k) ? { k } : {}), ...(isCount(z) ? { z } : {}) };
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0;
}

/**
 * A short digest of a call's name and input in the host, independent of the order of keys. `final`: the
 * input that the tool gets, if messages contain another one. `text`: the text of the input, if it is known.
 */
export function callDigest(
  name: string,
  input: unknown,
  final: unknown = input,
  text: string = inputText(input),
): string {
  const isSame = final === input || inputText(final) === text;
  return `${name} ${hashText(isSame ? text : `${text} ${projectedText(final)}`, 16)}`;
}

/** Whether a stamp was made for this call. False for a stamp without a digest. */
export function isDigestOf(
  { c }: Digests,
  name: string,
  input: unknown,
  final: unknown = input,
): boolean {
  return c !== undefined && c === callDigest(name, input, final);
}

/**
 * The answer to a refused call. Undefined if the call in the messages has changed since: the app
 * repaired it, and the tool ran. `isUnread`: the host reports that it could not read the input. The
 * host keeps an empty object in place of such an input.
 */
export function answerOf(
  { e, c }: Stamp,
  { name, input, isUnread }: { name: string; input: unknown; isUnread: boolean },
): string | undefined {
  if (e === undefined || c === undefined || isDigestOf({ c }, name, input)) return e;
  const isEmpty = isRecord(input) && Object.keys(input).length === 0;
  return isUnread && isEmpty && c.startsWith(`${name} `) ? e : undefined;
}

/** The binding and the digests that an approval of a call holds for, as far as the messages contain them. */
export function readBinding(options: Metadata | undefined): {
  readonly binding: string | undefined;
  readonly digests: Digests;
} {
  const { c, d } = ownProperties(ownProperty(options, KEY));
  return { binding: typeof d === 'string' ? d : undefined, digests: digestOf(c) };
}

/**
 * Binds the stamp in the metadata of a call to what the user is asked about: the app may have repaired or
 * refined the call since it arrived. Messages keep the metadata.
 */
export function rebindStamp(
  metadata: object | undefined,
  digest: string,
  binding: string | undefined,
): void {
  const stamp = ownProperty(metadata, KEY);
  if (!isRecord(stamp)) return;
  if (stamp.c !== digest) delete stamp.e;
  Object.assign(stamp, { c: digest }, binding === undefined ? {} : { d: binding });
}

/** Provider metadata without Toolfold's key; undefined if no other key is left. */
export function withoutStamp<M extends Metadata>(options: M | undefined): M | undefined {
  if (!options || !Object.hasOwn(options, KEY)) return options;
  const { [KEY]: _, ...rest } = options;
  return Object.keys(rest).length > 0 ? (rest as unknown as M) : undefined;
}

/** The input as the model meant it: the object that it wrote, or the text if it is no object. */
export function readInput(raw: string): unknown {
  const value = parsedJson(raw);
  return isRecord(value) ? value : raw;
}

/**
 * The input as an object, because some providers require one. Other text is wrapped as
 * `{ malformed_input }`. `value`: the parsed text, if the caller has it.
 */
export function wireInput(raw: string, value: unknown = readInput(raw)): Record<string, unknown> {
  if (isRecord(value)) return value;
  return raw.trim() === '' ? {} : { malformed_input: raw };
}
