import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import type { ServerEntry } from '@toolfold/mcp/internal/config/config.ts';
import type { ServerPool } from '@toolfold/mcp/internal/pool/contract.ts';
import { createServerPool } from '@toolfold/mcp/internal/pool/pool.ts';
import { browse, startOAuthServer } from '@toolfold/mcp/test/login/oauth-server.test-support.ts';
import { entryOf, loginFolder, NAME } from '@toolfold/mcp/test/login/session.test-support.ts';
import type { Question } from '../questions/question.ts';
import { Logins, type LoginsOptions } from './logins.ts';

const limited = { timeout: 30_000 };

/** A server that needs a login, and what its user is asked and told. */
async function scene(
  context: TestContext,
  answers: readonly (string | undefined)[],
  more: Partial<ServerEntry> = {},
) {
  const server = await startOAuthServer(context);
  const folder = await loginFolder(context);
  const entry = { ...entryOf(server.url), ...more } as ServerEntry;
  const config = { servers: new Map([[NAME, entry]]), settings: undefined };
  const pool = await createServerPool(config, { manifests: false, logins: { folder } });
  context.after(() => pool.close());
  await pool.ready();
  const [asked, notes]: [Question[], string[]] = [[], []];
  const stop = new AbortController();
  /** What another process has, with the same data of the user. */
  const again = (options: Partial<LoginsOptions> = {}, changed?: ServerEntry) =>
    new Logins({
      ...{ signal: stop.signal, store: { folder }, note: (text) => notes.push(text) },
      pool: changed ? withEntry(pool, changed) : pool,
      ask: async (question) => {
        const choice = answers[asked.push(question) - 1];
        return choice === undefined ? undefined : { choice };
      },
      openPage: (_, url) => void browse(url),
      ...options,
    });
  return { server, pool, logins: again(), again, asked, notes };
}

/** The pool as it would be with another entry for its server. */
const withEntry = (pool: ServerPool, entry: ServerEntry): LoginsOptions['pool'] => ({
  ...{ servers: pool.servers, onChange: () => () => {} },
  connection: (name) => {
    const connection = pool.connection(name);
    return connection && (Object.create(connection, { entry: { value: entry } }) as never);
  },
});

suite('a login as a question', () => {
  test(
    'names the server and its address, and the harmless answer is marked',
    limited,
    async (context) => {
      const { server, pool, logins, asked, notes } = await scene(context, ['yes', 'no']);
      await logins.offer();
      const [{ kind, subject, details, text, marked, askedBy, choices } = assert.fail()] = asked;
      assert.deepEqual([kind, marked, askedBy], ['login', 'no', 'server']);
      assert.match(subject, new RegExp(`^The server ${NAME} cannot be used: it needs a login\\.$`));
      assert.ok(details.join().includes(server.url));
      assert.equal(text, `Log in to ${NAME} now?`);
      assert.deepEqual(
        choices.map(({ id, line }) => [id, line?.letters]),
        [
          ['yes', 'y'],
          ['no', 'n'],
        ],
      );
      assert.match(
        notes.join('\n'),
        new RegExp(`^${NAME} accepts the login. It lists \\d+ tools?\\.$`),
      );
      assert.equal(pool.servers[0]?.state, 'ready');
      await pool.connection(NAME)?.callTool('put', {});
      server.revokeAll();
      await assert.rejects(pool.connection(NAME)?.callTool('put', {}) ?? assert.fail(), /login/);
      await logins.offer();
      assert.equal(asked.length, 2, 'a login that has ended is asked about again');
    },
  );

  test('that is refused is not asked again, and the command is named', limited, async (context) => {
    for (const answer of ['no', undefined]) {
      const { server, logins, asked, notes } = await scene(context, [answer]);
      await logins.offer();
      await logins.offer();
      assert.equal(asked.length, 1);
      assert.deepEqual(notes, [`${NAME} stays without a login. Run: toolfold login ${NAME}`]);
      assert.equal(server.to('/register').length, 0, 'nothing is registered without the user');
    }
  });

  test('that is refused is not asked again by later processes', limited, async (context) => {
    const { pool, logins, again, asked, notes } = await scene(context, ['no', 'yes']);
    await logins.offer();
    const next = again({ hasCommand: true });
    await next.offer();
    assert.equal(asked.length, 1);
    assert.equal(notes.at(-1), `${NAME} stays without a login. /login ${NAME} logs in.`);
    const entry = pool.connection(NAME)?.entry ?? assert.fail();
    const other = again({}, { ...entry, headers: new Map([['x-tenant', 'b']]) } as ServerEntry);
    await other.offer();
    assert.equal(asked.length, 2, 'a changed entry is another server');
  });

  test('that was refused is there with the command', limited, async (context) => {
    const { server, pool, logins, again, asked } = await scene(context, ['no', 'no']);
    await logins.offer();
    const { signal } = new AbortController();
    await assert.rejects(logins.logIn('nobody', signal), /No server "nobody" takes a login/);
    await logins.logIn(NAME, signal);
    assert.equal(pool.servers[0]?.state, 'ready');
    // It ends later: the refusal from before the login does not count.
    server.revokeAll();
    await assert.rejects(pool.connection(NAME)?.callTool('put', {}) ?? assert.fail(), /login/);
    await again().offer();
    assert.equal(asked.length, 2);
  });

  test('that fails says why', limited, async (context) => {
    const { server, logins, notes } = await scene(context, ['yes']);
    server.faults.set('/register', { status: 500, body: 'out of order' });
    await logins.offer();
    assert.match(
      notes.join('\n'),
      new RegExp(`failed: .*out of order.*Run: toolfold login ${NAME}`),
    );
  });
});
