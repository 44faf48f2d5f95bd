import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { link, mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { instructionLine, readInstructions } from './instructions.ts';

/** A repository with these files, in a folder that has an AGENTS.md of its own. */
async function repository(
  context: TestContext,
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<string> {
  const above = await mkdtemp(join(tmpdir(), 'toolfold-'));
  context.after(() => rm(above, { recursive: true }));
  await writeFile(join(above, 'AGENTS.md'), 'OUTSIDE');
  const root = join(above, 'repo');
  await mkdir(join(root, '.git'), { recursive: true });
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), content);
  }
  return root;
}

test('the files from the root of the repository to the folder are read, outermost first', async (context) => {
  const root = await repository(context, {
    'AGENTS.md': 'Use tabs.\n',
    'CLAUDE.md': 'NOT READ',
    'packages/CLAUDE.md': 'Test with npm test.',
    'packages/web/AGENTS.md': 'Use spaces.',
    'packages/api/AGENTS.md': 'NOT READ',
  });
  const found = await readInstructions(join(root, 'packages', 'web'));
  assert.match(
    found.text,
    /later one counts\.\n\n# AGENTS\.md\n\nUse tabs\.\n\n# packages\/CLAUDE\.md\n\nTest with npm test\.\n\n# packages\/web\/AGENTS\.md\n\nUse spaces\.$/,
  );
  assert.doesNotMatch(found.text, /NOT READ|OUTSIDE/);
  assert.equal(
    instructionLine(found),
    'Instructions from AGENTS.md (10 bytes), packages/CLAUDE.md (19 bytes), packages/web/AGENTS.md (11 bytes)',
  );
});

test('a work tree of git is a repository; without one only the folder is read', async (context) => {
  const root = await repository(context, { 'tree/.git': 'gitdir: x', 'tree/AGENTS.md': 'TREE' });
  const { files } = await readInstructions(join(root, 'tree'));
  assert.deepEqual(
    files.map(({ text }) => text),
    ['TREE'],
  );
  await rm(join(root, '.git'), { recursive: true });
  await rm(join(root, 'tree/.git'));
  const alone = await readInstructions(join(root, 'tree'));
  assert.deepEqual(
    alone.files.map(({ text }) => text),
    ['TREE'],
  );
  assert.equal((await readInstructions(root)).text, '');
  assert.deepEqual(await readInstructions(join(root, 'nowhere')), { files: [], text: '' });
});

test('all files together have a limit: the nearest are read first, and a cut is said', async (context) => {
  const root = await repository(context, {
    'AGENTS.md': `${'é'.repeat(20_000)}END`,
    'web/AGENTS.md': 'x'.repeat(9_001),
    'web/app/AGENTS.md': '',
  });
  const { text, files } = await readInstructions(join(root, 'web', 'app'));
  assert.deepEqual(
    files.map(({ read, size }) => [read, size]),
    [
      [22_999, 40_003],
      [9_001, 9_001],
      [0, 0],
    ],
  );
  assert.match(
    text,
    /\n\né{11499}\n\n\[Cut: 22,999 of 40,003 bytes are shown\.\]\n\n# web\/AGENTS/,
  );
  assert.doesNotMatch(text, /\uFFFD|END|web\/app/);
});

/** What somebody can put in the place of a file with instructions, and why it is not read. */
const planted: Readonly<Record<string, (file: string, root: string) => Promise<unknown>>> = {
  'a link to something else: out of the repository': (file, root) =>
    symlink(join(root, '..', 'AGENTS.md'), file),
  'a link to something else: keys beside it': async (file) => {
    await writeFile(join(dirname(file), '.env'), 'KEY=SECRET');
    await symlink('.env', file);
  },
  'a link to something else: the settings of git': async (file, root) => {
    await writeFile(join(root, '.git', 'config'), 'url = https://me:SECRET@h.test');
    await symlink(join(root, '.git', 'config'), file);
  },
  'a link to something else: any text of the repository': async (file, root) => {
    await writeFile(join(root, 'notes.md'), 'SECRET');
    await symlink(join(root, 'notes.md'), file);
  },
  'a link to something else: instructions of another folder': async (file, root) => {
    await mkdir(join(root, 'other'), { recursive: true });
    await writeFile(join(root, 'other', 'AGENTS.md'), 'SECRET');
    await symlink(join(root, 'other', 'AGENTS.md'), file);
  },
  'a link to something else: through a link of the right name': async (file) => {
    await writeFile(join(dirname(file), '.env'), 'KEY=SECRET');
    await symlink('.env', join(dirname(file), 'CLAUDE.md'));
    await symlink('CLAUDE.md', file);
  },
  'no regular file: a folder': (file) => mkdir(file),
  'ELOOP: a link to itself': (file) => symlink(file, file),
  'ENOENT: a link to nothing': (file, root) => symlink(join(root, 'gone'), file),
  'no text: a zero byte': (file) => writeFile(file, Uint8Array.of(65, 0, 66)),
  'not valid: other bytes': (file) => writeFile(file, Uint8Array.of(0xff, 0xfe)),
  ...(process.platform === 'win32'
    ? {}
    : { 'is no regular file: a pipe': async (file) => execFileSync('mkfifo', [file]) }),
};

for (const [problem, plant] of Object.entries(planted))
  test(`instructions are not read, and the user sees why: ${problem}`, async (context) => {
    const root = await repository(context, {});
    const folder = await mkdtemp(join(root, 'a'));
    await plant(join(folder, 'AGENTS.md'), root);
    if (!problem.includes('right name')) await writeFile(join(folder, 'CLAUDE.md'), 'NOT READ');
    const found = await readInstructions(folder);
    assert.equal(found.text, '');
    assert.match(
      instructionLine(found) ?? '',
      new RegExp(`AGENTS\\.md \\(not read: .*${problem.split(':')[0]}`),
    );
  });

test('a link to other instructions of its folder and a hard link are read, and a large file in part', async (context) => {
  const root = await repository(context, { 'CLAUDE.md': 'LINKED', 'big/AGENTS.md': '' });
  await symlink('CLAUDE.md', join(root, 'AGENTS.md'));
  assert.match((await readInstructions(root)).text, /# AGENTS\.md\n\nLINKED$/);
  await rm(join(root, 'AGENTS.md'));
  await link(join(root, 'CLAUDE.md'), join(root, 'AGENTS.md'));
  assert.match((await readInstructions(root)).text, /LINKED$/);
  // A file with a hole has the size without the bytes.
  await truncate(join(root, 'big', 'AGENTS.md'), 2 ** 40);
  await writeFile(join(root, 'big', 'AGENTS.md'), 'x'.repeat(40_000), { flag: 'r+' });
  const { files } = await readInstructions(join(root, 'big'));
  assert.deepEqual(files.at(-1)?.read, 32_000);
});

test('a byte order mark is no instruction', async (context) => {
  const root = await repository(context, { 'AGENTS.md': '\uFEFFYes.' });
  assert.match((await readInstructions(root)).text, /\n\nYes\.$/);
});
