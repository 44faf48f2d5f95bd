/** The reason why an entry is unusable. `readServerEntry` returns it as an `unusable` server. */
export class EntryProblem extends Error {
  readonly remedy: string;

  constructor(reason: string, remedy: string) {
    super(reason);
    this.remedy = remedy;
  }
}

/** The problem of a value of the wrong type. It does not show the value, which may be secret. */
export function wrong(what: string, expected: string, found: unknown): EntryProblem {
  const kind = Array.isArray(found) ? 'a list' : found === null ? 'null' : `a ${typeof found}`;
  const isBlank = typeof found === 'string' && found.trim() === '';
  const words = isBlank ? 'empty' : kind === 'a object' ? 'an object' : kind;
  return new EntryProblem(`${what} should be ${expected} but is ${words}`, `Correct ${what}.`);
}
