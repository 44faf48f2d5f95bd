import type { Turn } from '../../tools/calls/index.ts';
import { Recent } from '../../tools/values/index.ts';
import type { Refusal } from './answer.ts';
import type { Subject } from './subject.ts';

/** Arrivals remembered by what they say, at most; older ones are forgotten. */
const LIMIT = 1_000;
/** Arrivals kept that say the same, at most. */
const ALIKE = 100;

/** What was decided of a call when it came from the model. */
export interface Arrival {
  readonly id: string;
  /** The tool's name as the host has it. */
  readonly name: string;
  readonly wireName: string;
  /** What travels with the call, and with its result. */
  readonly metadata: object;
  /** The request that the call came back on. */
  readonly turn: Turn;
  /** The text of the input that the tool is expected to be asked for with. */
  readonly expected: string;
  readonly decision:
    | { readonly kind: 'allowed'; readonly subject: Subject; readonly ask: boolean }
    /** `isFinal`: whatever is made of the call on its way, it stays refused. */
    | { readonly kind: 'refused'; readonly refusal: Refusal; readonly isFinal: boolean };
}

/** A call as it is looked for. */
export interface Sought {
  readonly id: string;
  readonly name: string;
  /** The text of its input. */
  readonly text: string;
  /** The metadata that the arrival was kept with, where the host passes it on. */
  readonly metadata: object | undefined;
}

interface Kept {
  readonly owner: Arrivals;
  readonly arrival: Arrival;
}

/** Known to all, so that tools of one view see what another view's model has decided. */
const byMetadata = new WeakMap<object, Kept>();

/**
 * What was decided of calls on their way in. It only saves work: what is not found here is judged
 * anew. A call is known by the identity of its metadata; where a host does not pass that on, by id,
 * name and input, as long as all that is kept under these says the same.
 */
export class Arrivals {
  readonly #byText = new Recent<Arrival[]>(LIMIT);
  /** By id and name, whether the host has asked here since if the call may run. */
  readonly #seen = new Recent<boolean>(LIMIT);

  keep(arrival: Arrival): void {
    const { id, name, expected, metadata } = arrival;
    byMetadata.set(metadata, { owner: this, arrival });
    const key = keyOf(id, name, expected);
    this.#byText.set(key, [...(this.#byText.get(key) ?? []), arrival].slice(-ALIKE));
    this.see({ id, name });
  }

  /** Takes note of a call that comes from this view's model, whatever its input is. */
  see({ id, name }: Pick<Sought, 'id' | 'name'>): void {
    this.#seen.set(keyOf(id, name), false);
  }

  /** Takes note that the host asks here whether such a call may run. */
  seeAsked({ id, name }: Pick<Sought, 'id' | 'name'>): void {
    if (this.#seen.get(keyOf(id, name)) !== undefined) this.#seen.set(keyOf(id, name), true);
  }

  /** Whether such a call came from this view's model, and the host has not asked here if it may run. */
  isPassedBy({ id, name }: Pick<Sought, 'id' | 'name'>): boolean {
    return this.#seen.get(keyOf(id, name)) === false;
  }

  /** This view's decision, once. */
  take({ id, name, text, metadata }: Sought): Arrival | undefined {
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

  /** What the model of another view has decided. */
  elsewhere(metadata: object | undefined): Arrival | undefined {
    const kept = metadata && byMetadata.get(metadata);
    return kept && kept.owner !== this ? kept.arrival : undefined;
  }

  #drop(key: string, arrival: Arrival): void {
    const left = (this.#byText.get(key) ?? []).filter((other) => other !== arrival);
    if (left.length > 0) this.#byText.set(key, left);
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
