import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { withFiles } from './files.ts';

const folder = mkdtempSync(join(tmpdir(), 'toolfold-attachments-'));
after(() => rmSync(folder, { recursive: true }));
const write = (name: string, text: string | Buffer) => writeFileSync(join(folder, name), text);
write('a.txt', 'One.\n');
write('a b.md', '# Two');
write('fences.md', 'x\n````js\n1\n````\n');
write('empty', '');
write('binary', Buffer.from([65, 0, 66]));
write('large', 'x'.repeat(200_001));
mkdirSync(join(folder, 'sub'));
symlinkSync('nowhere', join(folder, 'broken'));

const attach = (message: string) => withFiles(message, folder);

describe('files that a message mentions', () => {
  test('are added behind it, each once, between fences', async () => {
    assert.deepEqual(await attach('Read @a.txt, and @"a b.md"! And @a.txt.'), {
      text: 'Read @a.txt, and @"a b.md"! And @a.txt.\n\na.txt:\n```\nOne.\n```\n\na b.md:\n```\n# Two\n```',
      files: [],
      problems: [],
      missing: [],
    });
    assert.deepEqual(await attach('@empty'), {
      text: '@empty\n\nempty:\n```\n\n```',
      files: [],
      problems: [],
      missing: [],
    });
    const { text } = await attach(`(see ${join(folder, 'a.txt')}) @${join(folder, 'a.txt')}`);
    assert.equal(text.split('```').length, 3);
  });

  test('stand between fences that they do not hold', async () => {
    const { text } = await attach('@fences.md');
    assert.ok(text.endsWith('fences.md:\n`````\nx\n````js\n1\n````\n`````'));
  });

  test('are named where there is no such file, and the message stays', async () => {
    for (const text of ['a@b.example', '@', '@. @.. @!', '@"'])
      assert.deepEqual(await attach(text), { text, files: [], problems: [], missing: [] });
    const none = (path: string) => [`There is no file ${path}.`];
    for (const [text, path] of [
      ['@alice says hi', 'alice'],
      ['@broken', 'broken'],
      ['@a.txt/x', 'a.txt/x'],
    ] as const)
      assert.deepEqual(await attach(text), { text, files: [], problems: [], missing: none(path) });
    const path = 'x'.repeat(5000);
    const text = `@${path}`;
    assert.deepEqual(await attach(text), { text, files: [], problems: [], missing: none(path) });
  });

  test('are not attached with a reason that is given', async () => {
    const reasons: readonly (readonly [string, RegExp])[] = [
      ['@sub', /^sub is not attached: it is a folder\.$/],
      ['@binary', /^binary is not attached: it is not a text\.$/],
      ['@large', /^large is not attached: it has 200,001 bytes, more than 200,000\.$/],
      ['@/dev/zero', /is not a regular file/],
      ['@a\u0000b', /is not attached/],
    ];
    for (const [message, reason] of reasons) {
      const { text, problems } = await attach(message);
      assert.equal(text, message);
      assert.equal(problems.length, 1, message);
      assert.match(problems[0] ?? '', reason);
    }
  });

  test('are sent as they are where they are images or PDFs', async () => {
    const png = Buffer.from('89504e470d0a1a0a0000', 'hex');
    write('shot one.png', png);
    write('a.pdf', '%PDF-1.4');
    write('odd\u001b[2J.png', png);
    const { text, files, problems } = await attach('What is in @"shot one.png" and @a.pdf?');
    assert.equal(text, 'What is in @"shot one.png" and @a.pdf?');
    const file = (data: string | Buffer, mediaType: string, filename: string) => {
      const base64 = Buffer.from(data).toString('base64');
      return { type: 'file', data: base64, mediaType, filename };
    };
    assert.deepEqual(files, [
      file(png, 'image/png', 'shot one.png'),
      file('%PDF-1.4', 'application/pdf', 'a.pdf'),
    ]);
    assert.deepEqual(problems, []);
    const odd = await attach('@"odd\u001b[2J.png"');
    assert.equal(odd.files.length, 1);
    assert.ok(!odd.files[0]?.filename?.includes('\u001b'));
    write('no.png', 'This is no image.');
    assert.match((await attach('@no.png')).text, /This is no image/);
    write('huge.png', Buffer.concat([png, Buffer.alloc(30_000_000)]));
    const huge = await attach('@huge.png');
    assert.deepEqual(huge.files, []);
    assert.match(huge.problems[0] ?? '', /^huge\.png is not attached: it has 30,000,010 bytes/);
  });

  test('are not read through a link that leads out of the folder', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'toolfold-outside-'));
    writeFileSync(join(outside, 'key'), 'secret');
    symlinkSync(join(outside, 'key'), join(folder, 'logo.png'));
    symlinkSync(outside, join(folder, 'out'));
    symlinkSync('a.txt', join(folder, 'inside'));
    for (const path of ['logo.png', 'out/key', './logo.png']) {
      const { text, problems } = await attach(`@${path}`);
      assert.equal(text, `@${path}`);
      assert.match(problems[0] ?? '', /is not attached: it is a link that leads out of the folder/);
    }
    assert.match((await attach('@inside')).text, /One\./);
    // What is named outside of the folder was chosen by the user.
    assert.match((await attach(`@${join(outside, 'key')}`)).text, /secret/);
    rmSync(outside, { recursive: true });
  });

  test('are not attached when all together are too large', async () => {
    // Three bytes for each character.
    for (const name of ['1', '2', '3']) write(name, '漢'.repeat(66_000));
    const { text, problems } = await attach('@1 @2 @3 @a.txt');
    assert.deepEqual(problems, [
      '3 is not attached: the files of a message may have 500,000 bytes.',
    ]);
    assert.ok(text.endsWith('a.txt:\n```\nOne.\n```'));
  });

  test('are never waited for: a pipe without a writer', {
    skip: process.platform === 'win32',
  }, async () => {
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    const { problems } = await attach('@pipe');
    assert.deepEqual(problems, ['pipe is not attached: it is not a regular file.']);
  });

  const isRoot = process.getuid?.() === 0;
  test('that may not be read are said so', { skip: isRoot && 'root may read all' }, async () => {
    write('secret', 'x');
    chmodSync(join(folder, 'secret'), 0);
    const { problems } = await attach('@secret');
    assert.match(problems[0] ?? '', /^secret is not attached: .*(EACCES|permission)/);
  });

  test('may be named from the home folder on', async (context) => {
    const { HOME } = process.env;
    process.env.HOME = folder;
    context.after(() => {
      process.env.HOME = HOME;
    });
    assert.match((await attach('@~/a.txt')).text, /~\/a\.txt:\n```\nOne\./);
  });
});
