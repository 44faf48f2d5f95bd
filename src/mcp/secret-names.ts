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
    'staging testing test debug info warn warning error trace verbose silent',
  ].flatMap((words) => words.split(' ')),
);

/** Shortest value that is hidden where its name says that it is secret. */
const MIN_NAMED = 4;
/** Shortest value that is hidden where its name says nothing. */
const MIN_UNNAMED = 6;

/** Whether a name, of a variable, a flag or a header, says that its value is secret. */
export function isSecretName(name: string): boolean {
  if (SECRET_PART.test(name)) return true;
  const words = name.replace(/([a-z\d])([A-Z])/g, '$1 $2').split(/[^A-Za-z\d]+/);
  return words.some((word) => SECRET_WORDS.has(word.toLowerCase()));
}

/** One word of letters, or a number, such as stands in any text. */
export function isPlainWord(text: string): boolean {
  return /^(?:\p{L}{1,16}|v?\d{1,9}(?:[.\-:]\d{1,9})*)$/u.test(text);
}

/**
 * Whether the value of a variable, header or parameter is to be hidden: where its name says so from
 * four characters on; where it does not, from six, unless it is a plain word or a number; never
 * under a name that is known to be public. `production` and `true` stay readable.
 */
export function isSecretValue(name: string, value: string): boolean {
  const text = value.trim();
  if (COMMON_VALUES.has(text.toLowerCase())) return false;
  if (isSecretName(name)) return text.length >= MIN_NAMED;
  if (PUBLIC_NAMES.has(name.toLowerCase())) return false;
  return text.length >= MIN_UNNAMED && !isPlainWord(text);
}
