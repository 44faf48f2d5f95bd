import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { limited, scene } from './run.test-support.ts';

const MARKED = '<think>\nWell, 6 by 7.\n</think>\n\nIt is 42.';

suite('run with a model that writes its thoughts between tags', () => {
  test(
    'the answer alone is on stdout, and the next request holds what the model wrote',
    limited,
    async (context) => {
      const { ask, model, sessions } = await scene(context, [
        { text: MARKED, chunkSize: 3 },
        { text: 'Well.\n</think>\nYes.' },
        { text: '<think>\nIt is 43.', chunkSize: 5 },
        { text: MARKED },
      ]);
      const first = await ask('What is it?', '--session', 'new');
      assert.equal(first.stdout, 'It is 42.\n', first.stderr);
      const [, id = ''] = /^Session: (\S+)$/m.exec(first.stderr) ?? [];
      const second = await ask('Sure?', '--session', id);
      assert.equal(second.stdout, 'Well.\nYes.\n');
      assert.ok(model.requests[1]?.raw.includes(JSON.stringify(MARKED)), 'the prefix is unchanged');
      const third = await ask('Really?', '--session', id);
      assert.equal(third.stdout, '');
      assert.match(third.stderr, /^The model wrote thoughts and no answer:\n {2}It is 43\.$/m);
      const json = await ask('Once more', '--session', id, '--json');
      const events = json.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      const of = (type: string) => events.flatMap((one) => (one.type === type ? one.text : []));
      assert.deepEqual(
        [of('reasoning').join(''), of('text').join('')],
        ['\nWell, 6 by 7.\n', 'It is 42.'],
      );
      const { stdout } = await sessions('show', id);
      assert.doesNotMatch(stdout, /think>|6 by 7/);
      assert.match(stdout, /^It is 42\.$/m);
    },
  );
});
