/** A variable in a text, such as `${NAME}`. A text that is split by it has variables at the odd places. */
export const VARIABLE: RegExp = /(\$\{[^{}]*\})/g;

/**
 * Names for the variables that replace secrets. One name stands for one value: for two values of one
 * name, the second gets another name. So does a value that differs from a variable that is set.
 */
export class VariableNames {
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #values = new Map<string, string>();

  constructor(env: Readonly<Record<string, string | undefined>>) {
    this.#env = env;
  }

  /** The name for a value: `wanted` if possible, else with the name of the server before it. */
  nameFor(value: string, wanted: string, server: string): string {
    const first = variableName(wanted);
    const owner = variableName(server);
    const longer = first.startsWith(`${owner}_`) ? first : `${owner}_${first}`;
    for (let n = 1; ; n += 1) {
      for (const name of n === 1 ? [first, longer] : [`${longer}_${n}`]) {
        const known = this.#values.get(name) ?? this.#set(name) ?? value;
        if (known !== value) continue;
        this.#values.set(name, value);
        return name;
      }
    }
  }

  /** The values that have a name, the longest first. */
  values(): readonly (readonly [value: string, name: string])[] {
    const all = [...this.#values].map(([name, value]) => [value, name] as const);
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
