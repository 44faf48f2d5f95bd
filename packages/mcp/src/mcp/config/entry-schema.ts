import * as z from '@toolfold/config/internal/config/schemas';
import { isRecord } from '@toolfold/core/internal/tools/values';

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

/** A text. The message of a schema is what should be there, or `not …` with the remedy behind a bar. */
export const text: z.ZodMiniString = z.string('a string');
export const notBlank: z.ZodMiniString = text.check(z.regex(/\S/, 'a string'));
export const flag: z.ZodMiniBoolean = z.boolean('true or false');
export const texts: z.ZodMiniType<readonly string[]> = z.array(text, 'a list of strings');

/** An object with names of the user's choice. Zod itself would drop the name `__proto__`. */
export function mapOf<T>(item: z.ZodMiniType<T>, expected: string): z.ZodMiniType<[string, T][]> {
  const members = z.transform((map: object, context) =>
    Object.entries(map).map(([name, value]): [string, T] => {
      const { data, error } = item.safeParse(value);
      const message = error?.issues[0]?.message ?? '';
      if (error) context.issues.push({ code: 'custom', input: value, path: [name], message });
      return [name, data as T];
    }),
  );
  return z.pipe(z.custom<object>(isRecord, expected), members);
}

/** Reads an object at a place of an entry. Throws `EntryProblem`. */
export function readObject<T>(schema: z.ZodMiniType<T>, value: unknown, place: string = ''): T {
  const { data, error } = schema.safeParse(value);
  if (error === undefined) return data;
  const [{ path, message } = { path: [], message: '' }] = error.issues;
  const steps = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`));
  const where = `${place}${steps.join('')}`.replace(/^\./, '');
  const what = where === '' ? 'its entry' : `"${where}"`;
  const found = path.reduce<unknown>(
    (one, key) => (one as Record<PropertyKey, unknown>)[key],
    value,
  );
  const [reason = '', remedy = `Correct ${what}.`] = message.split('|');
  if (reason.startsWith('not ')) throw new EntryProblem(`${what} is ${reason}`, remedy);
  throw wrong(what, reason, found);
}
