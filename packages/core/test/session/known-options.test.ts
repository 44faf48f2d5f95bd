import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ToolfoldError } from '../../src/errors.ts';
import { createToolLayer } from '../../src/session/layer.ts';

function refusal(options: unknown): ToolfoldError {
  try {
    createToolLayer(options as object);
  } catch (error) {
    if (error instanceof ToolfoldError && error.code === 'invalid-option') return error;
    throw error;
  }
  return assert.fail('The options were taken.');
}

suite('options that a layer does not have', () => {
  test('are refused with a similar name', () => {
    for (const [unknown, meant] of [
      ['group', 'groups'],
      ['Groups', 'groups'],
      ['stratgy', 'strategy'],
      ['on_warning', 'onWarning'],
    ] as const) {
      const { message, hint } = refusal({ [unknown]: [] });
      assert.match(message, new RegExp(`^createToolLayer\\(\\) has no option "${unknown}"`));
      assert.equal(hint, `Did you mean "${meant}"?`);
    }
  });

  test('are refused with all names if none is similar', () => {
    const { message, hint } = refusal({ constructor: [] });
    assert.match(message, /has no option "constructor"/);
    assert.match(hint, /^Its options are auto, catalog, .*tools\.$/);
    assert.doesNotMatch(hint, /routing/);
  });

  test('are accepted if they are undefined, inherited, or other settings of a file', () => {
    createToolLayer({ group: undefined, strategy: undefined } as never);
    createToolLayer(Object.create({ group: [] }));
    createToolLayer({ routing: 'off', servers: new Map(), strategy: 'auto' } as never);
  });

  test('a value that is not an object is refused', () => {
    for (const options of [null, 'x', []]) {
      assert.match(refusal(options).message, /options of createToolLayer\(\) are no object/);
    }
  });
});
