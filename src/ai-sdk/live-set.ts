import type { ToolSet } from 'ai';
import { bridgeFor, placeholderFor, type ToolSetInputs } from './tool-set.ts';

/** The SDK's tool set, which takes up tools as they become known; the SDK reads it at each step. */
export interface LiveSet {
  readonly tools: ToolSet;
  /** Whether a name is one of Toolfold's or of the app's own, offered in a step or not. */
  readonly isKnown: (name: string) => boolean;
  /** Adds what has become known since; says what that was. */
  readonly extend: () => ReadonlySet<string>;
}

export interface LiveSetInputs extends Omit<ToolSetInputs, 'extend'> {
  /** The app's tools, as the SDK is to have them. */
  readonly own: ToolSet;
  /** Names of the app's tools, those outside the view too. */
  readonly ownNames: readonly string[];
  /** Names of bridge tools that run operations. */
  readonly bridges: readonly string[];
  /** Deferred tools in the view, as far as they are known now. */
  readonly deferredNames: () => readonly string[];
}

/** The app's tools, a placeholder for each deferred one, bridge tools and the executor. */
export function createLiveSet(inputs: LiveSetInputs): LiveSet {
  const { own, bridges, executor } = inputs;
  const tools: ToolSet = { ...own };
  const known = new Set([...inputs.ownNames, ...bridges]);
  const extend = () => {
    const fresh = new Set(inputs.deferredNames().filter((name) => !known.has(name)));
    for (const name of fresh) {
      known.add(name);
      tools[name] = placeholderFor(parts, name);
    }
    return fresh;
  };
  const parts: ToolSetInputs = { ...inputs, extend };
  extend();
  for (const name of executor === undefined ? bridges : [...bridges, executor]) {
    known.add(name);
    tools[name] = bridgeFor(parts, name);
  }
  return { tools, isKnown: (name) => known.has(name), extend };
}

/** Sets to be told of changes, each forgotten when nothing else holds it. */
export class LiveSets {
  readonly #sets = new Set<WeakRef<LiveSet>>();
  readonly #gone = new FinalizationRegistry<WeakRef<LiveSet>>((set) => this.#sets.delete(set));

  add(set: LiveSet): void {
    const reference = new WeakRef(set);
    this.#sets.add(reference);
    this.#gone.register(set, reference);
  }

  extend(): void {
    for (const set of this.#sets) set.deref()?.extend();
  }
}
