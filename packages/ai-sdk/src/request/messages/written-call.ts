import { KEY, readInput, readStamp, type Stamp, wireInput } from '@toolfold/core/internal/host';
import { callSignature } from '@toolfold/core/internal/tools/transcript';
import { isRecord, ownProperty } from '@toolfold/core/internal/tools/values';
import { anyInput } from '../../metadata/index.ts';
import { searchArguments } from '../../native/index.ts';
import { wellFormed } from '../../results/index.ts';

/** What the stamp of a call says that the model wrote. Each form is made when it is first needed. */
export class WrittenCall {
  readonly stamp: Stamp;
  #input: { readonly value: unknown } | undefined;
  #wireInput: Record<string, unknown> | undefined;
  #signature: string | undefined;

  constructor(stamp: Stamp) {
    this.stamp = stamp;
  }

  /** The input as the model meant it. */
  get input(): unknown {
    this.#input ??= { value: readInput(this.stamp.r) };
    return this.#input.value;
  }

  /** Equal for calls that are equal to the model. */
  get signature(): string {
    this.#signature ??= callSignature(this.stamp.n, this.input);
    return this.#signature;
  }

  /** The arguments of a call of a provider's search, without the wrapper that contains a call id. */
  get searchArguments(): unknown {
    return searchArguments(this.stamp.n, this.input);
  }

  /** The input in the form that providers take. `takesAny`: the provider's own tool takes any JSON. */
  wireInput(takesAny: boolean): unknown {
    if (takesAny) return wellFormed(anyInput(this.stamp.r));
    this.#wireInput ??= wellFormed(wireInput(this.stamp.r, this.input));
    return this.#wireInput;
  }
}

/** The fields of a stamp on a call. */
const FIELDS = ['n', 'r', 'o', 'e', 'c', 't', 'i', 'f', 'k'] as const;

interface Kept {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly written: WrittenCall;
}

const known = new WeakMap<object, Kept>();

/**
 * The call that the metadata of a call part describes; undefined without a valid stamp. It is kept with the
 * stamp: the SDK makes new parts for each request, but their metadata stays the same object. A stamp holds
 * the input as text, so nothing that a tool or an app does to the parsed input changes what is read here. A
 * stamp that was changed in place is read again.
 */
export function writtenCall(
  options: Readonly<Record<string, unknown>> | undefined,
): WrittenCall | undefined {
  const raw = ownProperty(options, KEY);
  if (!isRecord(raw)) return;
  const kept = known.get(raw);
  if (kept && FIELDS.every((key) => raw[key] === kept.fields[key])) return kept.written;
  const stamp = readStamp(options);
  if (!stamp) return;
  const written = new WrittenCall(stamp);
  known.set(raw, { fields: { ...raw }, written });
  return written;
}
