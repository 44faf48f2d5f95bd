import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import { CommanderError } from 'commander';
import { home, run as spawnRun } from '../../test/cli/process.test-support.ts';
import { Unwritten } from '../terminal/terminal.ts';
import { searchCommand } from './search.ts';

const limited = { timeout: 60_000 };

interface Outcome {
  readonly out: string;
  readonly notes: readonly string[];
  readonly progress: readonly string[];
  readonly code: number | undefined;
}

/** Runs the command in this process, on a terminal that records the output. */
async function search(
  args: readonly string[],
  { columns, isInteractive = false }: { columns?: number; isInteractive?: boolean } = {},
): Promise<Outcome> {
  let out = '';
  let code: number | undefined;
  const notes: string[] = [];
  const progress: string[] = [];
  const command = searchCommand({
    streams: { stdin: process.stdin, stdout: process.stdout, stderr: process.stderr },
    terminal: {
      out: (text) => {
        out += text;
      },
      note: (text) => notes.push(text),
      style: (_style, text) => text,
      columns,
      isInteractive,
      overwrite: (line) => progress.push(line),
    },
    signal: new AbortController().signal,
    startedAt: performance.now(),
    unwritten: new Unwritten(),
    exitWith: (given) => {
      code = given;
    },
  });
  command.configureOutput({ writeErr: () => {} });
  await command.exitOverride().parseAsync([...args], { from: 'user' });
  return { out, notes, progress, code };
}

async function folder(context: TestContext, files: Record<string, unknown>): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'toolfold-'));
  context.after(() => rm(path, { recursive: true }));
  for (const [name, content] of Object.entries(files)) {
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    await writeFile(join(path, name), text);
  }
  return path;
}

const lines = (...values: readonly unknown[]): string =>
  values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join('\n');

const inputSchema = { type: 'object', properties: { title: { type: 'string' } } };
const issue = {
  id: 'gh:1',
  server: 'github',
  name: 'create_issue',
  description: 'Creates an issue in a repository. It needs a title.',
  inputSchema,
};
const mail = { id: 'm:1', server: 'mail', name: 'send_mail', description: 'Sends an email.' };
const bare = { id: 'b', name: 'convert_units' };
const toolFile = lines(issue, '', mail, bare);

suite('search in a file of tools', () => {
  test('prints the matches as JSON, the best first', async (context) => {
    const path = join(await folder(context, { 'tools.jsonl': toolFile }), 'tools.jsonl');
    const { out, code } = await search(['create', 'an issue', '--tools', path, '--json']);
    assert.equal(code, 0);
    const { matches, ms } = JSON.parse(out);
    assert.deepEqual(Object.keys(matches[0]), ['name', 'group', 'score']);
    assert.deepEqual([matches[0].name, matches[0].group], ['create_issue', 'github']);
    assert.ok(matches[0].score > 0 && ms >= 0);
  });

  test('prints a table with the first sentence of each description', async (context) => {
    const path = join(await folder(context, { 'tools.jsonl': toolFile }), 'tools.jsonl');
    const { out } = await search(['create an issue', '--tools', path, '-k', '1']);
    assert.equal(
      out,
      'Tool          Group   Description\n' +
        'create_issue  github  Creates an issue in a repository\n',
    );
    const narrow = await search(['create an issue', '--tools', path, '-k', '1'], { columns: 44 });
    for (const line of narrow.out.split('\n')) assert.ok(line.length < 44, line);
    assert.match(narrow.out, /Creates an issue in …$/m);
  });

  test('counts related words as well, unless told not to', async (context) => {
    const path = join(await folder(context, { 'tools.jsonl': toolFile }), 'tools.jsonl');
    const flags = ['message a friend', '--tools', path];
    assert.match((await search(flags)).out, /send_mail/);
    assert.equal((await search([...flags, '--vectors'])).out, (await search(flags)).out);
    assert.doesNotMatch((await search([...flags, '--no-vectors'])).out, /send_mail/);
  });

  test('no match is no failure', async (context) => {
    const path = join(await folder(context, { 'tools.jsonl': toolFile }), 'tools.jsonl');
    const { out, notes, code } = await search(['zebra', '--tools', path]);
    assert.deepEqual([out, code], ['', 0]);
    assert.match(notes.join('\n'), /^No tool matches\. Try other words/);
    const json = await search(['zebra', '--tools', path, '--json']);
    assert.deepEqual(JSON.parse(json.out).matches, []);
  });

  test('names cannot control the terminal', async (context) => {
    const hostile = {
      id: 'x',
      server: 'g\u001b[31m\nroup',
      name: 'issue\u009b31m\u202e',
      description: '\u001b]0;title\u0007Opens\r\nissues',
    };
    const path = join(await folder(context, { 't.jsonl': lines(hostile) }), 't.jsonl');
    const text = await search(['issue', '--tools', path]);
    assert.doesNotMatch(text.out, /[^\P{C}\n]/u);
    assert.equal(text.out.split('\n').length, 3);
    const json = await search(['issue', '--tools', path, '--json']);
    assert.doesNotMatch(json.out, /[^\P{Cc}\n]/u);
    assert.equal(JSON.parse(json.out).matches[0].name, hostile.name);
  });
});

suite('search with a file of queries', () => {
  const queries = lines(
    { id: 'q1', query: 'send an email' },
    { id: 2, query: 'issue in a repository' },
    { id: 'q3', query: '' },
  );

  test('prints a line for each query, in their order, with the ids of the tools', async (context) => {
    const path = await folder(context, { 'tools.jsonl': toolFile, 'queries.jsonl': queries });
    const flags = ['--tools', join(path, 'tools.jsonl'), '--queries', join(path, 'queries.jsonl')];
    const { out, progress, code } = await search([...flags, '-k', '1', '--json']);
    assert.equal(code, 0);
    const rows = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.deepEqual(
      rows.map(({ id, ranked }) => [id, ranked]),
      [
        ['q1', ['m:1']],
        [2, ['gh:1']],
        ['q3', []],
      ],
    );
    for (const { ms } of rows) assert.equal(typeof ms, 'number');
    assert.deepEqual(progress, []);
  });

  test('shows the progress on a terminal, and clears it', async (context) => {
    const path = await folder(context, { 'tools.jsonl': toolFile, 'queries.jsonl': queries });
    const flags = ['--tools', join(path, 'tools.jsonl'), '--queries', join(path, 'queries.jsonl')];
    const { progress } = await search(flags, { isInteractive: true });
    assert.deepEqual(progress, ['Query 1 of 3', '']);
  });
});

suite('search with wrong use', () => {
  test('files that cannot be used are reported with the line', async (context) => {
    const cases: [tools: string, expected: RegExp][] = [
      [lines(issue, '{'), /tools\.jsonl:2 is not a tool: /],
      [lines('[]'), /tools\.jsonl:1 is not a tool: it is no JSON object\. Each line is \{ "id"/],
      [lines({ id: 'a' }), /tools\.jsonl:1 is not a tool: it has no "name"\./],
      [lines(issue, '', { name: 'a' }), /tools\.jsonl:3 is not a tool: it has no "id"\./],
      [
        lines(issue, mail, { ...mail, id: 'gh:1' }),
        /tools\.jsonl:3 repeats the id "gh:1" of .*tools\.jsonl:1\. /,
      ],
      ['\n\n', /tools\.jsonl is empty\./],
    ];
    for (const [tools, message] of cases) {
      const path = join(await folder(context, { 'tools.jsonl': tools }), 'tools.jsonl');
      const code = 'invalid-option';
      await assert.rejects(search(['issue', '--tools', path]), { code, message });
    }
    const path = await folder(context, { 'tools.jsonl': toolFile, 'q.jsonl': '{"id":"a"}' });
    const flags = ['--tools', join(path, 'tools.jsonl'), '--queries'];
    await assert.rejects(search([...flags, join(path, 'q.jsonl')]), {
      message: /q\.jsonl:1 is not a query: it has no "query"\./,
    });
    await assert.rejects(search([...flags, join(path, 'none.jsonl')]), {
      code: 'invalid-option',
      message: /none\.jsonl cannot be read: .*ENOENT/,
    });
  });

  test('there is either a query or a file of queries', async () => {
    const code = 'invalid-option';
    await assert.rejects(search([]), { code, message: /^There is no query\. .*toolfold search "/ });
    await assert.rejects(search([' ']), { code, message: /^There is no query\./ });
    await assert.rejects(search(['issue', '--queries', 'q.jsonl']), { code, message: /not both/ });
  });

  test('flags with wrong values, and two sources', async () => {
    for (const value of ['0', '1001', '-1', '1.5', 'ten', '']) {
      await assert.rejects(search(['issue', `--limit=${value}`]), (error) => {
        assert.ok(error instanceof CommanderError, value);
        assert.match(error.message, /whole number from 1 to 1,000/);
        return true;
      });
    }
    const pairs = [
      ['--config', 'a', '--tools', 'b'],
      ['--config', 'a', '--catalogs', 'b'],
      ['--catalogs', 'a', '--tools', 'b'],
    ];
    for (const flags of pairs) await assert.rejects(search(['issue', ...flags]), CommanderError);
  });
});

suite('search over servers', () => {
  const hidden = { name: 'app_issue', inputSchema, _meta: { ui: { visibility: ['app'] } } };

  test('captured lists: hidden tools are left out, failed lists are named: 3', async (context) => {
    const path = await folder(context, {
      'a.json': { server: 'alpha', tools: [issue, hidden] },
      'b.json': '{',
    });
    const { out, notes, code } = await search(['issue', '--catalogs', path, '--json']);
    assert.equal(code, 3);
    assert.match(
      notes.join('\n'),
      /^b failed: its file cannot be read.* Correct or remove b\.json/,
    );
    const found = JSON.parse(out).matches.map(({ name, group }: Record<string, string>) => [
      name,
      group,
    ]);
    assert.deepEqual(found, [['create_issue', 'alpha']]);
    await assert.rejects(search(['issue', '--catalogs', await folder(context, {})]), {
      code: 'invalid-option',
      message: /^There are no servers in /,
    });
  });

  test('a configuration: rules hide tools, and ids of queries have the server', async (context) => {
    const source = `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method } = JSON.parse(line);
      const result = method === 'initialize'
        ? { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } }
        : { tools: ${JSON.stringify([issue, { ...mail, inputSchema }])} };
      if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
    })`;
    const path = await folder(context, {
      'mcp.json': {
        mcpServers: {
          good: { command: process.execPath, args: ['-e', source] },
          bad: { command: join('/nowhere', 'toolfold-bad') },
        },
        toolfold: { exposure: { 'mcp:good/send_*': 'hidden' } },
      },
      'q.jsonl': lines({ id: 'q', query: 'send mail or create an issue' }),
    });
    const flags = ['--config', join(path, 'mcp.json'), '--queries', join(path, 'q.jsonl')];
    const { out, notes, code } = await search(flags);
    assert.equal(code, 3);
    assert.match(notes.join('\n'), /^bad failed: .*was not found/m);
    assert.deepEqual(JSON.parse(out).ranked, ['good/create_issue']);
  });

  test('as a process: no configuration: 2, with the places searched', limited, async (context) => {
    const { code, stdout, stderr } = await spawnRun(await home(context), ['search', 'issue']);
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, /^toolfold: No MCP servers are configured\. .*--tools.* Searched:\n {2}/);
  });

  test(
    'as a process: without the table of word vectors, words are compared',
    limited,
    async (context) => {
      const path = await home(context, {
        'tools.jsonl': lines(issue),
        'unread.mjs': `
        import files from 'node:fs/promises';
        import { syncBuiltinESMExports } from 'node:module';
        const { readFile } = files;
        files.readFile = async (path, ...others) => {
          if (String(path).endsWith('word-vectors.bin')) throw new Error('There is no such file.');
          return readFile(path, ...others);
        };
        syncBuiltinESMExports();`,
      });
      const node = ['--import', join(path, 'unread.mjs')];
      const args = ['search', 'create issue', '--tools', 'tools.jsonl'];
      const { code, stdout, stderr } = await spawnRun(path, args, { node });
      assert.deepEqual([code, /create_issue/.test(stdout)], [0, true]);
      assert.match(stderr, /only words are compared/);
      assert.doesNotMatch((await spawnRun(path, args)).stderr, /only words/);
    },
  );
});
