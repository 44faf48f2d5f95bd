import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, test } from 'node:test';
import { FileTree } from '../shown/mentions.ts';
import { withFiles } from '../terminal/files.ts';
import { completions } from './completions.ts';

const folder = mkdtempSync(join(tmpdir(), 'toolfold-completions-'));
after(() => rmSync(folder, { recursive: true }));
for (const name of ['src', 'my folder', '.hidden-folder', 'src/deep'])
  mkdirSync(join(folder, name));
for (const name of [
  'a.txt',
  'two words.md',
  '.env',
  'src/main.ts',
  'my folder/in it.md',
  'quo"te',
  'new\nline',
  'esc\u001B[2J',
])
  writeFileSync(join(folder, name), 'Text.');

const provider = completions(
  [
    { name: 'help', summary: 'help' },
    { name: 'role', summary: 'role', values: () => ['reader', 'all tools', 'none'] },
    { name: 'model', summary: 'model', values: async () => ['a/b'] },
    { name: 'new', summary: 'new', values: () => [] },
  ],
  folder,
);

const at = (text: string, line = 0) => {
  const lines = [...Array(line).fill(''), text];
  return provider.getSuggestions(lines, line, text.length, {
    signal: new AbortController().signal,
  });
};
const values = async (text: string, line = 0) =>
  ((await at(text, line))?.items ?? []).map(({ value }) => value);

/** The text after the first suggestion is taken. */
async function taken(text: string): Promise<string> {
  const { items, prefix } = (await at(text)) ?? assert.fail(text);
  const [item] = items;
  const { lines, cursorCol } = provider.applyCompletion(
    [text],
    0,
    text.length,
    item ?? assert.fail(text),
    prefix,
  );
  assert.equal(cursorCol, lines[0]?.length);
  return lines[0] ?? '';
}

describe('commands', () => {
  test('are suggested at the beginning of a message', async () => {
    assert.deepEqual(await values('/'), ['/help', '/role', '/model', '/new']);
    assert.deepEqual(await values('/ro'), ['/role']);
    assert.deepEqual(await values('/zzz'), []);
    assert.deepEqual(await values('say /ro'), []);
    assert.deepEqual(await values('/ro', 1), []);
    assert.equal(await taken('/ro'), '/role ');
  });

  test('have nothing suggested for an argument that is typed in full: Enter sends it', async () => {
    assert.deepEqual(await values('/role reader'), []);
    assert.deepEqual(await values('/role reade'), ['reader']);
  });

  test('have the values of their argument suggested, also those with spaces', async () => {
    assert.deepEqual(await values('/role '), ['reader', 'all tools', 'none']);
    assert.deepEqual(await values('/model a'), ['a/b']);
    assert.deepEqual(await values('/new x'), []);
    assert.deepEqual(await values('/unknown x'), []);
    assert.equal(await taken('/role rea'), '/role reader ');
    assert.equal(await taken('/role all to'), '/role all tools ');
  });
});

describe('files', () => {
  test('are suggested behind @, folders first, hidden ones when a dot is typed', async () => {
    assert.deepEqual(await values('see @'), ['@"my folder/', '@src/', '@a.txt', '@"two words.md"']);
    assert.deepEqual(await values('@.'), ['@.hidden-folder/', '@.env']);
    assert.deepEqual(await values('@src/'), ['@src/deep/', '@src/main.ts']);
    assert.deepEqual(await values('@./src/m'), ['@src/main.ts']);
    assert.deepEqual(await values(`@${folder}/a`), [`@${folder}/a.txt`]);
    assert.deepEqual(await values('@src', 3), ['@src/', '@src/deep/', '@src/main.ts']);
  });

  test('are found by parts of their path, those with a similar name first', async () => {
    assert.deepEqual(await values('@mats'), ['@src/main.ts']);
    assert.deepEqual(await values('@init'), ['@"my folder/in it.md"']);
    assert.deepEqual(await values('@.env'), ['@.env']);
    assert.deepEqual(await values('@env'), []);
  });

  test('that .gitignore excludes are not found, in each folder as it says', async () => {
    const root = mkdtempSync(join(tmpdir(), 'toolfold-tree-'));
    after(() => rmSync(root, { recursive: true }));
    const files = {
      ...{ '.git/config': '', '.gitignore': 'out/\n*.log\n', 'note.log': '', 'out/note.txt': '' },
      ...{ 'app/.gitignore': '!kept.log\n/note.txt\n', 'app/kept.log': '', 'app/note.txt': '' },
      ...{ 'app/deep/note.txt': '', 'node_modules/note.txt': '', 'app/node_modules/note.txt': '' },
    };
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), text);
    }
    assert.deepEqual(await new FileTree(root).paths(), [
      ...['.gitignore', 'app/', 'app/.gitignore', 'app/deep/', 'app/kept.log'],
      'app/deep/note.txt',
    ]);
    assert.deepEqual(await new FileTree(join(root, 'app')).paths(), [
      ...['.gitignore', 'deep/', 'kept.log', 'deep/note.txt'],
    ]);
    assert.deepEqual(await new FileTree(join(root, 'nowhere')).paths(), []);
  });

  test('are found where a .gitignore is a pipe that nobody writes', {
    skip: process.platform === 'win32',
    timeout: 10_000,
  }, async () => {
    const below = join(folder, 'my folder');
    execFileSync('mkfifo', [join(below, '.gitignore')]);
    after(() => rmSync(join(below, '.gitignore')));
    assert.ok((await new FileTree(below).paths()).includes('in it.md'));
  });
  test('are not suggested where there are none', async () => {
    for (const text of ['@nowhere/', '@a.txt/', '@zzz', 'a@', 'me@src', '@src main'])
      assert.deepEqual(await values(text), [], text);
  });

  test('with spaces stand between quotation marks, at each step', async () => {
    assert.equal(await taken('@two'), '@"two words.md" ');
    assert.equal(await taken('@"two w'), '@"two words.md" ');
    const inFolder = await taken('see @my');
    assert.equal(inFolder, 'see @"my folder/');
    const file = await taken(inFolder);
    assert.equal(file, 'see @"my folder/in it.md" ');
    assert.match((await withFiles(file, folder)).text, /in it\.md:\n```\nText\./);
  });

  test('of the home folder are suggested behind ~', async (context) => {
    const { HOME } = process.env;
    process.env.HOME = folder;
    context.after(() => {
      process.env.HOME = HOME;
    });
    assert.deepEqual(await values('@~/a'), ['@~/a.txt']);
  });
});
