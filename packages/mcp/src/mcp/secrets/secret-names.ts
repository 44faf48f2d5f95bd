/** Parts of the names of secret values. */
const SECRET_PART =
  /key|token|secret|passw|passphrase|credential|authori[sz]|bearer|cookie|signature|private|dsn|connection.?string/i;
const SECRET_WORDS = new Set('pass pwd auth pat pin otp jwt cred creds sid session sas'.split(' '));

/** Names of public environment variables and request headers. */
const PUBLIC_NAMES = new Set(
  [
    'home path pwd oldpwd lang language tz term shell user logname hostname tmpdir temp tmp editor',
    'userprofile appdata localappdata node_env env environment log_level loglevel debug port host',
    'workspacefolder accept accept-encoding accept-language content-type user-agent origin referer',
    'cache-control connection',
  ].flatMap((names) => names.split(' ')),
);

/** Values that are never secret, whatever their name is. */
const COMMON_VALUES = new Set(
  [
    'true false null none undefined default auto enabled disabled localhost production development',
    'staging testing test debug info warn warning error trace verbose silent public private basic',
    'bearer oauth oauth2 read write readonly admin user root guest password token secret',
  ].flatMap((words) => words.split(' ')),
);

/** Words in names of amounts and kinds. A number or a plain word under such a name is not secret. */
const MEASURE_WORDS = new Set('max min limit count budget size length timeout ttl type'.split(' '));

/** Minimum characters of a hidden value under a secret name. */
const MIN_NAMED = 4;
/** Minimum characters of a hidden value under any other name. */
const MIN_UNNAMED = 6;

/** Whether the name of a variable, a flag or a header indicates a secret value. */
export function isSecretName(name: string): boolean {
  if (SECRET_PART.test(name)) return true;
  return wordsOf(name).some((word) => SECRET_WORDS.has(word));
}

function wordsOf(name: string): string[] {
  const parted = name.replace(/([a-z\d])([A-Z])/g, '$1 $2').toLowerCase();
  return parted.split(/[^a-z\d]+/);
}

/** Whether a text is a common word: letters, up to three words joined as in `readOnlyMode`, or a number. */
export function isPlainWord(text: string): boolean {
  if (text.length > 16) return /^\d{1,9}(?:[.\-:]\d{1,9})*$/.test(text);
  return /^(?:\p{Lu}+|\p{L}?[\p{Ll}\p{Lo}]*(?:\p{Lu}\p{Ll}+){0,2}|v?\d{1,9}(?:[.\-:]\d{1,9})*)$/u.test(
    text,
  );
}

/**
 * Whether a value must be hidden by the cautious rule, for headers, parameters of addresses, and files that
 * `toolfold init` writes. Under a secret name: from four characters on. Under a public name: never. Under any other name: from six characters on, unless the
 * value is a plain word or a number. Common values such as `production` and `true` stay readable.
 */
export function isSecretValue(name: string, value: string): boolean {
  const text = value.trim();
  if (COMMON_VALUES.has(text.toLowerCase())) return false;
  const isMeasure = isPlainWord(text) && wordsOf(name).some((word) => MEASURE_WORDS.has(word));
  if (isSecretName(name)) return text.length >= MIN_NAMED && !isMeasure;
  if (PUBLIC_NAMES.has(name.toLowerCase())) return false;
  return text.length >= MIN_UNNAMED && !isPlainWord(text);
}
