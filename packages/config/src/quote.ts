/** Secret tokens with a known prefix, anywhere in a text, private keys in PEM, and what is secret in the address of a webhook. */
export const KNOWN_TOKEN: RegExp =
  /-----BEGIN [A-Z ]*PRIVATE KEY-----(?:\s|\\n)*[A-Za-z\d+/=]{8,}(?:(?:\s|\\n)+[A-Za-z\d+][A-Za-z\d+/=]{15,})*(?:(?:\s|\\n)*-----END [A-Z ]*PRIVATE KEY-----)?|(?<=hooks\.slack\.com\/\w+\/|discord(?:app)?\.com\/api\/webhooks\/)[\w/-]{8,}|\b(?:sk-|ghp_|gho_|ghs_|github_pat_|glpat-|xox[abprs]-|AKIA|eyJ|npm_|hf_)[\w.-]{8,}/g;

/** Longer texts are not shown: they are rarely typing errors, and may be secrets. */
const MAX_VALUE = 24;
const MAX_NAME = 60;

/** A value, quoted for a message. `undefined` if it may be secret. */
export function shownValue(value: string): string | undefined {
  return value.length > MAX_VALUE || isToken(value) ? undefined : JSON.stringify(value);
}

/** A name, quoted and escaped for a message, and cut to fit one line. */
export function quote(name: string): string {
  if (isToken(name)) return '"…"';
  return JSON.stringify(name.length > MAX_NAME ? `${name.slice(0, MAX_NAME - 1)}…` : name);
}

/** Adds a suggestion of the most similar name before the rest of a hint. */
export function didYouMean(near: string | undefined, rest: string): string {
  return near === undefined ? rest : `Did you mean "${near}"? ${rest}`;
}

function isToken(text: string): boolean {
  return text.search(KNOWN_TOKEN) >= 0;
}
