/** Words in the name of what is secret. */
const SECRET_PART =
  /key|token|secret|passw|passphrase|credential|authori[sz]|bearer|cookie|signature|private|dsn|connection.?string/i;
const SECRET_WORDS = new Set('pass pwd auth pat pin otp jwt cred creds sid session sas'.split(' '));

/** Names that stand for something public, in an environment or among the headers of a request. */
const PUBLIC_NAMES = new Set(
  [
    'home path pwd oldpwd lang language tz term shell user logname hostname tmpdir temp tmp editor',
    'userprofile appdata localappdata node_env env environment log_level loglevel debug port host',
    'workspacefolder accept accept-encoding accept-language content-type user-agent origin referer',
    'cache-control connection',
  ].flatMap((names) => names.split(' ')),
);

/** Values that name no secret, whatever they are the value of. */
const COMMON_VALUES = new Set(
  [
    'true false null none undefined default auto enabled disabled localhost production development',
    'staging testing test debug info warn warning error trace verbose silent public private basic',
    'bearer oauth oauth2 read write readonly admin user root guest password token secret',
  ].flatMap((words) => words.split(' ')),
);

/** Words in a name that tell an amount or a kind: a number or a plain word under it is no secret. */
const MEASURE_WORDS = new Set('max min limit count budget size length timeout ttl type'.split(' '));

/** Shortest value that is hidden where its name says that it is secret. */
const MIN_NAMED = 4;
/** Shortest value that is hidden where its name says nothing. */
const MIN_UNNAMED = 6;

/** Whether a name, of a variable, a flag or a header, says that its value is secret. */
export function isSecretName(name: string): boolean {
  if (SECRET_PART.test(name)) return true;
  return wordsOf(name).some((word) => SECRET_WORDS.has(word));
}

function wordsOf(name: string): string[] {
  const parted = name.replace(/([a-z\d])([A-Z])/g, '$1 $2').toLowerCase();
  return parted.split(/[^a-z\d]+/);
}

/** A word of letters, up to three joined as in `readOnlyMode`, or a number, such as stands in any text. */
export function isPlainWord(text: string): boolean {
  if (text.length > 16) return /^\d{1,9}(?:[.\-:]\d{1,9})*$/.test(text);
  return /^(?:\p{Lu}+|\p{L}?[\p{Ll}\p{Lo}]*(?:\p{Lu}\p{Ll}+){0,2}|v?\d{1,9}(?:[.\-:]\d{1,9})*)$/u.test(
    text,
  );
}

/**
 * Whether the value of a variable, header or parameter is to be hidden: where its name says so from
 * four characters on; where it does not, from six, unless it is a plain word or a number; never
 * under a name that is known to be public. `production` and `true` stay readable.
 */
export function isSecretValue(name: string, value: string): boolean {
  const text = value.trim();
  if (COMMON_VALUES.has(text.toLowerCase())) return false;
  const isMeasure = isPlainWord(text) && wordsOf(name).some((word) => MEASURE_WORDS.has(word));
  if (isSecretName(name)) return text.length >= MIN_NAMED && !isMeasure;
  if (PUBLIC_NAMES.has(name.toLowerCase())) return false;
  return text.length >= MIN_UNNAMED && !isPlainWord(text);
}
