/**
 * The client under test: one server of a configuration file, used through the pool as a host uses it.
 * The conformance suite starts it once for each scenario; `run.ts` starts the suite. Prints how it
 * ended as JSON. Exits 1 if the server cannot be used or a call fails.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServerPool, parseConfig, type ServerConnection } from 'toolfold/mcp';
import { errorMessage } from '../../src/errors.ts';
import { plannedCalls, toolsOf } from './calls.ts';
import { configurationFile } from './entry.ts';
import { logIn } from './person.ts';
import { readRequest } from './request.ts';

/** Milliseconds for the whole scenario. The suite runs all of them at once. */
const LIMIT = 60_000;

/** Attempts to log in, successful ones included, after which a person gives up. */
const MAX_LOGINS = 3;

const SERVER = 'conformance';

const request = readRequest(process.argv.slice(2), process.env);
const signal = AbortSignal.timeout(LIMIT);

async function useServer(folder: string): Promise<void> {
  const { text, env } = configurationFile(SERVER, request);
  const config = parseConfig('mcp.json', text, { env });
  await using pool = await createServerPool(config, {
    manifests: false,
    logins: { folder },
    timeout: LIMIT,
  });
  const connection = pool.connection(SERVER);
  if (connection === undefined) throw new Error('the pool does not have the server');
  let logins = 0;
  /** A failed login is tried once more. */
  const logInTwice = async (): Promise<void> => {
    logins += 1;
    await logIn(SERVER, connection.entry, { folder, signal }).catch((error: unknown) => {
      if (++logins > MAX_LOGINS) throw error;
      return logIn(SERVER, connection.entry, { folder, signal });
    });
  };
  /** Does something with the server, and logs in whenever the server wants that. */
  const withLogins = async <T>(act: () => Promise<T>): Promise<T> => {
    for (;;) {
      try {
        return await act();
      } catch (error) {
        if (connection.state.kind !== 'needs-auth' || logins >= MAX_LOGINS) throw error;
        await logInTwice();
      }
    }
  };
  await withLogins(() => started(connection));
  const tools = await toolsOf(pool.groups, signal);
  for (const { tool, input } of plannedCalls(tools, request)) {
    await withLogins(async () => tool.execute?.(input, { signal }));
  }
}

async function started(connection: ServerConnection): Promise<void> {
  const state = await connection.start(signal);
  if (state.kind === 'ready') return;
  throw new Error(`the server is ${state.kind}: ${'reason' in state ? state.reason : ''}`);
}

const folder = await mkdtemp(join(tmpdir(), 'toolfold-conformance-client-'));
let end = 'completed';
try {
  await useServer(folder);
} catch (error) {
  end = errorMessage(error);
  process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
process.stdout.write(`${JSON.stringify({ end })}\n`);
