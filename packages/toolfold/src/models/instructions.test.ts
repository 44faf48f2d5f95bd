import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
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

test('only text in regular files of the repository is read, and what is not is said', async (context) => {
  const root = await repository(context, { 'docs/agents.md': 'LINKED' });
  const kinds: Record<string, (file: string) => Promise<unknown>> = {
    'out of the repository': (file) => symlink(join(root, '..', 'AGENTS.md'), file),
    'no regular file': (file) => mkdir(file),
    ENOENT: (file) => symlink(join(root, 'gone'), file),
    'no text': (file) => writeFile(file, Uint8Array.of(65, 0, 66)),
    'not valid': (file) => writeFile(file, Uint8Array.of(0xff, 0xfe)),
  };
  if (process.platform !== 'win32')
    kinds['is no regular file'] = async (file) => execFileSync('mkfifo', [file]);
  for (const [problem, make] of Object.entries(kinds)) {
    const folder = await mkdtemp(join(root, 'a'));
    await make(join(folder, 'AGENTS.md'));
    await writeFile(join(folder, 'CLAUDE.md'), 'NOT READ');
    const found = await readInstructions(folder);
    assert.equal(found.text, '', problem);
    assert.match(instructionLine(found) ?? '', new RegExp(`not read: .*${problem}`));
  }
  const folder = await mkdtemp(join(root, 'a'));
  await symlink(join(root, 'docs', 'agents.md'), join(folder, 'AGENTS.md'));
  assert.match((await readInstructions(folder)).text, /LINKED/);
});

test('a byte order mark is no instruction', async (context) => {
  const root = await repository(context, { 'AGENTS.md': '\uFEFFYes.' });
  assert.match((await readInstructions(root)).text, /\n\nYes\.$/);
});
