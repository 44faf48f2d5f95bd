// test: slow
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import {
  browse,
  type OAuthServer,
  type OAuthServerOptions,
  startOAuthServer,
} from '@toolfold/mcp/test/login/oauth-server.test-support.ts';
import { command } from '../../test/cli/in-process.test-support.ts';
import { home, type Outcome, outcomeOf, start } from '../../test/cli/process.test-support.ts';

const limited = { timeout: 60_000 };

interface Place {
  readonly server: OAuthServer;
  readonly folder: string;
}

async function place(context: TestContext, options?: OAuthServerOptions): Promise<Place> {
  const server = await startOAuthServer(context, options);
  const { url } = server;
  const servers = {
    vault: { url },
    app: {
      url,
      oauth: { grant: 'client-credentials', clientId: 'app', clientSecret: `\${SECRET}` },
    },
    literal: { url, oauth: { clientId: 'app', clientSecret: 'in-the-file-77' } },
    keyed: { url, headers: { Authorization: 'Bearer hunter2-hunter2' } },
    local: { command: 'no-such-program' },
    old: { url, disabled: true },
  };
  const files = { 'mcp.json': JSON.stringify({ mcpServers: servers }) };
  return { server, folder: await home(context, files) };
}

/** Runs `toolfold login` as a process, and opens the address that it prints. */
async function logIn({ folder }: Place, args: readonly string[] = []): Promise<Outcome> {
  const child = start(folder, ['login', 'vault', '--config', 'mcp.json', ...args]);
  let text = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    const before = addressIn(text);
    text += chunk;
    const url = addressIn(text);
    if (url !== undefined && before === undefined) void browse(url).catch(() => {});
  });
  return outcomeOf(child);
}

function addressIn(text: string): string | undefined {
  return /^(http\S+)\n/m.exec(text)?.[1];
}

/** Where the browser is sent when the person has accepted, on a computer that cannot open it. */
async function answerOf(url: string): Promise<string> {
  const { headers } = await fetch(url, { redirect: 'manual' });
  return headers.get('location') ?? assert.fail();
}

/** Checks that no secret was printed. The state is part of the address. */
function assertPrintsNoSecret({ server }: Place, { stdout, stderr }: Outcome): void {
  const printed = `${stdout}${stderr}`;
  for (const secret of server.secrets) {
    if (!printed.includes(`state=${secret}`)) assert.ok(!printed.includes(secret), printed);
  }
}

test('login, then logout', limited, async (context) => {
  const here = await place(context);
  const done = await logIn(here);
  assert.equal(done.code, 0, done.stderr);
  assert.equal(done.stdout, 'vault accepts the login. It lists 2 tools.\n');
  assert.match(done.stderr, /^Open this address to log in to vault:\nhttp:\/\/127\.0\.0\.1:/m);
  assertPrintsNoSecret(here, done);
  const logins = join(here.folder, '.local', 'share', 'toolfold', 'logins');
  if (process.platform === 'linux') assert.equal((await readdir(logins)).length, 1);

  const again = await command(here.folder, ['logout', 'vault', '--config', 'mcp.json']);
  assert.deepEqual([again.code, again.stdout], [0, 'The login of vault was removed.\n']);
  assert.equal(here.server.to('/revoke').length, 2);
  assertPrintsNoSecret(here, again);
  const none = await command(here.folder, ['logout', 'vault', '--config', 'mcp.json', '--json']);
  assert.equal(none.code, 0);
  assert.deepEqual(JSON.parse(none.stdout), { server: 'vault', isRemoved: false, revoked: false });
});

test('login with --json', limited, async (context) => {
  const here = await place(context);
  const { code, stdout } = await logIn(here, ['--json', '--no-browser']);
  assert.equal(code, 0);
  const { endsAt, ...rest } = JSON.parse(stdout);
  assert.deepEqual(rest, { server: 'vault', kind: 'logged-in', tools: 2, isSaved: true });
  assert.ok(Date.parse(endsAt) > Date.now());
});

test(
  'the address of the answer can be pasted, and its state is checked',
  limited,
  async (context) => {
    const here = await place(context);
    const child = start(here.folder, ['login', 'vault', '--config', 'mcp.json', '--no-browser']);
    let text = '';
    child.stderr?.on('data', async (chunk: Buffer) => {
      const before = addressIn(text);
      text += chunk;
      const url = addressIn(text);
      if (url === undefined || before !== undefined) return;
      const location = await answerOf(url);
      const wrong = new URL(location);
      wrong.searchParams.set('state', 'another');
      for (const line of ['hello', 'https://example.com/?code=x', wrong.href, location]) {
        child.stdin?.write(`${line}\n`);
      }
    });
    const done = await outcomeOf(child);
    assert.equal(done.code, 0, done.stderr);
    assert.match(done.stderr, /Paste that address here/);
    assert.equal(done.stderr.match(/not the address to which the browser was sent/g)?.length, 2);
    assert.equal(done.stderr.match(/belongs to another login/g)?.length, 1);
    assertPrintsNoSecret(here, done);
  },
);

test('login --scope', limited, async (context) => {
  const here = await place(context, { scope: 'read' });
  const done = await logIn(here, ['--scope', 'write', '--scope', 'admin read']);
  assert.equal(done.code, 0, done.stderr);
  const [asked] = here.server.to('/authorize');
  const { searchParams } = new URL(asked?.path ?? '', here.server.issuer);
  assert.equal(searchParams.get('scope'), 'read write admin');
});

test('the credentials of the program need no browser', limited, async (context) => {
  const secret = 'app-secret-5f0c2b9e';
  const here = await place(context, { clients: { app: { secret } } });
  const args = ['login', 'app', '--config', 'mcp.json'];
  const done = await command(here.folder, args, { env: { SECRET: secret } });
  assert.deepEqual([done.code, done.stdout], [0, 'app accepts the login. It lists 2 tools.\n']);
  assert.doesNotMatch(done.stderr, /Open this address/);
  assertPrintsNoSecret(here, done);
  const wrong = await command(here.folder, args, { env: { SECRET: 'wrong-secret-77' } });
  assert.equal(wrong.code, 1);
  assert.match(wrong.stderr, /login to app failed: .*invalid_client/);
  assert.doesNotMatch(wrong.stderr, /wrong-secret-77/);
});

test('a login that cannot be saved is a failure', limited, async (context) => {
  const here = await place(context, { clients: { app: { secret: 'app-secret-5f0c2b9e' } } });
  const done = await command(here.folder, ['login', 'app', '--config', 'mcp.json'], {
    // A file in place of the folder.
    env: { SECRET: 'app-secret-5f0c2b9e', XDG_DATA_HOME: join(here.folder, 'mcp.json') },
  });
  assert.equal(done.code, 1);
  assert.match(done.stderr, /could not be saved/);
});

describe('wrong use', () => {
  const cases: readonly (readonly [args: readonly string[], expected: RegExp])[] = [
    [['login'], /missing required argument 'server'/],
    [['login', 'valt'], /no server "valt"\. Did you mean vault\?/],
    [['logout', 'Vault'], /Did you mean vault\?/],
    [['login', 'qqqqqq'], /The servers are vault, app, literal, keyed, local\./],
    [['login', 'old'], /old is disabled in mcp\.json/],
    [['login', 'local'], /local has no login: it is not reached by URL/],
    [['login', 'keyed'], /keyed has no login: its entry has an "Authorization" header/],
    [['logout', 'keyed'], /has an "Authorization" header/],
    [['login', 'literal'], /"oauth\.clientSecret" does not come from an environment variable/],
    [['login', 'vault', '--timeout', '0'], /number of seconds/],
    [['login', 'vault', '--scope', ' '], /Expected a scope/],
  ];
  for (const [args, expected] of cases) {
    test(args.join(' '), limited, async (context) => {
      const here = await place(context);
      const { code, stdout, stderr } = await command(here.folder, [
        ...args,
        '--config',
        'mcp.json',
      ]);
      assert.equal(code, 2, stderr);
      assert.match(stderr, expected);
      assert.doesNotMatch(stderr, /hunter2|in-the-file/);
      assert.equal(stdout, '');
      assert.equal(here.server.requests.length, 0);
    });
  }
});

test('a login that nobody finishes ends in time', limited, async (context) => {
  const { folder } = await place(context);
  const args = ['login', 'vault', '--config', 'mcp.json', '--timeout', '0.5'];
  const { code, stderr } = await command(folder, args);
  assert.equal(code, 1);
  assert.match(stderr, /login to vault failed: it was not finished within 0\.5 s/);
});

test('Ctrl-C ends a login', { ...limited, skip: process.platform === 'win32' }, async (context) => {
  const { folder } = await place(context);
  const child = start(folder, ['login', 'vault', '--config', 'mcp.json']);
  let text = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    text += chunk;
    if (addressIn(text) !== undefined) child.kill('SIGINT');
  });
  assert.equal((await outcomeOf(child)).code, 130);
});
