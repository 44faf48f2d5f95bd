import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Journal } from '../servers/scripted-server.test-support.ts';
import { limited, scene } from './run.test-support.ts';

const answers = () => ({ text: 'Hello.' });

test(
  'a server that was never listed is waited for, and stderr and the last line name it',
  limited,
  async (context) => {
    const journal = await Journal.open(context);
    const { ask, model } = await scene(context, answers, {}, () => journal.entry('slow'));
    const began = performance.now();
    const { code, stdout, stderr } = await ask('--wait', '0.4', 'Hello');
    assert.ok(performance.now() - began < 8_000, 'the default of ten seconds was not used');
    assert.deepEqual([code, stdout], [0, 'Hello.\n'], stderr);
    assert.match(stderr, /^files is still starting: the turn begins without its tools\.$/m);
    assert.match(
      stderr.trimEnd().split('\n').at(-1) ?? '',
      /^Tokens: .*; begun without the tools of files\.$/,
    );
    assert.equal(model.requests.length, 1);
  },
);

test('--wait takes seconds above 0', limited, async (context) => {
  const { ask } = await scene(context, answers);
  for (const value of ['0', '-1', 'long', '']) {
    const { code, stderr } = await ask(`--wait=${value}`, 'Hello');
    assert.equal(code, 2, value);
    assert.match(stderr, /--wait <seconds>/);
  }
});
