import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import {
  LIBRARIES_AT_FIRST_FRAME,
  LIBRARIES_AT_START,
  librariesAtFirstFrame,
  loadedLibraries,
} from './loaded-libraries.ts';
import { root } from './tree.ts';

describe('the command line loads', () => {
  for (const [args, libraries] of LIBRARIES_AT_START) {
    const what = libraries.length > 0 ? libraries.join(' and ') : 'no library';
    test(`${what} for ${args.join(' ')}`, () => {
      assert.deepEqual(loadedLibraries(join(root, 'bin/toolfold.js'), args), libraries);
    });
  }

  test('only what draws the chat before its first frame', () => {
    const loaded = librariesAtFirstFrame(join(root, 'bin/toolfold.js'));
    assert.deepEqual(loaded, LIBRARIES_AT_FIRST_FRAME);
  });

  test('the SDKs and the schemas of settings where a command needs them', () => {
    const loaded = loadedLibraries(join(root, 'bin/toolfold.js'), ['list', '--help']);
    assert.ok(loaded.includes('zod') && !loaded.includes('ai'), loaded.join());
  });
});
