import { isRecord, type JsonSchema } from '../values/index.ts';
import type { CheckState } from './run.ts';

/** The base address of a schema without an id. Nothing is ever fetched from it. */
const BASE = 'https://schema.invalid/';
/** Longer references are not resolved. */
const MAX_LENGTH = 2_000;
/** The maximum number of ids and anchors that are stored for one schema. */
const MAX_NAMED = 1_000;
/** Keywords whose values are never schemas. */
const LITERAL = new Set(['enum', 'const', 'default', 'examples', 'required']);
const LOOK = 0.1;
const READ_ADDRESS = 3;

/** A schema, or another value, inside a schema. */
export class SchemaLocation {
  readonly source: unknown;
  /** The pointer to it, for messages. */
  readonly at: string;
  readonly #around: SchemaLocation | undefined;
  #base: string | undefined;

  constructor(source: unknown, at = '', around?: SchemaLocation) {
    this.source = source;
    this.at = at;
    this.#around = around;
  }

  /** A place in this one, by the pointer to it from here. */
  within(source: unknown, at: string): SchemaLocation {
    return new SchemaLocation(source, `${this.at}/${at}`, this);
  }

  /** The base address of its relative references. */
  get base(): string {
    this.#base ??= baseOf(this.source, this.#around?.base ?? BASE);
    return this.#base;
  }
}

/** Resolves the references of one schema, each when a check first reaches it. */
export class References {
  readonly root: SchemaLocation;
  #named: ReadonlyMap<string, SchemaLocation> | undefined;

  constructor(root: JsonSchema) {
    this.root = new SchemaLocation(root);
  }

  /** What a reference at a place leads to; undefined if that is outside the schema or does not exist. */
  find(reference: string, { base }: SchemaLocation, run: CheckState): SchemaLocation | undefined {
    const address = reference.startsWith('#') ? `${base}${reference}` : resolved(reference, base);
    if (address.length > MAX_LENGTH) return;
    const [document = '', ...rest] = address.split('#');
    const fragment = rest.join('#');
    if (fragment !== '' && !fragment.startsWith('/')) return this.#names(run).get(address);
    const known = document === this.root.base || document === BASE;
    const start = known ? this.root : this.#names(run).get(document);
    return start && this.#follow(start, fragment, run);
  }

  #follow(start: SchemaLocation, pointer: string, run: CheckState): SchemaLocation | undefined {
    let place = start;
    for (const token of pointer.split('/').slice(1)) {
      run.spend(LOOK);
      const key = unescaped(token);
      const { source } = place;
      if (typeof source !== 'object' || source === null || !Object.hasOwn(source, key)) return;
      const member = (source as Record<string, unknown>)[key];
      place = place.within(member, key);
    }
    return isRecord(place.source) || typeof place.source === 'boolean' ? place : undefined;
  }

  /** All parts of the schema that have an id or anchor, by address. Read once. */
  #names(run: CheckState): ReadonlyMap<string, SchemaLocation> {
    if (this.#named) return this.#named;
    const named = new Map<string, SchemaLocation>();
    const seen = new Set<unknown>();
    const open: SchemaLocation[] = [this.root];
    for (let place = open.pop(); place; place = open.pop()) {
      const { source } = place;
      if (typeof source !== 'object' || source === null || seen.has(source)) continue;
      seen.add(source);
      const isSchema = isRecord(source);
      if (isSchema && named.size < MAX_NAMED) {
        const id = idOf(source);
        const { $anchor } = source;
        if (id !== undefined)
          named.set(id.startsWith('#') ? `${place.base}${id}` : place.base, place);
        if (typeof $anchor === 'string') named.set(`${place.base}#${$anchor}`, place);
      }
      for (const [key, member] of Object.entries(source)) {
        run.spend(isRecord(member) && idOf(member) ? READ_ADDRESS : LOOK);
        if (!isSchema || !LITERAL.has(key)) open.push(place.within(member, key));
      }
    }
    this.#named = named;
    return named;
  }
}

/** An id that is only a fragment is an anchor and does not change the base address. */
function baseOf(source: unknown, base: string): string {
  if (!isRecord(source)) return base;
  const id = idOf(source);
  if (id === undefined || id.startsWith('#')) return base;
  const [document = base] = resolved(id, base).split('#');
  return document;
}

function idOf({ $id, id }: JsonSchema): string | undefined {
  const found = $id ?? id;
  return typeof found === 'string' && found !== '' ? found : undefined;
}

function resolved(reference: string, base: string): string {
  if (reference.length > MAX_LENGTH) return reference;
  return URL.parse(reference, base)?.href ?? URL.parse(reference)?.href ?? reference;
}

function unescaped(token: string): string {
  let text = token;
  try {
    text = decodeURIComponent(token);
  } catch {
    // The percent sign is not an escape.
  }
  return text.replaceAll('~1', '/').replaceAll('~0', '~');
}
