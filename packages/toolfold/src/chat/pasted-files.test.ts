import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { withFiles } from '../terminal/files.ts';
import { readKeys } from './input.ts';

const folder = mkdtempSync(join(tmpdir(), 'toolfold-pasted-'));
after(() => rmSync(folder, { recursive: true }));
const PNG = Buffer.from('89504e470d0a1a0a0000', 'hex');
const path = (name: string) => join(folder, name);
for (const name of [
  'shot.png',
  'two words.png',
  "it's.png",
  'narrow\u202Fspace.png',
  'a$b.png',
  'q"q.png',
])
  writeFileSync(path(name), PNG);
writeFileSync(path('a.pdf'), '%PDF-1.4');
writeFileSync(path('note.png'), 'This is no image.');
writeFileSync(path('note.md'), '# Note');
mkdirSync(path('folder.png'));

const paste = (text: string) => `\u001B[200~${text}\u001B[201~`;
const pasted = (text: string) => readKeys(paste(text), folder);

test('a paste that is the path of an image or a PDF mentions it', async () => {
  for (const [text, ...names] of [
    [path('shot.png'), 'shot.png'],
    [`${path('shot.png')} `, 'shot.png'],
    [`${path('shot.png')}\n`, 'shot.png'],
    [path('a.pdf'), 'a.pdf'],
    [path('two words.png'), 'two words.png'],
    [path('two words.png').replaceAll(' ', '\\ '), 'two words.png'],
    [`'${path('two words.png')}'`, 'two words.png'],
    [`"${path('two words.png')}"`, 'two words.png'],
    [`"${path('a\\$b.png')}"`, 'a$b.png'],
    [path("it\\'s.png"), "it's.png"],
    [`'${path("it'\\''s.png")}'`, "it's.png"],
    [pathToFileURL(path('two words.png')).href, 'two words.png'],
    [path('narrow\u202Fspace.png'), 'narrow\u202Fspace.png'],
    [`${path('shot.png')} ${path('two\\ words.png')}`, 'shot.png', 'two words.png'],
  ] as const) {
    const mentions = names.map((name) => `@"${path(name)}"`).join(' ');
    assert.equal(pasted(text), paste(`${mentions} `), text);
    assert.equal((await withFiles(mentions, folder)).files.length, names.length, text);
  }
  assert.equal(pasted('shot.png'), paste('@"shot.png" '));
});

test('any other paste stays as it is, and so do keys', () => {
  for (const text of [
    ...['', ' ', 'Hello', path('note.md'), path('note.png'), path('folder.png'), path('gone.png')],
    ...[`See ${path('shot.png')}`, `${path('shot.png')} please`, `${path('shot.png')}\nand more`],
    ...['file://elsewhere/shot.png', 'file:///%00', '/dev/zero', path('q\\"q.png'), "'"],
    ...['x'.repeat(100_000), `${path('shot.png')}\u0000`],
  ])
    assert.equal(pasted(text), paste(text), text.slice(0, 100));
  for (const keys of [path('shot.png'), '\u001B[200~', 'x'])
    assert.equal(readKeys(keys, folder), keys);
});
