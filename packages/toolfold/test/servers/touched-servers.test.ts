// test: slow
import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import { ownProperty } from '@toolfold/core/internal/values/json.ts';
import { WebServer } from '@toolfold/mcp/test/chaos/web-server.test-support.ts';
import { home, type Outcome, run } from '../cli/process.test-support.ts';
import { configOf, Journal } from './scripted-server.test-support.ts';

const limited = { timeout: 90_000 };

/** Servers of every kind. `up`, `web` and `dotted.up`: their lists are cached where a row says so. */
interface Row {
  readonly args: readonly string[];
  /** The servers that the command touches. */
  readonly touches: readonly string[];
  readonly code: number;
  readonly out?: RegExp;
  readonly err?: RegExp;
  /** Why the command did not wait longer for servers, as the next command knows it. Default: it waited for none. */
  readonly kept?: readonly string[];
}

/** The command gave each of the two servers that never answer two seconds, and not the 30 s of a named one. */
const late = Array(2).fill('it was not ready after 2 s');

const echo = { name: 'echo', description: 'Echoes a text.', inputSchema: { type: 'object' } };
const only = (name: string) => ({ ...echo, name });

/** Where all lists but those of broken servers are cached. */
const cached: readonly Row[] = [
  {
    args: ['list'],
    touches: ['down', 'hang', 'deaf'],
    code: 3,
    kept: late,
    out: /^up +idle/m,
    err: /^Not ready after 2 s: hang, deaf\. To wait longer: toolfold list --timeout 30$/m,
  },
  { args: ['list', 'up'], touches: [], code: 0, out: /^up +idle.*up__one\(\)/ms },
  { args: ['list', 'web'], touches: [], code: 0, out: /web__a\(\)/ },
  { args: ['list', 'up.one'], touches: [], code: 0, out: /up__one\(\)/ },
  { args: ['list', 'up', '--refresh'], touches: ['up'], code: 0, out: /^up +ready/m },
  { args: ['list', 'web', '--refresh'], touches: ['web'], code: 0, out: /^web +ready/m },
  { args: ['list', 'down'], touches: ['down'], code: 3, out: /^down: failed: .*not found/m },
  {
    args: ['list', 'hang', '--timeout', '6'],
    touches: ['hang'],
    code: 3,
    err: /^Not ready after 6 s: hang\. To wait longer: toolfold list hang --timeout 30$/m,
  },
  {
    args: ['list', 'deaf', '--timeout', '6'],
    touches: ['deaf'],
    code: 3,
    err: /^Not ready after 6 s: deaf\./m,
  },
  {
    args: ['list', 'dotted.u'],
    touches: ['down', 'hang', 'deaf'],
    code: 3,
    kept: late,
    err: /no server "dotted\.u"\. Did you mean dotted\.up/,
  },
  {
    args: ['search', 'echo a text'],
    touches: ['down', 'hang', 'deaf'],
    code: 3,
    kept: late,
    out: /echo/,
    err: /Without the tools of hang, deaf/,
  },
  {
    args: ['inspect', '--timeout', '6'],
    touches: ['up', 'dotted.up', 'web', 'hang', 'deaf'],
    code: 3,
    out: /^hang failed: it did not list its tools within 6 s\./m,
  },
  { args: ['call', 'up.one', '{}'], touches: ['up'], code: 0, out: /^\{\}$/ },
  { args: ['call', 'web.a', '{}'], touches: ['web'], code: 0 },
  { args: ['call', 'one', '{}'], touches: ['up'], code: 0, out: /^\{\}$/ },
  { args: ['call', 'echo', '{}'], touches: [], code: 2, err: /2 tools are named "echo"/ },
  {
    args: ['call', 'nothing_like_it', '{}'],
    touches: ['down', 'hang', 'deaf'],
    code: 2,
    kept: late,
    err: /There is no tool/,
  },
  { args: ['call', 'up.nothing', '{}'], touches: ['up'], code: 2, err: /There is no tool/ },
  {
    args: ['call', 'down.echo', '{}'],
    touches: ['down'],
    code: 1,
    err: /down cannot be used: .*not found/,
  },
  {
    args: ['call', 'hang.echo', '{}', '--timeout', '6'],
    touches: ['hang'],
    code: 6,
    err: /^toolfold: hang\.echo was not called: hang was not ready within 6 s\.$/m,
  },
  {
    args: ['call', 'deaf.echo', '{}', '--timeout', '6'],
    touches: ['deaf'],
    code: 6,
    err: /^toolfold: deaf\.echo was not called: deaf was not ready within 6 s\.$/m,
  },
];

/** Where no list is cached. */
const uncached: readonly Row[] = [
  { args: ['list', 'up'], touches: ['up'], code: 0, out: /^up +ready/m },
  { args: ['call', 'up.one', '{}'], touches: ['up'], code: 0, out: /^\{\}$/ },
  { args: ['call', 'dotted.up.two', '{}'], touches: ['dotted.up'], code: 0, out: /^\{\}$/ },
  { args: ['call', 'web/a', '{}'], touches: ['web'], code: 0 },
];

interface Scene {
  readonly command: (args: readonly string[]) => Promise<Outcome>;
  /** The servers that were touched since the last call. */
  readonly touched: () => Promise<readonly string[]>;
  /** Why servers that never answer were given up, for the next command. */
  readonly kept: () => Promise<readonly unknown[]>;
}

async function scene(context: TestContext, isCached: boolean): Promise<Scene> {
  const journal = await Journal.open(context);
  const [web, deaf] = [await WebServer.begin(context), await WebServer.begin(context)];
  deaf.onAll = () => true;
  const known = {
    up: journal.entry('up', [echo, only('one')]),
    'dotted.up': journal.entry('dotted.up', [echo, only('two')]),
    web: { url: web.entry().url },
  };
  const broken = {
    down: { command: 'toolfold-no-such-program' },
    hang: journal.entry('hang'),
    deaf: { url: deaf.entry().url },
  };
  const folder = await home(context, {
    'known.json': configOf(known),
    'c.json': configOf({ ...known, ...broken }),
  });
  const command = (args: readonly string[], file = 'c.json'): Promise<Outcome> =>
    run(folder, [...args, '--config', file]);
  if (isCached) {
    const { code, stderr } = await command(['list', '--timeout', '60'], 'known.json');
    assert.equal(code, 0, stderr);
  }
  let [lines, requests, unheard] = [0, 0, 0];
  const touched = async (): Promise<readonly string[]> => {
    await journal.allGone();
    const starts = journal.lines.slice(lines).filter((line) => line.startsWith('start '));
    const names = starts.map((line) => line.slice('start '.length));
    if (web.received.length > requests) names.push('web');
    if (deaf.received.length > unheard) names.push('deaf');
    [lines, requests, unheard] = [journal.lines.length, web.received.length, deaf.received.length];
    return [...new Set(names)].sort();
  };
  await touched();
  return { command, touched, kept: () => lateOnes(folder) };
}

/** The reasons kept in a home for servers that were not ready in time. */
async function lateOnes(folder: string): Promise<readonly unknown[]> {
  const failures = join(folder, '.cache', 'toolfold', 'failures');
  const files = await readdir(failures).catch(() => []);
  const texts = await Promise.all(files.map((file) => readFile(join(failures, file), 'utf8')));
  const kept: readonly unknown[] = texts.map((text) => JSON.parse(text));
  return kept
    .filter((one) => ownProperty(one, 'waited') !== undefined)
    .map((one) => ownProperty(one, 'reason'));
}

for (const [rows, isCached] of [
  [cached, true],
  [uncached, false],
] as const) {
  suite(`which servers a command touches, ${isCached ? 'with' : 'without'} lists`, {
    concurrency: 4,
  }, () => {
    for (const { args, touches, code, out = /^/, err = /^/, kept } of rows) {
      test(`promise 68: ${args.join(' ')}`, limited, async (context) => {
        const { command, touched, kept: keptFailures } = await scene(context, isCached);
        const outcome = await command(args);
        assert.equal(outcome.code, code, outcome.stderr);
        assert.match(outcome.stdout, out);
        assert.match(outcome.stderr, err);
        // A program that is not there leaves no trace.
        assert.deepEqual(await touched(), touches.filter((name) => name !== 'down').sort());
        if (!args.includes('--timeout')) assert.deepEqual(await keptFailures(), kept ?? []);
      });
    }
  });
}

suite('a failure is kept for a minute', { concurrency: 4 }, () => {
  test(
    'promise 68: the next commands do not run into it; a named server is tried',
    limited,
    async (context) => {
      const { command, touched } = await scene(context, true);
      await command(['list']);
      assert.deepEqual(await touched(), ['deaf', 'hang']);
      const again = await command(['list']);
      assert.equal(again.code, 3);
      assert.match(
        again.stdout,
        /^hang: failed: it was not ready after 2 s\. .*toolfold list hang tries again\.$/m,
      );
      assert.match(again.stdout, /^down: failed: .*not found/m);
      await command(['search', 'echo']);
      await command(['call', 'nothing_like_it', '{}']);
      assert.deepEqual(await touched(), []);
      await command(['list', '--timeout', '4']);
      assert.deepEqual(await touched(), ['deaf', 'hang']);
      await command(['list', '--refresh', '--timeout', '3']);
      assert.deepEqual(await touched(), ['deaf', 'dotted.up', 'hang', 'up', 'web']);
    },
  );

  test(
    'a changed secret, and a file that cannot be read: the server is tried',
    limited,
    async (context) => {
      const journal = await Journal.open(context);
      const config = (token: string) =>
        configOf({ hang: { ...journal.entry('hang'), env: { API_TOKEN: token } } });
      const folder = await home(context, { 'c.json': config('one-0123456789') });
      const list = async (): Promise<number> => {
        const before = journal.lines.length;
        await run(folder, ['list', '--config', 'c.json']);
        await journal.allGone();
        return journal.lines.length - before;
      };
      assert.deepEqual([await list(), await list()], [1, 0]);
      await writeFile(join(folder, 'c.json'), config('two-0123456789'));
      assert.deepEqual([await list(), await list()], [1, 0]);
      const failures = join(folder, '.cache', 'toolfold', 'failures');
      const [file = ''] = await readdir(failures);
      assert.doesNotMatch(await readFile(join(failures, file), 'utf8'), /0123456789/);
      await writeFile(join(failures, file), '{"at": 1e99');
      assert.equal(await list(), 1);
    },
  );
});

test('many servers that hang do not hold up the others', limited, async (context) => {
  const journal = await Journal.open(context);
  const hanging = Array.from({ length: 10 }, (_, at) => [`hang${at}`, journal.entry(`hang${at}`)]);
  const servers = { ...Object.fromEntries(hanging), up: journal.entry('up', [echo]) };
  const folder = await home(context, { 'c.json': configOf(servers) });
  const { stdout } = await run(folder, ['list', '--config', 'c.json']);
  assert.match(stdout, /^up +ready +1/m);
  assert.match(stdout, /^ {2}up__echo/m);
});
