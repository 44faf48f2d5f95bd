import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ToolfoldError } from '../errors.ts';
import { onDemand } from './promises.ts';

/** Code whose loads are settled by hand. */
function byHand() {
  const loads: PromiseWithResolvers<string>[] = [];
  const get = onDemand(() => {
    const load = Promise.withResolvers<string>();
    loads.push(load);
    return load.promise;
  });
  return { get, loads };
}

suite('code that is loaded when first needed', () => {
  test('is loaded once for all who ask at once, and is there for who asks later', async () => {
    const { get, loads } = byHand();
    assert.equal(loads.length, 0);
    const waiting = [get(), get(new AbortController().signal), get()];
    assert.equal(loads.length, 1);
    loads[0]?.resolve('code');
    assert.deepEqual(await Promise.all(waiting), ['code', 'code', 'code']);
    assert.equal(get(), 'code');
    assert.equal(loads.length, 1);
  });

  test('that does not load rejects for all who wait, and is tried again for who asks next', async () => {
    const { get, loads } = byHand();
    const waiting = [get(), get()];
    const why = new Error('no such chunk');
    loads[0]?.reject(why);
    for (const result of await Promise.allSettled(waiting)) {
      const { reason } = result as PromiseRejectedResult;
      assert.ok(reason instanceof ToolfoldError);
      assert.equal(reason.code, 'missing-dependency');
      assert.equal(reason.cause, why);
    }
    const again = get();
    assert.equal(loads.length, 2);
    loads[1]?.resolve('code');
    assert.equal(await again, 'code');
  });

  test('that rejects with an error for hosts keeps this error', async () => {
    const { get, loads } = byHand();
    const error = new ToolfoldError('invalid-option', 'It cannot be used.', 'Use another one.');
    const waiting = get();
    loads[0]?.reject(error);
    await assert.rejects(async () => waiting, error);
  });

  test('that throws at once is tried again as well', async () => {
    let calls = 0;
    const get = onDemand((): Promise<string> => {
      if (++calls === 1) throw new Error('not yet');
      return Promise.resolve('code');
    });
    await assert.rejects(async () => get(), /not yet/);
    assert.equal(await get(), 'code');
  });

  test('is given up by one whose signal fires, and by no other', async () => {
    const { get, loads } = byHand();
    const controller = new AbortController();
    const leaving = get(controller.signal);
    const staying = get();
    controller.abort(new Error('the user left'));
    await assert.rejects(async () => leaving, /the user left/);
    loads[0]?.resolve('code');
    assert.equal(await staying, 'code');
  });
});
