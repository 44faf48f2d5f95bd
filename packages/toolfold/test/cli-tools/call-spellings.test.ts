// test: slow
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import { WebServer } from '@toolfold/mcp/test/chaos/web-server.test-support.ts';
import { command } from '../cli/in-process.test-support.ts';
import { home, type Outcome } from '../cli/process.test-support.ts';
import { configOf, Journal, type ScriptedTool } from '../servers/scripted-server.test-support.ts';

const limited = { timeout: 120_000 };

/** Servers and tools whose names are hard to tell apart. Each tool answers with its server and its name. */
const names: Readonly<Record<string, readonly string[]>> = {
  git: ['create', 'hub.create', 'hub__create', 'x/y', 'list.all'],
  'git.hub': ['create', 'x/y'],
  git__hub: ['create'],
  'git/hub': ['create'],
  'my server': ['create', 'with space', `long-${'name-'.repeat(14)}end`],
  'a-server-with-a-name-of-many-words': ['create', 'ünïcode'],
};

const inputSchema = {
  type: 'object',
  properties: {
    title: { type: 'string' },
    count: { type: 'integer' },
    draft: { type: 'boolean' },
    labels: { type: 'array', items: { type: 'string' } },
    options: { type: 'object' },
  },
};

const answering = (server: string, name: string): ScriptedTool => ({
  ...{ name, description: `The tool ${name} of ${server}.`, inputSchema: { type: 'object' } },
  answer: { content: [{ type: 'text', text: JSON.stringify([server, name]) }] },
});

interface Scene {
  readonly folder: string;
  readonly toolfold: (...args: string[]) => Promise<Outcome>;
  /** The server and the tool that answer to these words. */
  readonly called: (...words: string[]) => Promise<unknown>;
}

async function scene(context: TestContext): Promise<Scene> {
  const journal = await Journal.open(context);
  const servers = Object.entries(names).map(([server, tools]) => [
    server,
    journal.entry(
      server.replaceAll(' ', '-'),
      tools.map((name) => answering(server, name)),
    ),
  ]);
  const echo = journal.entry('echo', [{ name: 'echo', inputSchema }]);
  const config = configOf({ ...Object.fromEntries(servers), echo });
  const folder = await home(context, { 'c.json': config });
  const toolfold = (...args: string[]) => command(folder, [...args, '--config', 'c.json']);
  const { code, stderr } = await toolfold('list', '--timeout', '60');
  assert.equal(code, 0, stderr);
  const called = async (...words: string[]): Promise<unknown> => {
    const outcome = await toolfold('call', ...words, '{}');
    assert.equal(outcome.code, 0, `${words.join(' ')}: ${outcome.stderr}`);
    return JSON.parse(outcome.stdout);
  };
  return { folder, toolfold, called };
}

suite('names of tools', () => {
  test('what list and search print can be called', limited, async (context) => {
    const { toolfold, called } = await scene(context);
    const { tools } = JSON.parse((await toolfold('list', '--json')).stdout);
    for (const { name, server, tool } of tools) {
      if (server === 'echo') continue;
      assert.deepEqual(await called(name), [server, tool], name);
      assert.deepEqual(await called(server, tool), [server, tool], `${server} ${tool}`);
    }
    const { matches } = JSON.parse(
      (await toolfold('search', 'create', '--json', '-k', '20')).stdout,
    );
    assert.ok(matches.length > 0);
    for (const { call, group, name } of matches) {
      if (group !== 'echo') assert.deepEqual(await called(call), [group, name], call);
    }
    const shown = (await toolfold('search', 'create', '-k', '20')).stdout.split('\n').slice(1, -1);
    for (const line of shown) await called(/^\S+/.exec(line)?.[0] ?? '');
    const listed = (await toolfold('list', 'git')).stdout.match(/^ {2}\S.*(?=\()/gm) ?? [];
    assert.equal(listed.length, 5);
    for (const name of listed) await called(name.trim());
  });

  test('the longest name of a server wins, and each mark separates', limited, async (context) => {
    const { called } = await scene(context);
    const cases: readonly (readonly [string, string, string])[] = [
      ['git.create', 'git', 'create'],
      ['git/create', 'git', 'create'],
      ['git__create', 'git', 'create'],
      ['mcp:git/create', 'git', 'create'],
      ['git.hub.create', 'git.hub', 'create'],
      ['git.hub/create', 'git.hub', 'create'],
      ['git/hub/create', 'git/hub', 'create'],
      ['git.list.all', 'git', 'list.all'],
      ['git/x/y', 'git', 'x/y'],
      ['git.hub.x/y', 'git.hub', 'x/y'],
      ['my server.with space', 'my server', 'with space'],
      ['list.all', 'git', 'list.all'],
      ['with space', 'my server', 'with space'],
      // This is what list prints for a tool of git.
      ['git__hub__create', 'git', 'hub__create'],
    ];
    for (const [name, server, tool] of cases)
      assert.deepEqual(await called(name), [server, tool], name);
  });
});

suite('arguments', () => {
  const cases: readonly (readonly [words: readonly string[], expected: object | RegExp])[] = [
    [['title=It breaks', 'count=3', 'draft=true'], { title: 'It breaks', count: 3, draft: true }],
    [['title=5', 'count:=5'], { title: '5', count: 5 }],
    [['title:="x"', 'options:={"a":[1]}'], { title: 'x', options: { a: [1] } }],
    [['labels=x', 'labels=y'], { labels: ['x', 'y'] }],
    [['labels:=["x","y"]'], { labels: ['x', 'y'] }],
    [['labels=x'], { labels: ['x'] }],
    [['title=a=b'], { title: 'a=b' }],
    [['title='], { title: '' }],
    [['title=https://example.com/?a=b'], { title: 'https://example.com/?a=b' }],
    [['count=-1'], { count: -1 }],
    // As mcporter writes them.
    [['title:a=b', 'count:3', 'options:{"a":1}'], { title: 'a=b', count: 3, options: { a: 1 } }],
    [['labels:x', 'labels=y:z'], { labels: ['x', 'y:z'] }],
    [['--arg', 'title=a', 'count=2'], { title: 'a', count: 2 }],
    [['--arg', 'title=a', '--arg', 'count:=2'], { title: 'a', count: 2 }],
    [['{"title":"a=b"}'], { title: 'a=b' }],
    [[' { "count": 1 }'], { count: 1 }],
    [['count:=x'], /What follows count:= is not JSON/],
    [['count=x'], /\/count: /],
    [['{"title":"a"}', 'count=2'], /is no name=value, and there are other arguments/],
    [['count=2', '{"title":"a"}'], /The argument ".*" has no name and value/],
    [['title'], /The argument is not JSON.*name=value/],
    [['title=a', 'title=b'], /"title" more than once, but it is no list/],
    [['=a'], /The argument is not JSON/],
  ];
  for (const [words, expected] of cases) {
    test(words.join(' '), limited, async (context) => {
      const journal = await Journal.open(context);
      const echo = journal.entry('echo', [{ name: 'echo', inputSchema }]);
      const folder = await home(context, { 'c.json': configOf({ echo }) });
      const args = ['call', 'echo.echo', ...words, '--config', 'c.json'];
      const { code, stdout, stderr } = await command(folder, args);
      if (expected instanceof RegExp) {
        assert.deepEqual([code, stdout], [2, '']);
        assert.match(stderr, expected);
      } else {
        assert.equal(code, 0, stderr);
        assert.deepEqual(JSON.parse(stdout), expected);
      }
    });
  }
});

suite('a server on the command line', () => {
  test('--stdio and an address: list and call, and nothing is kept', limited, async (context) => {
    const journal = await Journal.open(context);
    const { command: program, args } = journal.entry('it', [{ name: 'echo', inputSchema }]) as {
      readonly command: string;
      readonly args: readonly string[];
    };
    const stdio = [program, ...args].map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
    const web = await WebServer.begin(context);
    const { url } = web.entry();
    const folder = await home(context);
    const cases: readonly (readonly [readonly string[], RegExp])[] = [
      [['list', '--stdio', stdio], /__echo\(title\?: string, count\?: integer/],
      [['call', '--stdio', `KEY='a b' ${stdio}`, 'echo', 'count=2'], /^\{"count":2\}$/],
      [['list', url], /^ {2}127-0-0-1__a\(\)/m],
      [['call', '--stdio', stdio, 'echo', 'count=2'], /^\{"count":2\}$/],
      [['call', url, 'a', '{}'], /^$/],
      [['call', `${url}.a`, '{}'], /^$/],
      [['call', url, '127-0-0-1__a', '{}'], /^$/],
    ];
    for (const [words, expected] of cases) {
      const { code, stdout, stderr } = await command(folder, words);
      assert.equal(code, 0, stderr);
      assert.match(stdout, expected);
    }
    assert.equal(web.count('tools/call'), 3);
    const kept = await readdir(join(folder, '.cache', 'toolfold')).catch(() => []);
    assert.deepEqual(kept, []);
    const wrong: readonly (readonly [readonly string[], RegExp])[] = [
      [['call', 'https://example.com', '{}'], /an address, but no tool/],
      [['list', '--stdio', `npx 'some`], /is no command/],
      [['list', '--stdio', 'x', '--config', 'c.json'], /cannot be used with/],
    ];
    for (const [words, expected] of wrong) {
      const { code, stderr } = await command(folder, words);
      assert.equal(code, 2);
      assert.match(stderr, expected);
    }
  });

  test('a login is neither read nor kept: the reason is told', limited, async (context) => {
    const web = await WebServer.begin(context);
    web.onAll = (_message, response) => {
      const challenge = { 'www-authenticate': `Bearer resource_metadata="${web.entry().url}"` };
      response.writeHead(401, challenge).end();
      return true;
    };
    const folder = await home(context);
    const { code, stderr } = await command(folder, ['call', web.entry().url, 'a', '{}']);
    assert.equal(code, 1);
    assert.match(stderr, /401/);
    assert.ok(
      web.received.every(({ method }) => !/GET/.test(method)),
      'no metadata is read',
    );
  });
});
