// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax of configuration files
import assert from 'node:assert/strict';
import { lstat, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { readConfig } from '@toolfold/mcp/internal/config/read-config.ts';
import { command } from '../../test/cli/in-process.test-support.ts';
import { scene } from '../../test/cli-servers/init.test-support.ts';

const x = { command: 'x' };
const servers = (entries: Record<string, unknown>): unknown => ({ mcpServers: entries });

test('equal servers become one; others of the same name get the client as a suffix', async (context) => {
  const github = { command: 'npx', args: ['github'] };
  const { report } = await scene(context, {
    '.mcp.json': servers({ github, one: x }),
    '.cursor/mcp.json': servers({ github: { args: ['github'], command: 'npx', env: {} } }),
    '.vscode/mcp.json': { servers: { github: { type: 'stdio', ...github, args: ['other'] } } },
    '.gemini/settings.json': servers({ github: { ...github, args: ['other'] }, two: x }),
  });
  const { servers: found, equal } = await report([]);
  assert.deepEqual(
    found.map(({ name, from }) => [
      name,
      from.map(({ client, name: given }) => `${client}:${given}`),
    ]),
    [
      ['github', ['claude-code:github', 'cursor:github']],
      ['one', ['claude-code:one']],
      ['github-vs-code', ['vs-code:github', 'gemini-cli:github']],
      ['two', ['gemini-cli:two']],
    ],
  );
  assert.deepEqual(equal, [['two', 'one']]);
});

test('a wrong entry of the file that is written stays; one of another file of Toolfold is left out', async (context) => {
  const { report, project } = await scene(context, {
    'toolfold.json': servers({ wrong: { command: 1 } }),
    'other.json': servers({ kept: { command: 2 } }),
  });
  const { servers: found, left } = await report(['--config', join(project, 'other.json')]);
  assert.deepEqual(
    found.map(({ name, existing }) => [name, existing]),
    [['kept', true]],
  );
  assert.deepEqual(
    left.map(({ name }) => name),
    ['wrong'],
  );
});

test('variables within an address: the servers are taken over, and only once', async (context) => {
  const { init, report } = await scene(context, {
    '.mcp.json': servers({
      port: { url: 'http://localhost:${PORT}/mcp' },
      user: { url: 'https://me:s3cret-passw0rd@example.com/mcp?key=abcd1234efgh5678' },
      whole: { url: '${ADDRESS}' },
    }),
  });
  assert.equal((await init(['--write'])).code, 0);
  const { servers: found, left } = await report([]);
  assert.deepEqual(left, []);
  assert.deepEqual(
    found.map(({ name, existing }) => [name, existing]),
    [
      ['port', true],
      ['user', true],
      ['whole', true],
    ],
  );
});

test('a server is disabled only if all its clients disable it', async (context) => {
  const { report } = await scene(context, {
    '.mcp.json': servers({ a: { ...x, disabled: true }, b: { ...x, disabled: true } }),
    '.cursor/mcp.json': servers({ a: x, b: { ...x, disabled: true } }),
  });
  const { servers: found } = await report([]);
  assert.deepEqual(
    found.map(({ name, disabled }) => [name, disabled]),
    [
      ['a', false],
      ['b', true],
    ],
  );
});

test('without --write nothing is written', async (context) => {
  const { init, project } = await scene(context, { '.mcp.json': servers({ x }) });
  const { code, stdout } = await init([]);
  assert.equal(code, 0);
  assert.match(
    stdout,
    /Nothing is written\. toolfold init --write adds 1 server to toolfold\.json/,
  );
  assert.deepEqual(await readdir(project), ['.mcp.json']);
});

test('the file starts the same servers as before once the variables are set', async (context) => {
  const before = servers({
    a: { command: 'x', args: ['--token', 'abc-12345'], env: { API_KEY: 'one-1234', B: '${B}' } },
    b: { command: 'y', env: { API_KEY: 'two-1234' } },
    c: { url: 'http://h.test/mcp?key=k-1234567', headers: { Authorization: 'Bearer t-1234567' } },
  });
  const { init, project, write } = await scene(context, { '.mcp.json': before });
  assert.equal((await init(['--write'], { B: 'b' })).code, 0);
  const env = {
    ...{ A_TOKEN: 'abc-12345', API_KEY: 'one-1234', B_API_KEY: 'two-1234', B: 'b' },
    ...{ C_KEY: 'k-1234567', C_AUTHORIZATION: 't-1234567' },
  };
  const old = await readConfig(await write('.mcp.json', before), { env });
  const merged = await readConfig(join(project, 'toolfold.json'), { env });
  const shape = ({ servers: all }: typeof old) =>
    [...all].map(([name, entry]) => [name, { ...entry, secrets: [] }]);
  assert.deepEqual(shape(merged), shape(old));
});

test('an existing file keeps its text, its comments and its servers', async (context) => {
  const text = [
    '\uFEFF// mine',
    '{',
    '\t"mcpServers": {',
    '\t\t"a": { "command": "own" }, // keep',
    '\t},',
    '\t"toolfold": { "strategy": "bridge" /* why */ }',
    '}',
    '',
  ].join('\r\n');
  const { init, project } = await scene(context, {
    'toolfold.jsonc': text,
    '.mcp.json': servers({ a: x, b: { command: 'y', args: ['1'] } }),
  });
  const { code, stdout } = await init(['--write']);
  assert.equal(code, 0, stdout);
  assert.match(stdout, /a-claude-code: it is a in \.mcp\.json, where its entry is different\./);
  assert.match(stdout, /Wrote 2 servers to toolfold\.jsonc\./);
  const after = await readFile(join(project, 'toolfold.jsonc'), 'utf8');
  for (const line of text.split('\r\n').filter((part) => part !== ''))
    assert.ok(after.includes(line));
  assert.ok(after.startsWith('\uFEFF// mine'));
  assert.doesNotMatch(after, /[^\r]\n/);
  const config = await readConfig(join(project, 'toolfold.jsonc'), { env: {} });
  assert.deepEqual([...config.servers.keys()], ['a', 'a-claude-code', 'b']);
  assert.equal(config.settings?.strategy, 'bridge');
  assert.deepEqual((await readdir(project)).sort(), ['.mcp.json', 'toolfold.jsonc']);
});

test('a file that cannot be used is refused and stays as it is', async (context) => {
  const cases: [string, RegExp][] = [
    ['', /Not valid JSON/],
    ['{ "mcpServers": ', /Not valid JSON/],
    ['[]', /The file holds an array/],
    ['{ "mcpServers": [] }', /The servers are an array/],
    ['{ "mcpServers": {}, "servers": {} }', /both "mcpServers" and "servers"/],
    ['{ "toolfold": { "stratgy": "bridge" } }', /Did you mean "strategy"/],
  ];
  const { init, write, project } = await scene(context, { '.mcp.json': servers({ x }) });
  for (const [text, expected] of cases) {
    const file = await write('own.json', text);
    const { code, stderr, stdout } = await init(['--write', '--config', 'own.json']);
    assert.deepEqual([code, stdout], [2, ''], text);
    assert.match(stderr, expected);
    assert.equal(await readFile(file, 'utf8'), text);
  }
  await mkdir(join(project, 'folder'));
  const folder = await init(['--write', '--config', 'folder']);
  assert.deepEqual([folder.code, /it is a folder/.test(folder.stderr)], [2, true]);
  const absent = await init(['--write', '--config', 'absent/own.json']);
  assert.equal(absent.code, 2);
  assert.match(absent.stderr, /Create the folder .*absent, or name another file with --config/);
});

test('--config names the file of a client, or a link to a file', async (context) => {
  const { init, project, write } = await scene(context, {
    '.vscode/mcp.json': { servers: { own: { command: 'own' } } },
    '.mcp.json': servers({ x }),
  });
  assert.equal((await init(['--write', '--config', '.vscode/mcp.json'])).code, 0);
  const vsCode = JSON.parse(await readFile(join(project, '.vscode/mcp.json'), 'utf8'));
  assert.deepEqual(vsCode, { servers: { own: { command: 'own' }, x } });

  const target = await write('real/own.json', '{}\n');
  await symlink(target, join(project, 'link.json'));
  assert.equal((await init(['--write', '--config', 'link.json'])).code, 0);
  assert.ok((await lstat(join(project, 'link.json'))).isSymbolicLink());
  const { servers: found } = await readConfig(target, { env: {} });
  assert.deepEqual([...found.keys()], ['x', 'own']);
});

test('${workspaceFolder} keeps its meaning in another folder', async (context) => {
  const entry = {
    command: '${workspaceFolder}/x',
    args: ['${workspaceFolderBasename}'],
    cwd: '${userHome}',
  };
  const { init, report, project, home } = await scene(context, {
    '.cursor/mcp.json': servers({ a: entry }),
  });
  await mkdir(join(project, 'other'));
  const entryIn = async (args: string[]) => (await report(args)).servers[0]?.entry;
  const own = process.platform === 'win32' ? '${USERPROFILE}' : '${HOME}';
  assert.deepEqual(await entryIn([]), {
    command: '${workspaceFolder}/x',
    args: ['project'],
    cwd: own,
  });
  assert.deepEqual(await entryIn(['--config', 'other/toolfold.json']), {
    ...{ command: `${project}/x`, args: ['project'], cwd: own },
  });
  const { stdout } = await init(['--config', join(home, '..', 'own.json')]);
  assert.ok(stdout.includes(`a: \${workspaceFolder} is now ${project}.`), stdout);
});

test('a variable whose default was secret names the file that has it', async (context) => {
  const entry = { command: 'x', args: ['--token=${TOKEN:-hunter2!x}'] };
  const { report, project } = await scene(context, { '.cursor/mcp.json': servers({ a: entry }) });
  const { variables } = await report([]);
  const files = [join(project, '.cursor', 'mcp.json')];
  assert.deepEqual(variables, [{ name: 'TOKEN', servers: ['a'], isSet: false, files }]);
});

test('inputs of VS Code become variables', async (context) => {
  const inputs = [
    { id: 'api-key', type: 'promptString', password: true, default: 'pa55word!' },
    { id: 'region', default: 'eu' },
    { id: 'token', default: 'abc-123456' },
  ];
  const env = {
    A: '${input:api-key}',
    B: '${input:region}',
    C: '${input:token}',
    D: '${input:none}',
  };
  const { report } = await scene(context, {
    '.vscode/mcp.json': { inputs, servers: { a: { command: 'x', env } } },
  });
  const { servers: found, variables } = await report([]);
  const expected = { A: '${API_KEY}', B: '${REGION:-eu}', C: '${TOKEN}', D: '${NONE}' };
  assert.deepEqual(found[0]?.entry?.env, expected);
  assert.deepEqual(
    variables.map(({ name }) => name),
    ['API_KEY', 'TOKEN', 'NONE'],
  );
});

test('variables of Gemini CLI without braces, and variables that no one knows', async (context) => {
  const { report } = await scene(context, {
    '.gemini/settings.json': servers({ a: { command: 'x', env: { A: '$TOKEN-1', B: '${B}' } } }),
    '.mcp.json': servers({ b: { command: 'x', args: ['$TOKEN', '${command:pick}'] } }),
  });
  const { servers: found, notes } = await report([]);
  assert.deepEqual(
    found.map(({ entry }) => entry),
    [
      { command: 'x', args: ['$TOKEN', '${command:pick}'] },
      { command: 'x', env: { A: '${TOKEN}-1', B: '${B}' } },
    ],
  );
  assert.deepEqual(notes, [
    { server: 'b', text: 'Toolfold does not know the variable "command:pick"' },
  ]);
});

test('--from takes the servers of some clients', async (context) => {
  const { init, report } = await scene(context, {
    '.mcp.json': servers({ a: x }),
    '.cursor/mcp.json': servers({ b: x }),
    '.vscode/mcp.json': { servers: { c: x } },
  });
  const { servers: found } = await report(['--from', 'cursor', 'vs-code']);
  assert.deepEqual(
    found.map(({ name }) => name),
    ['b', 'c'],
  );
  const { code, stderr } = await init(['--from', 'emacs']);
  assert.equal(code, 2);
  assert.match(stderr, /Allowed choices are .*claude-code/);
});

test('no servers: exit code 2, with the places that were searched', async (context) => {
  const { init, project } = await scene(context);
  for (const args of [[], ['--write'], ['--json']]) {
    const { code, stderr } = await init(args);
    assert.equal(code, 2);
    assert.match(
      stderr,
      /No MCP servers were found\. Searched:\n {2}.*toolfold\.jsonc \(Toolfold\)/,
    );
  }
  assert.deepEqual(await readdir(project), []);
});

test('in the home folder, a file is read once', async (context) => {
  const { project } = await scene(context, { '.cursor/mcp.json': servers({ a: x }) });
  const { stdout } = await command(project, ['init', '--json']);
  assert.equal(JSON.parse(stdout).files.length, 1);
});

test('a file of 10 MB is read', async (context) => {
  const history = Array.from({ length: 2_000 }, () => 'a prompt '.repeat(600));
  const { home, report } = await scene(context);
  await mkdir(home);
  await writeFile(
    join(home, '.claude.json'),
    JSON.stringify({ history, ...Object(servers({ a: x })) }),
  );
  const { files, servers: found } = await report([]);
  assert.deepEqual([files[0]?.state, found.length], ['read', 1]);
});

test('terminal escapes of files are not printed', async (context) => {
  const { init } = await scene(context, {
    '.mcp.json': servers({
      'a\u001B[31m\n': { command: 'x\u001B[2J', 'k\u001B[1m': 1 },
      'b\u001Bc': 3,
    }),
  });
  const { stdout, stderr } = await init([]);
  assert.ok(!`${stdout}${stderr}`.includes('\u001B'));
});

test('two values of one name, and a variable that is set to another value', async (context) => {
  const entry = (key: string) => servers({ srv: { command: 'x', env: { API_KEY: key } } });
  const { report } = await scene(context, {
    '.mcp.json': entry('one-12345'),
    '.cursor/mcp.json': entry('two-12345'),
    '.gemini/settings.json': entry('one-12345'),
  });
  const found = async (env: Record<string, string>) =>
    (await report([], env)).servers.map(({ name, entry, from }) => [
      name,
      entry?.env?.API_KEY,
      from.length,
    ]);
  assert.deepEqual(await found({}), [
    ['srv', '${API_KEY}', 2],
    ['srv-cursor', '${SRV_API_KEY}', 1],
  ]);
  assert.deepEqual(await found({ API_KEY: 'another program’s' }), [
    ['srv', '${SRV_API_KEY}', 2],
    ['srv-cursor', '${SRV_API_KEY_2}', 1],
  ]);
  assert.deepEqual(await found({ API_KEY: 'two-12345' }), [
    ['srv', '${SRV_API_KEY}', 2],
    ['srv-cursor', '${API_KEY}', 1],
  ]);
});

/** The keys of servers `a` and `b`, and whether both may get one variable. */
const pairs: readonly (readonly [a: object, b: object, isShared: boolean])[] = [
  [{ env: { API_KEY: 'one-12345' } }, { env: { API_KEY: 'one-12345' } }, true],
  [{ env: { API_KEY: 'one-12345' } }, { env: { API_KEY: 'two-12345' } }, false],
  [{ env: { API_KEY: 'one-12345' } }, { env: { API_KEY: '${API_KEY}' } }, false],
  [{ env: { API_KEY: 'one-12345' } }, { env: { KEY: '${env:API_KEY}' } }, false],
  [{ env: { API_KEY: 'one-12345' } }, { env: { KEY: '${api_key}' } }, false],
  [{ env: { API_KEY: 'one-12345' } }, { passEnv: ['API_KEY'] }, false],
  [{ env: { API_KEY: 'one-12345' } }, { env: { API_KEY: '${API_KEY:-one-12345}' } }, true],
  [{ env: { API_KEY: 'one-12345' } }, { env: { API_KEY: '${API_KEY:-two-12345}' } }, false],
  [{ env: { API_KEY: 'one-12345' } }, { args: ['--mode=${API_KEY:-off}'] }, false],
  [{ env: { API_KEY: '${API_KEY}' } }, { env: { API_KEY: '${API_KEY:-two-12345}' } }, false],
  [
    { env: { API_KEY: '${API_KEY:-one-12345}' } },
    { env: { API_KEY: '${API_KEY:-two-12345}' } },
    false,
  ],
  [
    { env: { API_KEY: '${API_KEY:-sk-one12345}' } },
    { command: 'sh', args: ['-c', 'API_KEY=sk-two12345 exec server'] },
    false,
  ],
  [{ env: { API_KEY: '${API_KEY}' } }, { env: { API_KEY: '${API_KEY}' } }, true],
];

test('servers share a variable only if its values are known to be equal', async (context) => {
  for (const [a, b, isShared] of pairs)
    for (const [first, second] of [
      [a, b],
      [b, a],
    ]) {
      const [one, two] = [servers({ a: { ...x, ...first } }), servers({ b: { ...x, ...second } })];
      const { report, init } = await scene(context, {
        '.mcp.json': one,
        '.cursor/mcp.json': two,
      });
      const { servers: found, variables } = await report([]);
      const [mine = [], other = []] = found.map(({ entry }) =>
        [...JSON.stringify(entry).matchAll(/\$\{(?:env:)?(\w+)/g)]
          .map(([, name]) => name?.toUpperCase())
          .concat(entry?.passEnv ?? []),
      );
      const text = JSON.stringify([first, second, found]);
      assert.deepEqual([mine.length, other.length], [1, 1], text);
      assert.equal(mine[0] === other[0], isShared, text);
      assert.ok(!/(?:one|two)-?12345/.test(JSON.stringify([found, variables])), text);
      assert.equal((await init(['--write'])).code, 0);
      const again = await report([]);
      assert.ok(
        again.servers.every(({ existing }) => existing),
        JSON.stringify(again.servers),
      );
    }
});

test('a variable that the file reads already is not given the key of another server', async (context) => {
  const { report, init } = await scene(context, {
    'toolfold.json': servers({ own: { command: 'own', env: { API_KEY: '${API_KEY}' } } }),
    '.mcp.json': servers({ a: { command: 'x', env: { API_KEY: 'one-12345' } } }),
  });
  const { servers: found } = await report([]);
  assert.equal(found.find(({ name }) => name === 'a')?.entry?.env?.API_KEY, '${A_API_KEY}');
  assert.equal((await init(['--write'])).code, 0);
  assert.deepEqual(
    (await report([])).servers.map(({ name, existing }) => [name, existing]),
    [
      ['own', true],
      ['a', true],
    ],
  );
});

test('two keys of one server in two clients stay two servers, and are written once', async (context) => {
  const entry = (key: string) => servers({ srv: { command: 'x', env: { API_KEY: key } } });
  const { report, init } = await scene(context, {
    '.mcp.json': entry('one-12345'),
    '.cursor/mcp.json': entry('two-12345'),
  });
  assert.equal((await init(['--write'])).code, 0);
  assert.deepEqual(
    (await report([])).servers.map(({ name, existing, from }) => [name, existing, from.length]),
    [
      ['srv', true, 1],
      ['srv-cursor', true, 1],
    ],
  );
});

test('inputs of two files with one id get two variables', async (context) => {
  const file = { inputs: [{ id: 'key' }], servers: { a: { ...x, env: { K: '${input:key}' } } } };
  const { report, init } = await scene(context, {
    '.vscode/mcp.json': file,
    '.cursor/mcp.json': { ...file, servers: { b: { ...x, env: { K: '${input:key}' } } } },
  });
  const keys = (await report([])).servers.map(({ entry }) => entry?.env?.K);
  assert.deepEqual(keys, ['${KEY}', '${A_KEY}']);
  assert.equal((await init(['--write'])).code, 0);
  assert.ok((await report([])).servers.every(({ existing }) => existing));
});
