import { readFile } from 'node:fs/promises';
import { isLoopback } from '@toolfold/mcp/internal/gateway';
import { unreadable, usageError } from '../../app/terminal/index.ts';

/** Where to listen, and the token that each request needs. */
export interface HttpAddress {
  readonly host: string;
  readonly port: number;
  readonly token: string | undefined;
}

/** The variable with the token. */
const VARIABLE = 'TOOLFOLD_SERVE_TOKEN';

/** Minimum characters of a token. */
const MIN_TOKEN = 16;

/** Reads `[HOST:]PORT` and the token. Beyond this machine a token is needed. */
export async function httpAddress(
  text: string,
  tokenFile: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): Promise<HttpAddress> {
  const [, given, digits] = /^(?:(.+):)?(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (digits === undefined || port > 65_535)
    throw usageError(`"${text}" is not a port or an address.`, 'Expected [HOST:]PORT.');
  const host = (given ?? '127.0.0.1').replace(/^\[(.*)\]$/, '$1');
  const token = tokenFile === undefined ? env[VARIABLE] : await readToken(tokenFile);
  if (token !== undefined && token.length < MIN_TOKEN)
    throw usageError(
      `The token has fewer than ${MIN_TOKEN} characters.`,
      'Make one with: openssl rand -hex 32',
    );
  if (token === undefined && !isLoopback(host))
    throw usageError(
      `Other machines reach ${host}, so a token is needed.`,
      `Set the variable ${VARIABLE}, or give --token-file.`,
    );
  return { host, port, token };
}

async function readToken(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    throw unreadable(file, error);
  }
}
