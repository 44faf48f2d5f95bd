import type { Turn } from '../../tools/calls/index.ts';
import { Recent } from '../../tools/values/index.ts';
import type { Refusal } from './answer.ts';
import type { Subject } from './subject.ts';

/** Maximum number of keys (id, name, input) that arrivals are kept under. The oldest are dropped. */
const LIMIT = 1_000;
/** Maximum number of arrivals under one key. */
const LIMIT_PER_KEY = 100;

/** The decision about a call when it came from the model. */
export interface Arrival {
  readonly id: string;
  /** The name of the tool in the host. */
  readonly name: string;
  readonly wireName: string;
  /** The provider metadata of the call, which the host passes on with the call and its result. */
  readonly metadata: object;
  /** The turn of the request that the call answers. */
  readonly turn: Turn;
  /** The text of the input that the host is expected to call the tool with. */
  readonly expected: string;
  readonly decision:
    | { readonly kind: 'allowed'; readonly subject: Subject; readonly ask: boolean }
    /** `isFinal`: the call stays refused even if its name or input changes on the way to the tool. */
    | { readonly kind: 'refused'; readonly refusal: Refusal; readonly isFinal: boolean };
}

/** What identifies a call in a look-up. */
export interface ArrivalQuery {
  readonly id: string;
  readonly name: string;
  /** The text of the input. */
  readonly text: string;
  /** The metadata object of the arrival; undefined where the host does not pass it on. */
  readonly metadata: object | undefined;
}

interface Kept {
  readonly owner: Arrivals;
  readonly arrival: Arrival;
}

/** Shared by all views: a tool of one view has to see the decision of another view. */
const byMetadata = new WeakMap<object, Kept>();

/**
 * The decisions about calls that came from the model. They only save work: a call without an entry is
 * decided again. A call is found by the identity of its metadata object. Where the host does not pass
 * the metadata on, it is found by id, name and input, if all arrivals under this key agree.
 */
export class Arrivals {
  readonly #byText = new Recent<Arrival[]>(LIMIT);
  /** By id and name: whether the host has asked this view for approval of the call. */
  readonly #approvalAsked = new Recent<boolean>(LIMIT);

  keep(arrival: Arrival): void {
    const { id, name, expected, metadata } = arrival;
    byMetadata.set(metadata, { owner: this, arrival });
    const key = keyOf(id, name, expected);
    this.#byText.set(key, [...(this.#byText.get(key) ?? []), arrival].slice(-LIMIT_PER_KEY));
    this.noteCall({ id, name });
  }

  /** Records that a call came from the model of this view. The input does not matter. */
  noteCall({ id, name }: Pick<ArrivalQuery, 'id' | 'name'>): void {
    this.#approvalAsked.set(keyOf(id, name), false);
  }

  /** Records that the host asks this view for approval of the call. */
  noteApprovalAsked({ id, name }: Pick<ArrivalQuery, 'id' | 'name'>): void {
    const key = keyOf(id, name);
    if (this.#approvalAsked.get(key) !== undefined) this.#approvalAsked.set(key, true);
  }

  /** Whether the call came from the model of this view, and the host has not asked for its approval. */
  skippedApproval({ id, name }: Pick<ArrivalQuery, 'id' | 'name'>): boolean {
    return this.#approvalAsked.get(keyOf(id, name)) === false;
  }

  /** Removes and returns the arrival of a call in this view. */
  take({ id, name, text, metadata }: ArrivalQuery): Arrival | undefined {
    const kept = metadata && byMetadata.get(metadata);
    if (kept) {
      if (kept.owner !== this) return;
      const { arrival } = kept;
      byMetadata.delete(metadata);
      this.#drop(keyOf(arrival.id, arrival.name, arrival.expected), arrival);
      return arrival;
    }
    const key = keyOf(id, name, text);
    const [first, ...others] = this.#byText.get(key) ?? [];
    if (!first || others.some((other) => !isAlike(other, first))) return;
    this.#drop(key, first);
    return first;
  }

  /** The arrival of a call in another view. */
  inOtherView(metadata: object | undefined): Arrival | undefined {
    const kept = metadata && byMetadata.get(metadata);
    return kept && kept.owner !== this ? kept.arrival : undefined;
  }

  #drop(key: string, arrival: Arrival): void {
    const others = (this.#byText.get(key) ?? []).filter((other) => other !== arrival);
    if (others.length > 0) this.#byText.set(key, others);
    else this.#byText.delete(key);
  }
}

function keyOf(...parts: readonly string[]): string {
  return JSON.stringify(parts);
}

function isAlike({ decision: one }: Arrival, { decision: other }: Arrival): boolean {
  if (one.kind === 'allowed' && other.kind === 'allowed')
    return one.ask === other.ask && one.subject.tool?.tool === other.subject.tool?.tool;
  return one.kind === 'refused' && other.kind === 'refused' && one.isFinal === other.isFinal;
}
