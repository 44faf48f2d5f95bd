// test: alone
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { suite, test } from 'node:test';
import { chatScene, limited } from './chat.test-support.ts';
import { withoutTmux } from './tmux.test-support.ts';

const manifest = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-filesystem/package.json',
);
const program = join(dirname(manifest), 'dist/index.js');

suite('the question about a change of a file', { skip: withoutTmux }, () => {
  test(
    'shows the lines that go and come, of an edit and of a file that is written anew',
    limited,
    async (context) => {
      const paths: { file?: string } = {};
      const call = (name: string, given: object) => ({
        calls: [{ name: `filesystem__${name}`, arguments: { path: paths.file, ...given } }],
      });
      let step = 0;
      const scene = await chatScene(
        context,
        () => {
          step += 1;
          if (step === 1)
            return call('edit_file', { edits: [{ oldText: 'second', newText: '2nd' }] });
          return step === 2
            ? call('write_file', { content: 'first\n2nd\n3rd\n' })
            : { text: 'Done.' };
        },
        {
          servers: async (folder) => ({
            filesystem: { command: process.execPath, args: [program, folder] },
          }),
        },
      );
      paths.file = join(scene.folder, 'a.txt');
      await writeFile(paths.file, 'first\nsecond\nthird\n');
      const chat = await scene.terminal(100, 30);
      await chat.start('--strategy eager');
      await chat.say('Change it');
      const edit = await chat.tmux.shows(/a\.txt \+1 -1\n- second\n\+ 2nd\n/);
      assert.doesNotMatch(edit, /oldText/);
      // The server says that these tools may destroy something, so the mark is at "No".
      await chat.answer('1');
      const written = await chat.tmux.shows(
        /a\.txt \+1 -1\n1 {3}first\n2 {3}2nd\n3 - third\n3 \+ 3rd\n/,
      );
      assert.match(
        written,
        /● filesystem__edit_file.*\n.*a\.txt \+1 -1\n {2}1 {3}first\n {2}2 - second\n {2}2 \+ 2nd\n {2}3 {3}third/,
      );
      await chat.answer('1');
      await chat.tmux.shows('Done.');
      assert.equal(await readFile(paths.file, 'utf8'), 'first\n2nd\n3rd\n');
      await chat.quit();
    },
  );
});
