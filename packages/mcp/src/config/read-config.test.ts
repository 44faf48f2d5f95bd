// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax under test
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createFold } from '@toolfold/ai-sdk';
import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { createToolLayer } from '@toolfold/core/internal/session/layer.ts';
import fc from 'fast-check';
import type { ServerEntry, ToolfoldConfig } from './config.ts';
import { parseConfig, readConfig } from './read-config.ts';

const noEnv = { env: {} };

function parse(value: unknown, env: Record<string, string> = {}): ToolfoldConfig {
  return parseConfig('/project/mcp.json', JSON.stringify(value), { env });
}

function entryOf(value: unknown, env: Record<string, string> = {}): ServerEntry {
  const entry = parse({ mcpServers: { one: value } }, env).servers.get('one');
  assert.ok(entry);
  return entry;
}

function complaint(text: string): string {
  try {
    parseConfig('c.json', text, noEnv);
  } catch (error) {
    assert.ok(error instanceof ToolfoldError, String(error));
    assert.equal(error.code, 'invalid-config');
    return error.message;
  }
  return assert.fail(`no complaint about ${text}`);
}

test('the user of an address becomes a header', () => {
  const url = 'https://me:pass%20%25%C3%BC@example.com/mcp?a=1';
  const entry = entryOf({ url, headers: { X: 'y' } });
  assert.ok(entry.kind === 'http');
  assert.equal(entry.url, 'https://example.com/mcp?a=1');
  const basic = `Basic ${Buffer.from('me:pass %ü').toString('base64')}`;
  assert.deepEqual(
    [...entry.headers],
    [
      ['X', 'y'],
      ['Authorization', basic],
    ],
  );
  assert.ok(entry.secrets.includes('pass %ü') && entry.secrets.includes(basic.slice(6)));
  const given = entryOf({ url, headers: { authorization: 'Bearer own-token-1' } });
  assert.ok(given.kind === 'http');
  assert.deepEqual([...given.headers], [['authorization', 'Bearer own-token-1']]);
});

test('mcpServers with comments and trailing commas', () => {
  const config = parseConfig(
    '/project/.mcp.json',
    `{
      // of the project
      "mcpServers": {
        "files": { "command": "npx", "args": ["-y", "files"], "env": { "A": "b" }, },
        "web": { "type": "http", "url": "https://example.com/mcp", "headers": { "X": "y" } },
        "old": { "type": "sse", "url": "https://example.com/sse" },
      },
    }`,
    noEnv,
  );
  assert.deepEqual([...config.servers.keys()], ['files', 'web', 'old']);
  const files = config.servers.get('files');
  assert.ok(files?.kind === 'stdio');
  assert.deepEqual(files.args, ['-y', 'files']);
  assert.deepEqual([...files.env], [['A', 'b']]);
  const web = config.servers.get('web');
  assert.ok(web?.kind === 'http');
  assert.deepEqual([...web.headers], [['X', 'y']]);
  assert.equal(config.servers.get('old')?.kind, 'sse');
  assert.equal(config.settings, undefined);
});

test('VS Code: servers and inputs', () => {
  const config = parse({
    inputs: [
      { id: 'key', type: 'promptString', password: true },
      { id: 'region', type: 'pickString', default: 'eu' },
    ],
    servers: {
      a: { type: 'stdio', command: 'a', args: ['${input:region}', '${workspaceFolder}/x'] },
      b: { command: 'b', env: { KEY: '${input:key}' } },
      c: { command: 'c', args: ['${input:gone}'] },
    },
  });
  const a = config.servers.get('a');
  assert.ok(a?.kind === 'stdio');
  assert.deepEqual(a.args, ['eu', '/project/x']);
  const b = config.servers.get('b');
  assert.ok(b?.kind === 'unusable');
  assert.match(b.reason, /"key", which has no default/);
  const c = config.servers.get('c');
  assert.ok(c?.kind === 'unusable');
  assert.match(c.reason, /"gone", which the file does not define/);
});

test('the workspace of .vscode/mcp.json and .cursor/mcp.json is the folder above', () => {
  for (const folder of ['/p/.vscode', '/p/.cursor', '/p']) {
    const text = '{"servers":{"a":{"command":"${workspaceFolder}"}}}';
    const entry = parseConfig(`${folder}/mcp.json`, text, noEnv).servers.get('a');
    assert.ok(entry?.kind === 'stdio');
    assert.equal(entry.command, '/p');
  }
});

test('variables are filled in everywhere', () => {
  const env = { A: 'alpha', EMPTY: '' };
  const entry = entryOf(
    { command: '${A}', args: ['${env:A}', '${B:-beta}', '${EMPTY:-e}'], env: { X: 'x${A}' } },
    env,
  );
  assert.ok(entry.kind === 'stdio');
  assert.equal(entry.command, 'alpha');
  assert.deepEqual(entry.args, ['alpha', 'beta', 'e']);
  assert.equal(entry.env.get('X'), 'xalpha');
  const web = entryOf({ url: 'https://${A}.test/', headers: { K: 'Bearer ${A}' } }, env);
  assert.ok(web.kind === 'http');
  assert.equal(web.url, 'https://alpha.test/');
  assert.equal(web.headers.get('K'), 'Bearer alpha');
});

test('an unset variable makes only that server fail, and is named without any value', () => {
  const config = parse(
    { mcpServers: { a: { command: 'x', env: { T: '${SET}-${MISSING}' } }, b: { command: 'y' } } },
    { SET: 'topsecret' },
  );
  const a = config.servers.get('a');
  assert.ok(a?.kind === 'unusable');
  assert.match(a.reason, /MISSING is not set/);
  assert.doesNotMatch(JSON.stringify(a), /topsecret/);
  assert.equal(config.servers.get('b')?.kind, 'stdio');
});

test('filled-in values are not expanded again, and inherited names are not variables', () => {
  const entry = entryOf({ command: '${A}' }, { A: '${B}' });
  assert.ok(entry.kind === 'stdio');
  assert.equal(entry.command, '${B}');
  assert.equal(entryOf({ command: '${constructor}' }).kind, 'unusable');
});

test('a wrong entry makes only its server fail, with a reason', () => {
  const cases: [unknown, RegExp][] = [
    [{ args: [] }, /neither a command nor a url/],
    [{ command: 5 }, /"command" should be a string but is a number/],
    [{ command: '' }, /"command" should be a string but is empty/],
    [{ command: 'x', args: 'y' }, /"args" should be a list of strings but is a string/],
    [{ command: 'x', args: [1] }, /"args\[0\]" should be a string but is a number/],
    [{ command: 'x', env: { A: null } }, /"env.A" should be a string but is null/],
    [{ command: 'x', env: [] }, /"env" should be an object of strings but is a list/],
    [{ url: 'ftp://x' }, /not an http or https address/],
    [{ url: 'nonsense' }, /not an http or https address/],
    [{ url: {} }, /"url" should be a string but is an object/],
    ['text', /its entry should be an object but is a string/],
  ];
  for (const [value, expected] of cases) {
    const entry = entryOf(value);
    assert.ok(entry.kind === 'unusable', JSON.stringify(value));
    assert.match(entry.reason, expected);
  }
});

test("other clients' keys and names for the url are no error", () => {
  assert.equal(entryOf({ command: 'x', alwaysAllow: [], timeout: 5, dev: {} }).kind, 'stdio');
  assert.equal(entryOf({ serverUrl: 'https://a.test' }).kind, 'http');
  assert.equal(entryOf({ httpUrl: 'https://a.test' }).kind, 'http');
});

test('disabled servers are listed separately from the servers', () => {
  const config = parse({
    mcpServers: { a: { command: 'x', disabled: true }, b: { command: 'y' } },
  });
  assert.deepEqual(config.disabled, ['a']);
  assert.deepEqual([...config.servers.keys()], ['b']);
});

test('names such as __proto__ and constructor are ordinary names', () => {
  const text =
    '{"mcpServers":{"__proto__":{"command":"a","env":{"__proto__":"v"}},"constructor":{"command":"b"}}}';
  const config = parseConfig('c.json', text, noEnv);
  assert.deepEqual([...config.servers.keys()], ['__proto__', 'constructor']);
  const first = config.servers.get('__proto__');
  assert.ok(first?.kind === 'stdio');
  assert.deepEqual([...first.env], [['__proto__', 'v']]);
});

test('the toolfold block', () => {
  const { settings } = parse({
    toolfold: {
      strategy: false,
      exposure: { 'github__*': 'inline', 'mcp:old': 'hidden' },
      catalog: { header: 'h', budget: 500, hints: false },
      roles: { reader: { tools: [] } },
      categories: {
        birds: { words: ['owl'], tools: ['mcp:birds'], not: ['night owl'] },
        web: false,
      },
      routing: 'narrow',
      maxRounds: 5,
      models: { 'gpt-5': { maxRounds: 3, contextWindow: 400000, strategy: 'dispatch' } },
      approvals: { mode: 'always', allow: ['github__get_*'] },
      servers: { github: { trusted: true } },
    },
  });
  assert.equal(settings?.strategy, false);
  assert.equal(settings?.exposure?.['mcp:old'], 'hidden');
  assert.deepEqual(settings?.categories, {
    birds: { words: ['owl'], tools: ['mcp:birds'], not: ['night owl'] },
    web: false,
  });
  assert.equal(settings?.routing, 'narrow');
  assert.deepEqual(settings?.approvals, { mode: 'always', allow: ['github__get_*'] });
  assert.deepEqual(settings?.catalog, { header: 'h', budget: 500, hints: false });
  assert.equal(settings?.models?.['gpt-5']?.contextWindow, 400000);
  assert.equal(settings?.servers?.github?.trusted, true);
});

test('the block fits the options of a layer and of a fold', () => {
  const { settings } = parse({
    toolfold: {
      strategy: 'dispatch',
      exposure: { apps__b: 'hidden' },
      catalog: { budget: 500 },
      roles: {
        reader: { tools: ['apps__a'], groups: ['apps'], model: 'm', maxRounds: 2 },
        none: { tools: false },
      },
    },
  });
  const loader = () => Promise.resolve([]);
  const groups = [{ groupId: 'apps', toolNames: ['a', 'b', 'c'], loader }];
  // The compiler checks the other half of this test.
  const layer = createToolLayer({ ...settings, groups });
  const fold = createFold({ ...settings, groups });
  for (const { session } of [layer, fold.layer].map((made) => ({
    session: made.session({ role: 'reader' }),
  }))) {
    const { strategy, tools } = session.explain();
    assert.equal(strategy, 'dispatch');
    assert.deepEqual(
      tools.map(({ status }) => status),
      ['deferred', 'hidden', 'hidden'],
    );
  }
});

test('errors in the block name the position, the value and the expected value', () => {
  const cases: [string, RegExp][] = [
    [
      '{\n  "toolfold": {\n    "stratgy": "eager"\n  }\n}',
      /^c\.json:3:5: .*"stratgy".*mean "strategy"/,
    ],
    ['{"toolfold":{"strategy":"dispach"}}', /^c\.json:1:25: .*"dispach".*mean "dispatch"/],
    ['{"toolfold":{"strategy":true}}', /boolean "true".*Expected one of .*dispatch/],
    ['{"toolfold":{"maxRounds":0}}', /number "0".*whole number of at least 1/],
    ['{"toolfold":{"catalog":{"budget":"5"}}}', /toolfold\.catalog\.budget is string "5"/],
    [
      '{"toolfold":{"catalog":{"hint":true}}}',
      /Unknown key "hint" in toolfold\.catalog.*mean "hints"/,
    ],
    [
      '{"toolfold":{"exposure":{"a":"inlin"}}}',
      /one of inline, deferred, hidden\. Did you mean "inline"/,
    ],
    ['{"toolfold":{"models":{"m":{"window":1}}}}', /Unknown key "window" in toolfold\.models\."m"/],
    ['{"toolfold":{"servers":{"s":{"trusted":"yes"}}}}', /Expected true or false/],
    ['{"toolfold":[]}', /toolfold is an array\. Expected an object/],
    ['{"toolfold":{"roles":null}}', /toolfold\.roles is null/],
    [
      '{"toolfold":{"roles":{"r":{"tool":[]}}}}',
      /^c\.json:1:28: Unknown key "tool" in toolfold\.roles\."r"\. Did you mean "tools"/,
    ],
    ['{"toolfold":{"roles":{"r":[]}}}', /toolfold\.roles\."r" is an array\. Expected an object/],
    [
      '{"toolfold":{"roles":{"r":{"tools":true}}}}',
      /tools is boolean "true"\. Expected a list of strings, or false for none/,
    ],
    ['{"toolfold":{"roles":{"r":{"tools":["a",1]}}}}', /^c\.json:1:41: .*tools\[1\] is number "1"/],
    ['{"toolfold":{"roles":{"r":{"groups":"a"}}}}', /Expected a list of strings\./],
    ['{"toolfold":{"roles":{"r":{"model":1}}}}', /Expected a string/],
    ['{"toolfold":{"roles":{"r":{"maxRounds":0.5}}}}', /whole number of at least 1/],
    [
      '{"toolfold":{"routing":"narow"}}',
      /^c\.json:1:24: toolfold\.routing is string "narow"\. Expected one of off, preload, narrow\. Did you mean "narrow"/,
    ],
    ['{"toolfold":{"routing":{}}}', /routing is an object\. Expected one of off/],
    [
      '{"toolfold":{"categories":{"c":true}}}',
      /^c\.json:1:32: toolfold\.categories\."c" is boolean "true"\. Expected an object with words and tools, or false/,
    ],
    [
      '{"toolfold":{"categories":{"c":{"words":["x"]}}}}',
      /^c\.json:1:32: toolfold\.categories\."c" lacks "tools"/,
    ],
    ['{"toolfold":{"categories":{"c":{"tools":[]}}}}', /"c" lacks "words"/],
    [
      '{"toolfold":{"categories":{"c":{"words":["x",1],"tools":[]}}}}',
      /^c\.json:1:46: .*words\[1\] is number "1"/,
    ],
    [
      '{"toolfold":{"categories":{"c":{"words":[],"tools":[],"nots":[]}}}}',
      /Unknown key "nots" in .*Did you mean "not"/,
    ],
    [
      '{"toolfold":{"approvals":{"mode":"annotation"}}}',
      /^c\.json:1:34: .*Did you mean "annotations"/,
    ],
    [
      '{"toolfold":{"approvals":{"alow":[]}}}',
      /Unknown key "alow" in toolfold\.approvals.*mean "allow"/,
    ],
    [
      '{"toolfold":{"approvals":{"allow":"*"}}}',
      /allow is string "\*"\. Expected a list of globs, of objects/,
    ],
  ];
  for (const [text, expected] of cases) assert.match(complaint(text), expected);
});

test('syntax errors, duplicates and wrong shapes are reported with their position', () => {
  const cases: [string, RegExp][] = [
    ['', /^c\.json:1:1: Not valid JSON/],
    ['{\n  "mcpServers": {,}\n}', /^c\.json:2:18: Not valid JSON/],
    [
      '{"mcpServers":{"a":{"command":"x"},\n"a":{}}}',
      /^c\.json:2:1: The key "a" stands twice, first at 1:16/,
    ],
    ['{"mcpServers":{"a":{"command":"x","command":"y"}}}', /"command" stands twice/],
    ['{"toolfold":{},"toolfold":{}}', /"toolfold" stands twice/],
    ['{"mcpServers":{},"servers":{}}', /both "mcpServers" and "servers"/],
    ['{"mcpServer":{}}', /^c\.json:1:2: Unknown key "mcpServer"\. Did you mean "mcpServers"/],
    ['{"mcpServers":[]}', /^c\.json:1:15: The servers are an array/],
    ['{"servers":{},"inputs":{}}', /"inputs" is an object/],
    ['{"servers":{},"inputs":[{}]}', /^c\.json:1:25: An input has no "id"/],
    ['[]', /The file holds an array/],
    ['['.repeat(100_000), /c\.json:1:1: The file is nested too deeply/],
    [`{"mcpServers":{"a":${'['.repeat(1000)}${']'.repeat(1000)}}}`, /nested too deeply/],
  ];
  for (const [text, expected] of cases) assert.match(complaint(text), expected);
});

test('a byte order mark and Windows line ends do not shift positions', () => {
  const text = '\uFEFF{\r\n  "toolfold": {\r\n    "x": 1 } }';
  assert.match(complaint(text), /^c\.json:3:5:/);
});

test("a client's general settings without servers is a configuration without servers", () => {
  const config = parse({ theme: 'dark', projects: {} });
  assert.equal(config.servers.size, 0);
});

test('a file that cannot be read', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'toolfold-'));
  context.after(() => rm(folder, { recursive: true }));
  const file = join(folder, 'mcp.json');
  await assert.rejects(readConfig(file, noEnv), { code: 'invalid-config', message: /mcp\.json/ });
  await writeFile(file, '{"mcpServers":{"a":{"command":"x"}}}');
  assert.equal((await readConfig(file, noEnv)).servers.size, 1);
});

test('any text is a configuration or an error with a position', () => {
  const blockText = fc.json().map((json) => `{"mcpServers":{"a":${json}},"toolfold":${json}}`);
  const cut = fc.tuple(fc.json(), fc.nat(), fc.string()).map(([json, at, noise]) => {
    const text = `{"toolfold":${json},"servers":{"a":{"command":"x"}}}`;
    const index = at % (text.length + 1);
    return text.slice(0, index) + noise + text.slice(index);
  });
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json(), blockText, cut), (text) => {
      try {
        assert.ok(parseConfig('c.json', text, noEnv).servers instanceof Map);
      } catch (error) {
        assert.ok(error instanceof ToolfoldError, String(error));
        assert.equal(error.code, 'invalid-config');
        assert.match(error.message, /^c\.json:\d+:\d+: /);
      }
    }),
    { numRuns: 500 },
  );
});

test('any entry is a server or an unusable server', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string(), (entry, name) => {
      const text = JSON.stringify({ mcpServers: { good: { command: 'x' } } }).replace(
        '"good"',
        () => `${JSON.stringify(`${name}!`)}:${JSON.stringify(entry)},"good"`,
      );
      const servers = parseConfig('c.json', text, noEnv).servers;
      assert.equal(servers.get('good')?.kind, 'stdio');
    }),
  );
});

test('a nameless server, and one that may be disabled, do not start', () => {
  const entries = {
    ' ': { command: 'c' },
    a: { command: 'c', disabled: 'yes' },
    b: { command: ' ' },
  };
  const { servers } = parseConfig('c.json', JSON.stringify({ mcpServers: entries }), { env: {} });
  const reasons = [...servers.values()].map((entry) => entry.kind === 'unusable' && entry.reason);
  assert.deepEqual(reasons, [
    'its name is blank',
    '"disabled" should be true or false but is a string',
    '"command" should be a string but is empty',
  ]);
});

test('a restriction in the wrong place is named', () => {
  const { remarks } = parse({ mcpServers: { one: { command: 'x' } }, neverAllow: ['one__del'] });
  assert.deepEqual(remarks, [
    '"neverAllow" in /project/mcp.json has no effect. Settings of Toolfold, such as "exposure" and "approvals", stand under "toolfold".',
  ]);
});
