import { type JsonValue, ownProperty } from '@toolfold/core/internal/values';
import { placeName, secretsIn, VARIABLE, withoutDefaults } from '../servers/index.ts';
import { mapEntry, type PortableEntry } from './merge.ts';

/** Values below this length are replaced only where they were found. */
const MIN_ELSEWHERE = 8;

/**
 * The entry with a variable in place of each secret. Names of variables that are specific stay
 * (`GITHUB_TOKEN`); others get the name of the server in front (`GITHUB_AUTHORIZATION`).
 */
export function withoutSecrets(
  entry: PortableEntry,
  server: string,
  names: VariableNames,
): PortableEntry {
  return mapEntry(entry, (given, key, name) => {
    const place = { key, name, args: entry.args };
    const text = withoutDefaults(placeName(place), given, (value, wanted) =>
      names.isSet(wanted) ? wanted : names.nameFor(value, wanted, server),
    );
    const isSpecific = key === 'env' || (key === 'args' && /^[A-Z_]+=/.test(text));
    const found = secretsIn(text, place).map((part) => {
      const wanted = isSpecific ? part.name : `${server}_${part.name}`.toUpperCase();
      return [part.text, names.nameFor(part.text, wanted, server)] as const;
    });
    return withVariables(text, found);
  });
}

/** The entry without the values that other entries hold as secrets. */
export function withoutKnownValues(entry: PortableEntry, names: VariableNames): PortableEntry {
  const known = names.values().filter(([value]) => value.length >= MIN_ELSEWHERE);
  return mapEntry(entry, (text) => withVariables(text, known));
}

/** The text with each of these values replaced by its variable, in this order. */
function withVariables(
  text: string,
  values: readonly (readonly [value: string, name: string])[],
): string {
  return values.reduce((hidden, [value, name]) => inLiterals(hidden, value, `\${${name}}`), text);
}

/** Replaces a text outside variables. A text that contains variables is replaced as a whole. */
function inLiterals(text: string, secret: string, replacement: string): string {
  if (text === secret || secret.search(VARIABLE) >= 0)
    return text.replaceAll(secret, () => replacement);
  const parts = text.split(VARIABLE);
  return parts
    .map((part, at) => (at % 2 === 1 ? part : part.replaceAll(secret, () => replacement)))
    .join('');
}

/**
 * Names for the variables that replace secrets. One name stands for one value: for two values of one
 * name, the second gets another name. So does a value that is not known to be that of a variable that is set, or that an
 * entry reads already. Names that differ only in case are one name, as on Windows.
 */
export class VariableNames {
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #given = new Map<string, { readonly name: string; readonly value: string }>();
  /** The values of variables that entries read: their defaults, `undefined` without one. */
  readonly #read = new Map<string, Set<string | undefined>>();

  constructor(env: Readonly<Record<string, string | undefined>>) {
    this.#env = env;
  }

  /** Keeps the variables that an entry reads. Call it for all entries before the first `nameFor`. */
  reserve(entry: JsonValue): void {
    const references = JSON.stringify(entry).matchAll(/\$\{(?:env:)?([^{}:]+)(?::-([^{}]*))?\}/g);
    const passed = [ownProperty(entry, 'passEnv') ?? []].flat();
    const uses = [
      ...[...references].map(([, name = '', value]) => [name, value] as const),
      ...passed.map((name) => [String(name), undefined] as const),
    ];
    for (const [name, value] of uses) {
      const key = name.toUpperCase();
      this.#read.set(key, (this.#read.get(key) ?? new Set()).add(value));
    }
  }

  /** The name for a value: `wanted` if possible, else with the name of the server before it. */
  nameFor(value: string, wanted: string, server: string): string {
    const first = variableName(wanted);
    const owner = variableName(server);
    const longer = first.startsWith(`${owner}_`) ? first : `${owner}_${first}`;
    for (let n = 1; ; n += 1) {
      for (const name of n === 1 ? [first, longer] : [`${longer}_${n}`]) {
        const key = name.toUpperCase();
        const given = this.#given.get(key);
        if (given?.value === value) return given.name;
        if (given !== undefined || !this.#isFree(name, value)) continue;
        this.#given.set(key, { name, value });
        return name;
      }
    }
  }

  /** The value that a name was given for. */
  valueOf(name: string): string | undefined {
    return this.#given.get(name.toUpperCase())?.value;
  }

  /** Whether a variable of this name may have this value, as far as the environment says. */
  mayBe(name: string, value: string): boolean {
    return (this.#set(name) ?? value) === value;
  }

  isSet(name: string): boolean {
    return this.#set(name) !== undefined;
  }

  #isFree(name: string, value: string): boolean {
    if (this.isSet(name)) return this.mayBe(name, value);
    return [...(this.#read.get(name.toUpperCase()) ?? [])].every((read) => read === value);
  }

  /** The values that have a name, the longest first. */
  values(): readonly (readonly [value: string, name: string])[] {
    const all = [...this.#given.values()].map(({ name, value }) => [value, name] as const);
    return all.sort(([a], [b]) => b.length - a.length);
  }

  #set(name: string): string | undefined {
    const value = Object.hasOwn(this.#env, name) ? this.#env[name] : undefined;
    return value === '' ? undefined : value;
  }
}

/** A text as the name of a variable: capital letters, digits and underscores. */
export function variableName(text: string): string {
  if (/^[A-Za-z_]\w*$/.test(text)) return text === text.toLowerCase() ? text.toUpperCase() : text;
  const name = text
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '');
  return /^[A-Z]/.test(name) ? name : `VALUE${name === '' ? '' : `_${name}`}`;
}

/** The names of the variables in a text that have no default: they must be set. */
export function requiredVariables(text: string): string[] {
  const found = text.matchAll(/\$\{(?:env:)?([A-Za-z_][\w.()-]*?)(:-[^{}]*)?\}/g);
  return [...found].flatMap(([, name = '', start]) =>
    name === 'workspaceFolder' || start !== undefined ? [] : [name],
  );
}
