import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock, type TestContext } from 'node:test';
import { inspect } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import type { HttpServerEntry, OAuthEntry } from '../../src/config/config.ts';
import { type LoginOptions, type LoginResult, login } from '../../src/login/login.ts';
import { LoginStore } from '../../src/login/login-store.ts';
import { type AuthProviderOptions, authProviderFor } from '../../src/login/server-auth.ts';
import { openTransport } from '../../src/transport/transport.ts';
import { browse, type OAuthServer } from './oauth-server.test-support.ts';

/** The name of the server in these tests. */
export const NAME = 'vault';

/** A folder for logins that is removed after the test. */
export async function loginFolder(context: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'toolfold-login-'));
  context.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** The entry of a server. */
export function entryOf(url: string, oauth?: Partial<OAuthEntry>): HttpServerEntry {
  const settings: OAuthEntry = { grant: 'authorization-code', scopes: [], ...oauth };
  return {
    kind: 'http',
    url,
    headers: new Map(),
    secrets: [],
    ...(oauth === undefined ? {} : { oauth: settings }),
  };
}

/** Logs in as a person who accepts at once. */
export function accept(
  server: OAuthServer,
  folder: string,
  options: Partial<LoginOptions> & { readonly oauth?: Partial<OAuthEntry> } = {},
): Promise<LoginResult> {
  const { oauth, ...rest } = options;
  return login(NAME, entryOf(server.url, oauth), {
    folder,
    onUrl: (url) => void browse(url),
    timeout: 10_000,
    ...rest,
  });
}

/** A connected client. */
export interface Session {
  /** Calls the tool `put`. Returns its text. */
  call(input: Record<string, unknown>): Promise<string>;
}

/** Connects as a host does: the SDK's client over the transport with the authentication of the login. */
export async function connect(
  context: TestContext,
  entry: HttpServerEntry,
  options: AuthProviderOptions,
): Promise<Session> {
  const auth = authProviderFor(NAME, entry, options);
  const opened = await openTransport(entry, { authProvider: auth });
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: 'auto' } },
  );
  context.after(() => opened.close());
  await client.connect(opened.transport, { timeout: 10_000 });
  return {
    call: async (input) => {
      const result = await client.callTool({ name: 'put', arguments: input });
      return JSON.stringify(result.content);
    },
  };
}

/** The store of a server's login. */
export function storeOf(server: OAuthServer, folder: string, warnings: string[] = []): LoginStore {
  const onWarning = (warning: string): void => void warnings.push(warning);
  return new LoginStore({ server: NAME, url: server.url }, { folder, onWarning });
}

/** The files of a folder with their texts. */
export async function filesIn(folder: string): Promise<ReadonlyMap<string, string>> {
  const names = await readdir(folder).catch(() => []);
  const texts = names.map(
    async (name) => [name, await readFile(join(folder, name), 'utf8')] as const,
  );
  return new Map(await Promise.all(texts));
}

/** Records what is written to the console, as the SDK does for some errors. */
export function recordConsole(context: TestContext): string[] {
  const lines: string[] = [];
  for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const) {
    const write = mock.method(console, method, (...parts: unknown[]) => {
      lines.push(parts.map(String).join(' '));
    });
    context.after(() => write.mock.restore());
  }
  return lines;
}

/** Checks that no secret of a server is in any of these values, errors with all their members included. */
export function assertNoSecret(server: OAuthServer, ...values: unknown[]): void {
  const all = inspect(values, { depth: 12, maxStringLength: null, maxArrayLength: null });
  for (const secret of server.secrets) {
    for (const form of [
      secret,
      encodeURIComponent(secret),
      Buffer.from(secret).toString('base64'),
    ]) {
      assert.ok(
        !all.includes(form),
        `shows the secret ${secret.slice(0, 8)}…: ${all.slice(0, 500)}`,
      );
    }
  }
}
