import type { ToolSet } from 'ai';
import type { WireTool } from '../wire/index.ts';

/** The SDK's tool set, which takes up tools as they become known; the SDK reads it at each step. */
export interface LiveSet {
  readonly tools: ToolSet;
  /** Whether a name is one of Toolfold's or of the app's own, offered in a step or not; since a moment. */
  readonly isKnown: (name: string, mark?: number) => boolean;
  /** This moment, for `isKnown`. */
  readonly mark: () => number;
  /** Takes in what a tool of this set makes of itself: a caller of tools is bound to them. */
  readonly adopt: (tool: ToolSet[string]) => ToolSet[string];
  /** Whether a name is that of a bridge tool which runs an operation. */
  readonly isBridge: (name: string) => boolean;
  /** Adds what has become known since; says what that was. */
  readonly extend: () => ReadonlySet<string>;
  /** Whether a tool of this set is run by Toolfold, and not where the answer is read. */
  readonly runs: (name: string) => boolean;
  /** Whether a tool of the SDK's is one of this set's. */
  readonly holds: (tool: ToolSet[string] | undefined) => boolean;
  /** Whether a tool as it is sent is one of this set's. */
  readonly owns: (tool: WireTool) => boolean;
  /** Tells with which set the SDK works. */
  readonly noteUse: (tools: ToolSet | undefined) => void;
  /** What is known of the set that the SDK works with: this one, another one, or nothing yet. */
  readonly use: () => 'this' | 'copy' | 'unknown';
}

export interface LiveSetInputs {
  /** The app's tools, as the SDK is to have them. */
  readonly own: ToolSet;
  /** Names of the app's function tools, those outside the view too. */
  readonly ownNames: readonly string[];
  /** Bridge tools that run operations, and the executor. */
  readonly bridges: ToolSet;
  readonly executor: string | undefined;
  /** Deferred tools in the view, as far as they are known now. */
  readonly deferredNames: () => readonly string[];
  readonly placeholder: (name: string) => ToolSet[string];
  /** Whether a tool as it is sent is one of this set's: another view's set has tools of the same names. */
  readonly owns: (tool: WireTool) => boolean;
  /** The tool that answers for a name that the set lacks; undefined where the SDK is to answer. */
  readonly stray: (name: string) => ToolSet[string] | undefined;
}

/** A name that a model may call. */
const CALLABLE = /^[A-Za-z0-9_-]{1,128}$/;

/** The app's tools, a placeholder for each deferred one, bridge tools and the executor. */
export function createLiveSet(inputs: LiveSetInputs): LiveSet {
  const { own, bridges, executor, placeholder, stray, owns } = inputs;
  const target: ToolSet = { ...own };
  const ours = new WeakSet<object>();
  /** By name, how many were known before. */
  const known = new Map<string, number>();
  const know = (name: string) => known.set(name, known.size);
  for (const name of [...inputs.ownNames, ...Object.keys(bridges)]) know(name);
  const add = (name: string, tool: ToolSet[string]): ToolSet[string] => {
    // Where the app froze it, it stays as it is.
    if (Object.isExtensible(target)) target[name] = tool;
    return note(tool);
  };
  const note = (tool: ToolSet[string]) => {
    ours.add(tool);
    // A caller of tools is given copies of them.
    if (tool.execute) ours.add(tool.execute);
    return tool;
  };
  for (const tool of Object.values(own)) note(tool);
  const extend = () => {
    const fresh = new Set(inputs.deferredNames().filter((name) => !known.has(name)));
    for (const name of fresh) {
      know(name);
      add(name, placeholder(name));
    }
    return fresh;
  };
  extend();
  for (const [name, tool] of Object.entries(bridges)) add(name, tool);
  const tools = answering(target, (name) => {
    const tool = stray(name);
    return tool && note(tool);
  });
  let use: 'this' | 'copy' | 'unknown' = 'unknown';
  return {
    tools,
    isKnown: (name, mark = known.size) => (known.get(name) ?? mark) < mark,
    mark: () => known.size,
    adopt: note,
    isBridge: (name) => name !== executor && Object.hasOwn(bridges, name),
    extend,
    runs: (name) => Object.hasOwn(target, name) && target[name]?.execute !== undefined,
    holds: (tool) =>
      tool !== undefined &&
      (ours.has(tool) || (tool.execute !== undefined && ours.has(tool.execute))),
    owns,
    noteUse: (used) => {
      if (used) use = used === tools ? 'this' : 'copy';
    },
    use: () => use,
  };
}

/** Whether the set can answer for a name that it does not list: no such property means something else. */
export function isAnswerable(name: string): boolean {
  return CALLABLE.test(name) && !(name in Object.prototype) && !['then', 'toJSON'].includes(name);
}

/**
 * The set with an answer to every look-up of a name that a model may call, listed or not: an approval
 * of a tool that is not known here still gets a result. What is listed stays what there is.
 */
function answering(target: ToolSet, stray: (name: string) => ToolSet[string] | undefined): ToolSet {
  const find = (key: string | symbol): ToolSet[string] | undefined => {
    if (typeof key !== 'string' || Object.hasOwn(target, key)) return;
    // A frozen object has no place for what it does not list.
    if (!Object.isExtensible(target)) return;
    return isAnswerable(key) ? stray(key) : undefined;
  };
  return new Proxy(target, {
    set: (set, key, value) => Reflect.set(set, key, value),
    get: (set, key, receiver) => find(key) ?? Reflect.get(set, key, receiver),
    getOwnPropertyDescriptor: (set, key) => {
      const value = find(key);
      return value
        ? { value, writable: true, enumerable: false, configurable: true }
        : Reflect.getOwnPropertyDescriptor(set, key);
    },
  });
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
