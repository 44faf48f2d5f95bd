import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import { createServerPool, type ServerEntry } from '../../mcp/index.ts';
import { browse, startOAuthServer } from '../../mcp/login/oauth-server.test-support.ts';
import { entryOf, loginFolder, NAME } from '../../mcp/login/session.test-support.ts';
import type { Question } from '../questions/index.ts';
import { Logins } from './logins.ts';

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
  const logins = new Logins({
    ...{ pool, signal: stop.signal, store: { folder }, note: (text) => notes.push(text) },
    ask: async (question) => {
      const choice = answers[asked.push(question) - 1];
      return choice === undefined ? undefined : { choice };
    },
    openPage: (_, url) => void browse(url),
  });
  return { server, pool, logins, asked, notes };
}

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
