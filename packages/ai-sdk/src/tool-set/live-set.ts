import { jsonSchema, type Tool as SdkTool, type ToolSet } from 'ai';
import type { WireTool } from '../protocol/index.ts';
import { copyOfSchema, type SdkSchema, type SdkSchemas } from './sdk-schema.ts';

/** The tool set of the SDK. It gets new tools as they become known; the SDK reads it at each step. */
export interface LiveSet {
  readonly tools: ToolSet;
  /** Whether a name belongs to Toolfold or to the app's own tools, offered or not. With `mark`: whether it was known at that mark. */
  readonly isKnown: (name: string, mark?: number) => boolean;
  /** Those of the names that are not known so. */
  readonly unknownOf: (names: Iterable<string>, mark?: number) => Set<string>;
  /** A mark of the present state, for `isKnown` and `unknownOf`. */
  readonly mark: () => number;
  /** Registers a tool that a tool of this set created: the SDK binds a caller of tools to its tools. */
  readonly adopt: (tool: ToolSet[string]) => ToolSet[string];
  /** Whether a name is the name of a bridge tool, except the executor. */
  readonly isBridge: (name: string) => boolean;
  /** Adds tools that have become known. Returns their names. */
  readonly extend: () => ReadonlySet<string>;
  /** Whether Toolfold runs a tool of this set, and not the client. */
  readonly runs: (name: string) => boolean;
  /** The names that the set lists, without those that became known after the mark. */
  readonly names: (mark: number) => string[];
  /** Whether a tool of the SDK belongs to this set. */
  readonly holds: (tool: ToolSet[string] | undefined) => boolean;
  /** Records which tool set the SDK uses. */
  readonly noteUse: (tools: ToolSet | undefined) => void;
  /** Which tool set the SDK uses: this one, a copy, or not known yet. */
  readonly use: () => 'this' | 'copy' | 'unknown';
}

interface LiveSetInputs {
  /** The app's tools in the form for the SDK. */
  readonly own: ToolSet;
  /** Names of the app's function tools, including those outside the view. */
  readonly ownNames: readonly string[];
  /** The bridge tools and the executor. */
  readonly bridges: ToolSet;
  readonly executor: string | undefined;
  /** Names of the deferred tools in the view that are known now. */
  readonly deferredNames: () => readonly string[];
  readonly placeholder: (name: string) => ToolSet[string];
  readonly isPlaceholder: (tool: ToolSet[string]) => boolean;
  /** The tool that answers for a name that the set does not list; undefined if the SDK has to answer. */
  readonly unlisted: (name: string) => ToolSet[string] | undefined;
}

/** A name that a model may call. */
const CALLABLE = /^[A-Za-z0-9_-]{1,128}$/;

/** The app's tools, a placeholder for each deferred one, bridge tools and the executor. */
export function createLiveSet(inputs: LiveSetInputs): LiveSet {
  const { own, bridges, executor, placeholder, unlisted } = inputs;
  const target: ToolSet = { ...own };
  /** Its tools except the placeholders. */
  const ours = new WeakSet<object>();
  /** By name: the number of names that were known before. */
  const known = new Map<string, number>();
  const addKnown = (name: string) => known.set(name, known.size);
  for (const name of [...inputs.ownNames, ...Object.keys(bridges)]) addKnown(name);
  // The app may have frozen the set: then the tool is not added.
  const add = (name: string, tool: ToolSet[string]) => {
    if (Object.isExtensible(target)) target[name] = tool;
  };
  const register = (tool: ToolSet[string]) => {
    ours.add(tool);
    // The SDK gives copies of the tools to a caller of tools. A copy keeps `execute`.
    if (tool.execute) ours.add(tool.execute);
    return tool;
  };
  for (const tool of Object.values(own)) register(tool);
  const extend = () => {
    const fresh = new Set(inputs.deferredNames().filter((name) => !known.has(name)));
    for (const name of fresh) {
      addKnown(name);
      add(name, placeholder(name));
    }
    return fresh;
  };
  extend();
  for (const [name, tool] of Object.entries(bridges)) add(name, register(tool));
  const tools = answering(target, (name) => {
    const tool = unlisted(name);
    return tool && register(tool);
  });
  let use: 'this' | 'copy' | 'unknown' = 'unknown';
  return {
    tools,
    isKnown: (name, mark = known.size) => (known.get(name) ?? mark) < mark,
    unknownOf: (names, mark = known.size) => {
      const unknown = new Set<string>();
      for (const name of names) if ((known.get(name) ?? mark) >= mark) unknown.add(name);
      return unknown;
    },
    mark: () => known.size,
    names: (mark) =>
      mark === known.size
        ? Object.keys(target)
        : Object.keys(target).filter((name) => (known.get(name) ?? 0) < mark),
    adopt: register,
    isBridge: (name) => name !== executor && Object.hasOwn(bridges, name),
    extend,
    runs: (name) => Object.hasOwn(target, name) && target[name]?.execute !== undefined,
    holds: (tool) =>
      tool !== undefined &&
      (inputs.isPlaceholder(tool) ||
        ours.has(tool) ||
        (tool.execute !== undefined && ours.has(tool.execute))),
    noteUse: (used) => {
      if (used) use = used === tools ? 'this' : 'copy';
    },
    use: () => use,
  };
}

/** Whether the set can answer for a name that it does not list. Names of built-in properties have another meaning. */
export function isAnswerable(name: string): boolean {
  return CALLABLE.test(name) && !(name in Object.prototype) && !['then', 'toJSON'].includes(name);
}

/**
 * The set, with a tool for every name that a model may call, listed or not. So an approval of a tool
 * that is not known here still gets a result. Listing the keys gives only the real tools.
 */
function answering(
  target: ToolSet,
  unlisted: (name: string) => ToolSet[string] | undefined,
): ToolSet {
  const find = (key: string | symbol): ToolSet[string] | undefined => {
    // A proxy of a frozen object must not report properties that the object does not have.
    if (typeof key !== 'string' || !Object.isExtensible(target)) return;
    return isAnswerable(key) ? unlisted(key) : undefined;
  };
  return new Proxy(target, {
    set: (set, key, value) => Reflect.set(set, key, value),
    get: (set, key, receiver) =>
      Object.hasOwn(set, key) ? set[key as string] : (find(key) ?? Reflect.get(set, key, receiver)),
    getOwnPropertyDescriptor: (set, key) => {
      const listed = Reflect.getOwnPropertyDescriptor(set, key);
      const value = listed ? undefined : find(key);
      return value ? { value, writable: true, enumerable: false, configurable: true } : listed;
    },
  });
}

/** The sets to extend when the groups change. Each is dropped when no other reference to it exists. */
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

/** The marks of all views. A tool with one of them is Toolfold's. */
const made = new WeakSet<object>();

/** Whether a wire tool belongs to a view of Toolfold. False if the app replaced the tool. */
export function isMarked(tool: WireTool | undefined): boolean {
  const mark = tool && markOf(tool);
  return mark !== undefined && made.has(mark);
}

function markOf(tool: WireTool): object | undefined {
  const mark: unknown = tool.type === 'provider' ? tool.args : tool.inputSchema;
  return typeof mark === 'object' && mark !== null ? mark : undefined;
}

type Validate = NonNullable<SdkSchema['validate']>;
type Validated = Awaited<ReturnType<Validate>>;

const ANY_OBJECT = { type: 'object', properties: {} } as const;

/**
 * Marks the tools of one view, so that they can be recognized among the tools that the SDK sends. The
 * mark is a schema object of the view's own with the same content. A name would not do: tools of
 * another view have the same names.
 */
export class Marks {
  readonly #made = new WeakSet<object>();
  readonly #schemas: SdkSchemas;
  #anyObject: SdkSchema | undefined;

  constructor(schemas: SdkSchemas) {
    this.#schemas = schemas;
  }

  /** A copy of the tool's schema that is marked as this view's. `validate` is asked first. */
  schema(inputSchema: SdkTool['inputSchema'], validate?: Validate): SdkSchema {
    const schema = this.#schemas.of(inputSchema);
    const both: Validate | undefined =
      validate &&
      (async (value) => {
        const found = await validate(value);
        return found.success && schema.validate ? schema.validate(value) : found;
      });
    const check = schema.validate ? both : validate;
    return jsonSchema(
      () => {
        const described = schema.jsonSchema as object | PromiseLike<object>;
        return 'then' in described && typeof described.then === 'function'
          ? (described.then((value: object) => this.#marked(copyOfSchema(value))) as never)
          : (this.#marked(copyOfSchema(described)) as never);
      },
      check ? { validate: check } : {},
    );
  }

  /** A schema of any object that is marked as this view's. `validate` is asked. */
  anyObject(validate?: (value: unknown) => Validated): SdkSchema {
    this.#anyObject ??= this.schema(jsonSchema(ANY_OBJECT));
    return validate ? Object.assign(Object.create(this.#anyObject), { validate }) : this.#anyObject;
  }

  /** A copy of a provider tool's arguments that is marked as this view's. */
  args(args: object): object {
    return this.#marked({ ...args });
  }

  /** Whether a wire tool belongs to this view. */
  has(tool: WireTool): boolean {
    const mark = markOf(tool);
    return mark !== undefined && this.#made.has(mark);
  }

  #marked<T extends object>(copy: T): T {
    this.#made.add(copy);
    made.add(copy);
    return copy;
  }
}
