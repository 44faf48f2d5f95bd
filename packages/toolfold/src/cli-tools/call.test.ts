import assert from 'node:assert/strict';
import { readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import { command } from '../../test/cli/in-process.test-support.ts';
import { home, type Outcome } from '../../test/cli/process.test-support.ts';
import {
  configOf,
  Journal,
  type ScriptedTool,
} from '../../test/servers/scripted-server.test-support.ts';

const limited = { timeout: 60_000 };

const text = (value: string): object => ({ type: 'text', text: value });
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
/** Bytes that are not UTF-8. */
const raw = new Uint8Array([0xff, 0xfe, 0, 0x80, 10]);

const issue = {
  type: 'object',
  properties: {
    title: { type: 'string' },
    count: { type: 'integer' },
    labels: { type: 'array', items: { type: 'string' } },
    draft: { type: 'boolean' },
  },
  required: ['title'],
};
const none = { type: 'object', properties: {} };

const github: readonly ScriptedTool[] = [
  { name: 'create_issue', inputSchema: issue },
  { name: 'ping', inputSchema: none, answer: { content: [text('pong')] } },
  { name: 'shared', inputSchema: none },
  { name: 'for_apps', inputSchema: none, _meta: { ui: { visibility: ['app'] } } },
];
const mail: readonly ScriptedTool[] = [
  { name: 'send_mail', inputSchema: none },
  { name: 'shared', inputSchema: none },
  { name: 'purge', inputSchema: none },
];

const results: Readonly<Record<string, unknown>> = {
  nul: { content: [text('a\0b\u001b[31mred\u0000')] },
  two: { content: [text('one'), text('two\n'), text('three')] },
  structured: { content: [], structuredContent: { a: [1] } },
  both: { content: [text('words')], structuredContent: { a: 1 } },
  repeated: { content: [text('a: 1')], structuredContent: { a: 1 } },
  same: { content: [text('{"a":{"b":1}}')], structuredContent: { a: { b: 1 } } },
  empty: { content: [] },
  picture: { content: [{ type: 'image', data: base64(raw), mimeType: 'image/png' }] },
  sound: {
    content: [text('Listen.'), { type: 'audio', data: base64(raw), mimeType: 'audio/wav; x=1' }],
  },
  evil: { content: [{ type: 'image', data: base64(raw), mimeType: '../../x\u001b[31m' }] },
  broken: { content: [{ type: 'image', data: 'no base64!', mimeType: 'image/png' }] },
  resource: {
    content: [
      { type: 'resource', resource: { uri: 'a://b', text: 'inside' } },
      { type: 'resource', resource: { uri: 'a://../c.sh', blob: base64(raw) } },
      { type: 'resource_link', uri: 'https://example.com/x', name: 'x' },
    ],
  },
  strange: { content: [{ type: 'hologram' }, 7, null, text('rest')] },
  failed: { content: [text('It \u001b[31mbroke.\n')], isError: true },
  refused: 'refuse',
  text: 'only a text',
  never: 'never',
};
const odd = Object.entries(results).map(
  ([name, answer]): ScriptedTool => ({ name, answer, inputSchema: none }),
);

interface Scene {
  readonly folder: string;
  readonly journal: Journal;
  readonly call: (...args: string[]) => Promise<Outcome>;
  readonly piped: (input: string, ...args: string[]) => Promise<Outcome>;
}

async function scene(context: TestContext): Promise<Scene> {
  const journal = await Journal.open(context);
  const servers = {
    github: journal.entry('github', github),
    mail: journal.entry('mail', mail),
    odd: journal.entry('odd', odd),
    off: { command: 'x', disabled: true },
  };
  const exposure = { 'mcp:mail/purge': 'hidden' };
  const folder = await home(context, { 'c.json': configOf(servers, { exposure }) });
  const piped = (input: string, ...args: string[]): Promise<Outcome> =>
    command(folder, ['call', '--config', 'c.json', ...args], { input });
  return { folder, journal, piped, call: (...args) => piped('', ...args) };
}

/** The files of results in a folder. */
const saved = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder)).filter((file) => file.startsWith('odd__'));

suite('call', () => {
  test('only the server that is needed starts', limited, async (context) => {
    const { journal, call } = await scene(context);
    for (const name of ['github__ping', 'github/ping', 'mcp:github/ping']) {
      const { code, stdout } = await call(name);
      assert.deepEqual([code, stdout], [0, 'pong'], name);
    }
    await journal.allGone();
    assert.deepEqual(new Set(journal.lines), new Set(['start github', 'call github']));
    // A bare name needs the lists of all servers, once.
    assert.equal((await call('ping')).stdout, 'pong');
    await journal.allGone();
    const { length } = journal.lines;
    assert.equal((await call('ping')).stdout, 'pong');
    await journal.allGone();
    assert.deepEqual(journal.lines.slice(length), ['start github', 'call github']);
  });

  test('names that cannot be called', limited, async (context) => {
    const { call, journal } = await scene(context);
    const cases: readonly (readonly [string, number, RegExp])[] = [
      ['shared', 2, /2 tools are named "shared"\. Give one of: github__shared, mail__shared\./],
      ['github__pong', 2, /There is no tool "github__pong"\. Did you mean github__ping\?/],
      ['github/create_isue', 2, /Did you mean github__create_issue\?/],
      ['creat_issue', 2, /Did you mean github__create_issue\?/],
      ['zzzzqqqq', 2, /There is no tool "zzzzqqqq"\. See the names with: toolfold list\./],
      [
        'mail.zzzzqqqq',
        2,
        /There is no tool "mail.zzzzqqqq"\. See its names with: toolfold list mail/,
      ],
      ['off__x', 2, /The server off is disabled/],
      ['mail', 2, /mail is a server, and no tool\. Name one of its tools: toolfold list mail/],
      ['mail__purge', 2, /hidden from models: rule "mcp:mail\/purge"\. .*--force/],
      ['github__for_apps', 2, /hidden from models: its server keeps it from models\. .*--force/],
    ];
    for (const [name, expected, message] of cases) {
      const { code, stdout, stderr } = await call(name);
      assert.deepEqual([code, stdout], [expected, ''], name);
      assert.match(stderr, message);
    }
    assert.ok(!journal.lines.some((line) => line.startsWith('call')));
    assert.equal((await call('mail__purge', '--force')).stdout, '{}');
  });

  test('a server that cannot be used: 1, with its reason', limited, async (context) => {
    const absent = { command: 'toolfold-no-such-program' };
    const folder = await home(context, { 'c.json': configOf({ absent }) });
    const outcome = await command(folder, ['call', 'absent__x', '--config', 'c.json']);
    assert.equal(outcome.code, 1);
    assert.match(outcome.stderr, /The MCP server absent cannot be used: .*not found\./);
  });

  test('arguments as JSON, from stdin and by name', limited, async (context) => {
    const { call, piped } = await scene(context);
    const name = 'github__create_issue';
    const pairs = (...list: string[]): string[] => list.flatMap((pair) => ['--arg', pair]);
    const cases: readonly (readonly [Promise<Outcome>, object])[] = [
      [call(name, '{"title":"a"}'), { title: 'a' }],
      [piped('\uFEFF{"title":"é"}\n', name, '-'), { title: 'é' }],
      [piped('{"title":"b"}', name), { title: 'b' }],
      [
        call(name, ...pairs('title=3', 'count=3', 'draft=true')),
        { title: '3', count: 3, draft: true },
      ],
      [
        call(name, ...pairs('title=a=b', 'labels=x', 'labels=y')),
        { title: 'a=b', labels: ['x', 'y'] },
      ],
      [call(name, ...pairs('title=', 'labels=["x"]')), { title: '', labels: ['x'] }],
    ];
    for (const [running, expected] of cases) {
      const { code, stdout, stderr } = await running;
      assert.equal(code, 0, stderr);
      assert.deepEqual(JSON.parse(stdout), expected);
    }
  });

  test('arguments that are refused: 2, and the tool does not run', limited, async (context) => {
    const { call, piped, journal } = await scene(context);
    const name = 'github__create_issue';
    const cases: readonly (readonly [Promise<Outcome>, RegExp])[] = [
      [
        call(name),
        /do not fit github__create_issue\. Its signature: github__create_issue\(title: string, count\?: integer, labels\?: string\[\], draft\?: boolean\)\n {2}\/: .*"title"/,
      ],
      [call(name, '{"title":1,"count":"x"}'), /\n {2}\/title: .*\n {2}\/count: /],
      [call(name, '--arg', 'title=a', '--arg', 'count=x'), /\n {2}\/count: .*string/],
      [
        call(name, '--arg', 'title=a', '--arg', 'title=b'),
        /"title" more than once, but it is no list/,
      ],
      [call(name, 'titel=a'), /\n {2}There is no argument "titel"\. Did you mean title\?/],
      [call(name, '--arg', 'title'), /The argument "title" has no name and value/],
      [call(name, '{}', '--arg', 'a=b'), /"\{\}" is no name=value, and there are other arguments/],
      [call(name, '{'), /The argument is not JSON/],
      [call(name, '[1]'), /The argument is JSON, but no object/],
      [piped('nonsense', name, '-'), /stdin is not JSON/],
    ];
    for (const [running, message] of cases) {
      const { code, stdout, stderr } = await running;
      assert.deepEqual([code, stdout], [2, ''], stderr);
      assert.match(stderr, message);
    }
    assert.ok(!journal.lines.includes('call github'));
  });

  test('results', limited, async (context) => {
    const { call } = await scene(context);
    const cases: readonly (readonly [string, number, string, RegExp])[] = [
      // No terminal: the text as it was received.
      ['nul', 0, 'a\0b\u001b[31mred\u0000', /^$/],
      ['two', 0, 'one\ntwo\nthree', /^$/],
      ['structured', 0, '{\n  "a": [\n    1\n  ]\n}\n', /^$/],
      ['both', 0, 'words', /^--json shows the data beside this text\.\n$/],
      ['repeated', 0, 'a: 1', /^$/],
      ['same', 0, '{"a":{"b":1}}', /^$/],
      ['empty', 0, '', /The result is empty/],
      [
        'picture',
        0,
        'odd__picture-1.png\n',
        /Saved odd__picture-1\.png \(picture, image\/png, 5 bytes\)/,
      ],
      ['sound', 0, 'Listen.', /Saved odd__sound-1\.wav \(audio, /],
      [
        'evil',
        0,
        'odd__evil-1.bin\n',
        /^Saved odd__evil-1\.bin \(picture, \.\.\/\.\.\/x, 5 bytes\)\n$/,
      ],
      ['broken', 1, '', /The picture of the result is not base64 and was not saved/],
      [
        'resource',
        0,
        'inside\nhttps://example.com/x\n',
        /Saved odd__resource-1\.bin \(resource, 5 bytes\)/,
      ],
      ['strange', 0, 'rest', /unknown type "hologram", which --json shows/],
      ['failed', 1, '', /^odd__failed answered with an error: It broke\.\n$/],
      ['refused', 1, '', /odd__refused failed: .*no such thing\.\n$/],
      ['text', 1, '', /its result is a string, not an object/],
    ];
    for (const [name, code, stdout, note] of cases) {
      const outcome = await call(`odd__${name}`);
      assert.deepEqual([outcome.code, outcome.stdout], [code, stdout], outcome.stderr);
      const notes = outcome.stderr.replace(/^Disabled .*\n/, '');
      assert.match(notes, note, name);
    }
  });

  test('--json prints each result as received', limited, async (context) => {
    const { call, folder } = await scene(context);
    for (const name of ['nul', 'both', 'picture', 'strange', 'failed']) {
      const { code, stdout } = await call(`odd__${name}`, '--json');
      assert.equal(code, name === 'failed' ? 1 : 0);
      assert.equal(stdout.split('\n').length, 2);
      assert.deepEqual(JSON.parse(stdout), results[name]);
    }
    assert.deepEqual(await saved(folder), []);
  });

  test(
    'files are new ones: nothing is overwritten, no link is followed',
    limited,
    async (context) => {
      const { call, folder } = await scene(context);
      await writeFile(join(folder, 'odd__picture-1.png'), 'mine');
      await symlink(join(folder, 'elsewhere'), join(folder, 'odd__picture-2.png'));
      assert.equal((await call('odd__picture')).stdout, 'odd__picture-3.png\n');
      assert.equal(await readFile(join(folder, 'odd__picture-1.png'), 'utf8'), 'mine');
      assert.deepEqual(new Uint8Array(await readFile(join(folder, 'odd__picture-3.png'))), raw);
      const path = join('new', 'folder', 'odd__picture-1.png');
      assert.equal((await call('odd__picture', '--out', 'new/folder')).stdout, `${path}\n`);
      const { code, stderr } = await call('odd__picture', '--out', 'c.json');
      assert.equal(code, 2);
      assert.match(stderr, /c\.json cannot be written: .*The tool has run\./);
    },
  );

  test('--timeout cancels the call: 6', limited, async (context) => {
    const { call, journal } = await scene(context);
    const { code, stdout, stderr } = await call('odd__never', '--timeout', '3');
    assert.deepEqual([code, stdout], [6, '']);
    assert.match(stderr, /did not answer within 3 s and was cancelled\. It may or may not/);
    await journal.until('cancelled odd');
  });

  test('--timeout while stdin stays open: no server is blamed', limited, async (context) => {
    const { folder, journal } = await scene(context);
    const args = ['call', '--config', 'c.json', 'odd__never', '-', '--timeout', '1'];
    const { code, stderr } = await command(folder, args, { answers: [] });
    assert.equal(code, 6);
    assert.match(stderr, /odd__never was not called: its arguments were not there within 1 s\./);
    assert.deepEqual(journal.lines, []);
  });
});
