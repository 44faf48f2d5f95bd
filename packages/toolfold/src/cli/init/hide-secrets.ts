import { type ChangeText, mapEntry, type PortableEntry } from './entry.ts';
import {
  argumentSecrets,
  isSecretDefault,
  nameBefore,
  namedSecret,
  type SecretPart,
  urlSecrets,
} from './secret-parts.ts';
import { VARIABLE, type VariableNames } from './variable-names.ts';

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
    const before = key === 'args' ? entry.args?.[Number(name) - 1] : undefined;
    const place = key === 'args' ? (before?.replace(/^-+/, '') ?? '') : name;
    const text = withoutDefaults(place, given);
    const isSpecific = key === 'env' || (key === 'args' && /^[A-Z_]+=/.test(text));
    const found = secretsIn(text, key, name, before).map((part) => {
      const wanted = isSpecific ? part.name : `${server}_${part.name}`.toUpperCase();
      return [part.text, names.nameFor(part.text, wanted, server)] as const;
    });
    return withVariables(text, found);
  });
}

function secretsIn(
  text: string,
  key: Parameters<ChangeText>[1],
  name: string,
  before: string | undefined,
): readonly SecretPart[] {
  if (key === 'cwd' || key === 'envFile') return [];
  if (key === 'url') return urlSecrets(text);
  if (key === 'command' || key === 'args') return argumentSecrets(text, before);
  return [namedSecret(name, text) ?? []].flat();
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

/** The text without defaults that are secret: `${NAME:-secret}` becomes `${NAME}`. */
function withoutDefaults(place: string, text: string): string {
  return text.replace(/\$\{((?:env:)?([^{}:]+)):-([^{}]*)\}/g, (whole, head, name, value) => {
    const names = [place, name, nameBefore(text, whole) ?? ''];
    return isSecretDefault(names, value) ? `\${${head}}` : whole;
  });
}
