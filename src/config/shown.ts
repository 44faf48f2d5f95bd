/** Tokens that are known by how they begin, wherever they stand. */
export const KNOWN_TOKEN: RegExp =
  /\b(?:sk-|ghp_|gho_|ghs_|github_pat_|glpat-|xox[abprs]-|AKIA|eyJ|npm_|hf_)[\w.-]{8,}/g;

/** Longer texts are no slip of the pen, and may be what nobody may see. */
const MAX_VALUE = 24;
const MAX_NAME = 60;

/** A value as messages show it: quoted; `undefined` where it may be secret. */
export function shownValue(value: string): string | undefined {
  return value.length > MAX_VALUE || isToken(value) ? undefined : JSON.stringify(value);
}

/** A name as it is shown in messages: quoted, escaped, never longer than a line. */
export function quote(name: string): string {
  if (isToken(name)) return '"…"';
  return JSON.stringify(name.length > MAX_NAME ? `${name.slice(0, MAX_NAME - 1)}…` : name);
}

/** The name that was probably meant, before what else there is to say. */
export function didYouMean(near: string | undefined, rest: string): string {
  return near === undefined ? rest : `Did you mean "${near}"? ${rest}`;
}

function isToken(text: string): boolean {
  return text.search(KNOWN_TOKEN) >= 0;
}
