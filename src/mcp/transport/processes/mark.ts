import { randomBytes } from 'node:crypto';

/** The environment variable that holds the marks. Descendants of a server inherit it. */
const VARIABLE = 'TOOLFOLD_STARTED_BY';

/** The part of a mark that all servers of this process share: 32 hexadecimal digits and a dot. */
export const hostMark: string = `${randomBytes(16).toString('hex')}.`;

let count = 0;

/** A text that only the environments of one server and its descendants hold. */
export interface ServerMark {
  /** `<id of this process>.<number of the server>;` */
  readonly text: string;
  /** The variable to set for the server. */
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Creates the mark of a new server. If this process itself descends from a server of another host, the
 * marks of that server stay in front, so that the other host finds all descendants, too.
 */
export function createServerMark(): ServerMark {
  count += 1;
  const text = `${hostMark}${count};`;
  return { text, environment: { [VARIABLE]: `${process.env[VARIABLE] ?? ''}${text}` } };
}
