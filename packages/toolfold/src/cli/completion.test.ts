import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { BUILT_IN_ROLES } from '@toolfold/agent/internal/routing/roles.ts';
import { sqliteStore } from '@toolfold/agent/internal/sqlite/sqlite-store.ts';
import { command } from '../../test/cli/in-process.test-support.ts';
import { environment, home, root, run } from '../../test/cli/process.test-support.ts';
import { Journal } from '../../test/servers/scripted-server.test-support.ts';

const config = JSON.stringify({
  mcpServers: {
    github: { command: 'x' },
    'my files': { command: 'x' },
    old: { command: 'x', disabled: true },
  },
  toolfold: { roles: { reader: {} } },
});
const builtIn = Object.keys(BUILT_IN_ROLES);

/** A folder with a configuration and some files. */
async function scene(context: TestContext): Promise<string> {
  const folder = await home(context, {
    'toolfold.json': config,
    'a b.json': '{',
    'broken.json': '{',
  });
  await mkdir(join(folder, 'sub'));
  await writeFile(join(folder, 'other.json'), '{"servers":{"other":{}}}');
  return folder;
}

/** The words after `toolfold`, and the words that can stand in place of the last one. */
const cases: readonly (readonly [words: readonly string[], expected: readonly string[]])[] = [
  [['in'], ['init', 'inspect']],
  [['-'], ['--version', '-V', '--help', '-h']],
  [['nothing', ''], []],
  [['help', 'aud'], ['audit']],
  [
    ['completion', ''],
    ['bash', 'zsh', 'fish'],
  ],
  [
    ['run', '--ro'],
    ['--role', '--routing'],
  ],
  [
    ['run', '--role', ''],
    ['reader', ...builtIn],
  ],
  [
    ['run', '--role', 're'],
    ['reader', 'research'],
  ],
  [
    ['run', '--role=re'],
    ['--role=reader', '--role=research'],
  ],
  [['run', '--config', 'other.json', '--role', ''], builtIn],
  [['run', '--routing', 'p'], ['preload']],
  [['run', '--routing=p'], ['--routing=preload']],
  [['run', 'a prompt', '--routing', 'n'], ['narrow']],
  [['run', '--routing', 'off', '--rout'], []],
  [['run', '--', '--ro'], []],
  [['run', 'a'], []],
  [['inspect', '--strategy', 'd'], ['dispatch']],
  [['init', '--from', 'cursor', 'cli'], ['cline']],
  [['init', '--from', 'cursor', '--wr'], ['--write']],
  [['search', 'some', 'words'], []],
  [['sessions', 'i'], ['import']],
  [
    ['sessions', '-'],
    ['--help', '-h'],
  ],
  [['sessions', 'rm', '--y'], ['--yes']],
  [['sessions', 'export', 'x', '--format', 'm'], ['markdown']],
  [['sessions', 'show', ''], []],
  [
    ['login', ''],
    ['github', 'my files'],
  ],
  [['login', 'my\\ f'], ['my files']],
  [['list', 'gi'], ['github']],
  [['login', '"my'], ['my files']],
  [['call', ''], []],
  [['call', '--stdio', ''], []],
  [['run', '--config', 'broken.json', '--role', 'x'], []],
];

/** The table that the scripts pass. */
async function tableOf(folder: string): Promise<string> {
  const { stdout: script } = await command(folder, ['completion', 'bash']);
  const [, quoted = ''] = /TOOLFOLD_COMPLETION='(.*)' toolfold complete/.exec(script) ?? [];
  return quoted.replaceAll("'\\''", "'");
}

test('the words for each place, with and without the table of the script', async (context) => {
  const folder = await scene(context);
  const table = await tableOf(folder);
  for (const [words, expected] of cases) {
    for (const given of ['', table, '{']) {
      const env = { TOOLFOLD_COMPLETION: given };
      const outcome = await command(folder, ['complete', '--', ...words], { env });
      const [kind, ...lines] = outcome.stdout.trimEnd().split('\n');
      assert.deepEqual([outcome.code, outcome.stderr, kind], [0, '', 'words'], words.join(' '));
      const found = lines.map((line) => line.split('\t')[0]);
      assert.deepEqual(found, expected, words.join(' '));
    }
  }
  // Without a word to complete, the first line says what else can stand there.
  for (const [words, kind] of [
    [['run', '--config', ''], 'files'],
    [['run', '--config=o'], 'files'],
    [['audit', ''], 'files'],
    [['inspect', '--save', ''], 'folders'],
    [['sessions', 'import', ''], 'files'],
    [['sessions', 'ls', '--folder', ''], 'folders'],
  ] as const) {
    const { stdout } = await command(folder, ['complete', '--', ...words]);
    assert.equal(stdout, `${kind}\n`);
  }
});

test('names of tools come from cached lists, in the spelling that was begun', async (context) => {
  const journal = await Journal.open(context);
  const servers = { git: journal.entry('git', [{ name: 'add' }, { name: 'log' }]) };
  const folder = await home(context, { 'toolfold.json': JSON.stringify({ mcpServers: servers }) });
  await command(folder, ['list', '--timeout', '60']);
  for (const [word, expected] of [
    ['', ['git__add', 'git__log']],
    ['git', ['git__add', 'git__log']],
    ['git.', ['git.add', 'git.log']],
    ['git/l', ['git/log']],
    ['git__a', ['git__add']],
  ] as const) {
    const { stdout } = await command(folder, ['complete', '--', 'call', word]);
    assert.deepEqual(stdout.trimEnd().split('\n').slice(1), expected, word);
  }
});

test('every command and every option is offered, with a description', async (context) => {
  const folder = await home(context);
  const words = async (...line: string[]) => {
    const { stdout } = await command(folder, ['complete', '--', ...line]);
    return stdout
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((row) => row.split('\t'));
  };
  const commands = await words('');
  assert.ok(commands.length > 6 && !commands.some(([name]) => name === 'complete'));
  for (const [name = '', description] of commands) {
    assert.ok(description, name);
    const { stdout } = await command(folder, [name, '--help']);
    const flags = [...stdout.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, flag]) => flag);
    const offered = (await words(name, '--')).map(([option]) => option);
    if (name !== 'help') assert.deepEqual(offered.sort(), flags.sort(), name);
  }
});

test('sessions are offered by the beginning of their id, with their title', async (context) => {
  const folder = await home(context);
  const env = { TOOLFOLD_SESSIONS: join(folder, 'sessions') };
  const store = await sqliteStore({ folder: env.TOOLFOLD_SESSIONS });
  const [one, other] = [1, 2].map((digit) => `0a1b2c3d-0000-4000-8000-00000000000${digit}`);
  for (const [createdAt, id = '', title] of [
    [1, one, 'One'],
    [2, other, 'Two'],
    [3, '4e5f6a7b-0000-4000-8000-000000000000', 'Three'],
    [4, 'mine', undefined],
  ] as const)
    await store.create({ id, createdAt, ...(title === undefined ? {} : { title }) });
  await store.close();
  const words = async (...line: string[]) =>
    (await command(folder, ['complete', '--', ...line], { env })).stdout.trimEnd().split('\n');
  const all = ['words', 'mine', '4e5f6a7b\tThree', `${other}\tTwo`, `${one}\tOne`];
  assert.deepEqual(await words('sessions', 'show', ''), all);
  assert.deepEqual(await words('sessions', 'rm', 'mine', '4'), ['words', '4e5f6a7b\tThree']);
});

test('the hidden command answers as a process, starts no server and prints nothing on mistakes', async (context) => {
  const folder = await scene(context);
  const start = {
    command: 'node',
    args: ['-e', "require('node:fs').writeFileSync('started', '')"],
  };
  await writeFile(join(folder, 'toolfold.json'), JSON.stringify({ mcpServers: { a: start } }));
  const names = await run(folder, ['complete', '--', 'login', '']);
  assert.deepEqual(names, { code: 0, stdout: 'words\na\n', stderr: '' });
  const all = await run(folder, ['complete', '--', '']);
  assert.match(all.stdout, /^words\ninit\t/);
  assert.equal(all.stderr, '');
  await writeFile(join(folder, 'toolfold.json'), '{');
  for (const words of [
    ['login', ''],
    ['\u0000'],
    ['--config'],
    ['run', '--config', '/', '--role', 'q'],
  ]) {
    const { code, stdout, stderr } = await command(folder, ['complete', '--', ...words]);
    assert.deepEqual([code, stdout, stderr], [0, 'words\n', ''], words.join(' '));
  }
  const { code, stderr } = await command(folder, ['complete', '--nonsense']);
  assert.deepEqual([code, stderr], [0, '']);
});

test('what takes long to load is not loaded for a script, which passes its table', async (context) => {
  const folder = await scene(context);
  const env = { TOOLFOLD_COMPLETION: await tableOf(folder) };
  const hook = `import { registerHooks } from 'node:module';
    registerHooks({ load(url, _, next) { process.stderr.write(url + ' '); return next(url, _); } });`;
  const node = ['--import', `data:text/javascript,${encodeURIComponent(hook)}`];
  for (const words of [
    ['login', ''],
    ['run', '--role', ''],
  ]) {
    const { stderr } = await run(folder, ['complete', '--', ...words], { node, env });
    assert.match(stderr, /cli\/complete\./);
    assert.doesNotMatch(stderr, /cli\/command-line\.|node_modules\/(?:zod|ai|commander)\//);
  }
});

/** The completions that bash offers for a line. The words are split as bash splits them. */
function inBash(folder: string, script: string, lines: readonly (readonly string[])[]): string[][] {
  const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const program = `
    toolfold() { ${quote(process.execPath)} ${quote(join(root, 'packages/toolfold/bin/toolfold.js'))} "$@"; }
    ${script}
    ask() {
      COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _toolfold
      for reply in "\${COMPREPLY[@]}"; do printf '%s|' "$reply"; done; echo
    }
    ${lines.map((words) => `ask toolfold ${words.map(quote).join(' ')}`).join('\n')}`;
  const options = { cwd: folder, env: environment(folder, {}), encoding: 'utf8' } as const;
  const out = execFileSync('bash', ['--norc', '-u', '-c', program], options);
  return out
    .trimEnd()
    .split('\n')
    .map((line) => line.split('|').slice(0, -1));
}

const isInstalled = (shell: string): boolean => {
  try {
    execFileSync(shell, ['-c', ':'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};
const unless = (shell: string) => ({
  skip: isInstalled(shell) ? false : `${shell} is not installed here`,
});

test('bash completes a line', unless('bash'), async (context) => {
  const folder = await scene(context);
  const { stdout: script } = await command(folder, ['completion', 'bash'], {
    isTrusted: false,
  });
  const lines: [string[], string[]][] = [
    [['insp'], ['inspect']],
    [['run', '--role', 'rea'], ['reader']],
    [['run', '--role', '=', 'rea'], ['reader']],
    [
      ['run', '--role', '='],
      ['reader', ...builtIn],
    ],
    [['run', '--config', '=', './o'], ['./other.json']],
    [['login', 'my'], ['my\\ files']],
    [['login', '"my'], ['my files']],
    [['inspect', '--config', 'a'], ['a b.json']],
    [['inspect', '--save', ''], ['sub']],
    [['run', 'wh'], []],
    [['audit', '~/oth'], [join(folder, 'other.json')]],
  ];
  const found = inBash(
    folder,
    script,
    lines.map(([words]) => words),
  );
  // Files come in the order of the folder.
  assert.deepEqual(
    found,
    lines.map(([, expected]) => expected),
  );
});

test(
  'bash loads the script with eval, and sets the completion',
  unless('bash'),
  async (context) => {
    const folder = await home(context);
    const { stdout: script } = await command(folder, ['completion', 'bash']);
    const out = execFileSync('bash', [
      '-eu',
      '-c',
      'eval "$1"; complete -p toolfold',
      'bash',
      script,
    ]);
    assert.equal(out.toString(), 'complete -F _toolfold toolfold\n');
  },
);

for (const shell of ['zsh', 'fish'] as const) {
  test(`${shell} accepts the script`, unless(shell), async (context) => {
    const folder = await home(context);
    const { stdout: script } = await command(folder, ['completion', shell]);
    const file = join(folder, 'script');
    await writeFile(file, script);
    execFileSync(shell, ['-n', file]);
  });
}

test('fish completes a line', unless('fish'), async (context) => {
  const folder = await scene(context);
  const { stdout: script } = await command(folder, ['completion', 'fish']);
  const program = `
    function toolfold; '${process.execPath}' '${join(root, 'packages/toolfold/bin/toolfold.js')}' $argv; end
    ${script}
    complete -C 'toolfold run --role rea'`;
  const env = environment(folder, {});
  const out = execFileSync('fish', ['-c', program], { cwd: folder, env, encoding: 'utf8' });
  assert.match(out, /^reader/);
});
