import { mapTexts, mapValues, type PortableEntry } from './entry.ts';
import {
  argumentSecrets,
  isSecretDefault,
  namedSecret,
  type SecretPart,
  urlSecrets,
} from './secret-parts.ts';
import { partsOf, type VariableNames } from './variable-names.ts';

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
  const hide = (text: string, parts: readonly SecretPart[], isSpecific: boolean): string => {
    let hidden = text;
    for (const part of parts) {
      const wanted = isSpecific ? part.name : `${server}_${part.name}`.toUpperCase();
      const name = names.nameFor(part.text, wanted, server);
      hidden = inLiterals(hidden, part.text, `\${${name}}`);
    }
    return hidden;
  };
  const named = (values: Readonly<Record<string, string>>, isSpecific: boolean) =>
    mapValues(values, (name, value) => {
      const text = withoutDefaults(name, value);
      const part = namedSecret(name, text);
      return part === undefined ? text : hide(text, [part], isSpecific);
    });
  const { command, args, env, cwd, url, headers } = entry;
  return {
    ...entry,
    ...(command === undefined
      ? {}
      : {
          command: hide(withoutDefaults('', command), argumentSecrets(command, undefined), false),
        }),
    ...(args === undefined
      ? {}
      : {
          args: args.map((given, index) => {
            const before = args[index - 1];
            const arg = withoutDefaults(before?.replace(/^-+/, '') ?? '', given);
            return hide(arg, argumentSecrets(arg, before), /^[A-Z_]+=/.test(arg));
          }),
        }),
    ...(env === undefined ? {} : { env: named(env, true) }),
    ...(cwd === undefined ? {} : { cwd: withoutDefaults('', cwd) }),
    ...(url === undefined
      ? {}
      : { url: hide(withoutDefaults('', url), urlSecrets(withoutDefaults('', url)), false) }),
    ...(headers === undefined ? {} : { headers: named(headers, false) }),
  };
}

/** The entry without the values that other entries hold as secrets. */
export function withoutKnownValues(entry: PortableEntry, names: VariableNames): PortableEntry {
  const known = names.values().filter(([value]) => value.length >= MIN_ELSEWHERE);
  const hide = (text: string): string => {
    let hidden = text;
    for (const [value, name] of known) hidden = inLiterals(hidden, value, `\${${name}}`);
    return hidden;
  };
  return mapTexts(entry, hide);
}

/** Replaces a text outside variables. A text that contains variables is replaced as a whole. */
function inLiterals(text: string, secret: string, replacement: string): string {
  if (text === secret || /\$\{[^{}]*\}/.test(secret))
    return text.replaceAll(secret, () => replacement);
  return partsOf(text)
    .map((part) => (part.isVariable ? part.text : part.text.replaceAll(secret, () => replacement)))
    .join('');
}

/** The text without defaults that are secret: `${NAME:-secret}` becomes `${NAME}`. */
function withoutDefaults(place: string, text: string): string {
  return text.replace(/\$\{((?:env:)?([^{}:]+)):-([^{}]*)\}/g, (whole, head, name, value) =>
    isSecretDefault(place, name, value) ? `\${${head}}` : whole,
  );
}
