import assert from 'node:assert/strict';
import { chmod, mkdir, readdir, readFile, readlink, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { TrustedEntries } from '@toolfold/config/internal/files/trusted-entries.ts';
import { blockIn } from '@toolfold/mcp/internal/config/read-config.ts';
import { home } from '../../test/cli/process.test-support.ts';
import { saveApproval } from './approval.ts';

const read = (folder: string, name: string) => readFile(join(folder, name), 'utf8');

test('a missing file is created, and later approvals are added', async (context) => {
  const folder = await home(context);
  const file = join(folder, 'toolfold.json');
  for (const name of ['a__b', 'a__c', 'a__b']) saveApproval(file, name);
  assert.deepEqual(JSON.parse(await read(folder, 'toolfold.json')), {
    toolfold: { approvals: { allow: ['a__b', 'a__c'] } },
  });
  assert.deepEqual(await readdir(folder), ['toolfold.json']);
});

test('everything else in the file stays: comments, order, indentation, line ends, mode', async (context) => {
  const text = [
    '\uFEFF{',
    '\t// mine',
    '\t"mcpServers": { "a": { "command": "x" } },',
    '\t"toolfold": { "approvals": { "mode": "always", "allow": ["mcp:time"] } },',
    '}',
    '',
  ].join('\r\n');
  const folder = await home(context, { 'c.jsonc': text });
  const file = join(folder, 'c.jsonc');
  await chmod(file, 0o600);
  await symlink(file, join(folder, 'link.jsonc'));
  saveApproval(join(folder, 'link.jsonc'), 'a__b');
  const saved = await read(folder, 'c.jsonc');
  // Changed lines are formatted again.
  const bare = (json: string) => json.replaceAll(/\s/g, '');
  assert.equal(bare(saved), bare(text).replace('"mcp:time"', '"mcp:time","a__b"'));
  assert.ok(saved.startsWith(text.slice(0, text.indexOf('\t"toolfold"'))));
  assert.doesNotMatch(saved, /[^\r]\n|^ /m);
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  assert.deepEqual(await readdir(folder), ['c.jsonc', 'link.jsonc']);
});

test('a block is added to a file that has servers only', async (context) => {
  const folder = await home(context, { 'c.json': '{\n    "mcpServers": {}\n}\n' });
  saveApproval(join(folder, 'c.json'), 'a__b');
  const saved = await read(folder, 'c.json');
  assert.match(saved, /^ {4}"toolfold": \{$/m);
  assert.deepEqual(JSON.parse(saved).toolfold, { approvals: { allow: ['a__b'] } });
});

test('links in a circle are no missing file: nothing is written', async (context) => {
  const folder = await home(context);
  await symlink('a.json', join(folder, 'b.json'));
  await symlink('b.json', join(folder, 'a.json'));
  assert.throws(() => saveApproval(join(folder, 'a.json'), 'a__b'), { code: 'invalid-config' });
  assert.equal(await readlink(join(folder, 'a.json')), 'b.json');
});

test('a file that cannot be changed stays unchanged, and the error says why', async (context) => {
  const cases = {
    'broken.json': '{ "toolfold": ',
    'list.json': '[]',
    'odd.json': '{ "toolfold": { "approvals": { "allow": "all" } } }',
    'twice.json': '{ "toolfold": {}, "toolfold": {} }',
  };
  const folder = await home(context, cases);
  await mkdir(join(folder, 'folder.json'));
  const absent = join('none', 'toolfold.json');
  for (const name of [...Object.keys(cases), 'folder.json', absent]) {
    assert.throws(() => saveApproval(join(folder, name), 'a__b'), {
      code: 'invalid-config',
      message: /cannot be changed: .*Add "a__b" to "approvals"/s,
    });
  }
  for (const [name, text] of Object.entries(cases)) assert.equal(await read(folder, name), text);
});

test('certain tools are saved once, by names and fingerprints', async (context) => {
  const folder = await home(context);
  const file = join(folder, 'toolfold.json');
  const tools = { tools: { git__git_log: 'f1', git__git_diff: 'f2' } };
  for (const allowed of [tools, 'a__b', structuredClone(tools)]) saveApproval(file, allowed);
  assert.deepEqual(JSON.parse(await read(folder, 'toolfold.json')), {
    toolfold: { approvals: { allow: [tools, 'a__b'] } },
  });
});

const wide = '{ "toolfold": { "approvals": { "allow": ["*"] } } }';

/** What the file says, whether a block needs a yes there and has one, and whether an approval takes effect. */
const blocks: readonly (readonly [
  title: string,
  text: string | undefined,
  needsYes: boolean,
  isTrusted: boolean,
  isSaved: boolean,
])[] = [
  ['no file', undefined, true, false, true],
  ['no block', '{}', true, false, true],
  ['a block that only restricts', '{ "toolfold": { "maxRounds": 3 } }', true, false, true],
  ['a block that is trusted', wide, true, true, true],
  ['a block that is not trusted', wide, true, false, false],
  ['a file that is named, or the user’s own', wide, false, false, true],
];

for (const [title, text, needsYes, isTrusted, isSaved] of blocks)
  test(`an approval is saved only where it takes effect: ${title}`, async (context) => {
    const data = process.env.XDG_DATA_HOME;
    process.env.XDG_DATA_HOME = await home(context);
    context.after(() => {
      if (data === undefined) delete process.env.XDG_DATA_HOME;
      else process.env.XDG_DATA_HOME = data;
    });
    const folder = await home(context, text === undefined ? {} : { 'toolfold.json': text });
    const file = join(folder, 'toolfold.json');
    const block = text === undefined ? undefined : blockIn(file, text);
    if (isTrusted && block) new TrustedEntries().add({ folder, hash: block.hash, name: 'x' });
    const save = () => saveApproval(file, 'a__b', needsYes ? folder : undefined);
    if (!isSaved) {
      assert.throws(save, /nobody has said yes/);
      assert.equal(await read(folder, 'toolfold.json'), text);
      return;
    }
    save();
    const saved = await read(folder, 'toolfold.json');
    assert.match(saved, /a__b/);
    // What was in effect still is.
    const hash = blockIn(file, saved)?.hash ?? '';
    if (needsYes) assert.ok(new TrustedEntries().has(folder, hash));
    if (needsYes) saveApproval(file, 'a__c', folder);
  });
