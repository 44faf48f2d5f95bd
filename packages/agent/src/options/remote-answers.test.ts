import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { RemoteAnswers } from './inbox.ts';

const never = () => new Promise<never>(() => {});
const { signal } = new AbortController();
const answers = () => new RemoteAnswers<string>();

describe('answers of other processes', () => {
  test('that come early wait for their question, and nobody is asked here', async () => {
    const remote = answers();
    remote.give('a', 'first', 1);
    remote.give('a', 'second', 1);
    const ask = () => assert.fail('asked');
    assert.equal(await remote.first('a', { signal, since: 0, ask }), 'first');
  });

  test('withdraw the question here', async () => {
    const remote = answers();
    let asked = signal;
    const ask = (given: AbortSignal) => {
      asked = given;
      return never();
    };
    const first = remote.first('a', { signal, since: 0, ask });
    remote.give('b', 'other', 1);
    assert.equal(asked.aborted, false);
    remote.give('a', 'yes', 1);
    remote.give('a', 'no', 1);
    assert.equal(asked.aborted, true);
    assert.equal(await first, 'yes');
  });

  test('do not count after the answer of this process', async () => {
    const remote = answers();
    const given = Promise.withResolvers<string>();
    const first = remote.first('a', { signal, since: 0, ask: () => given.promise });
    given.resolve('here');
    await given.promise;
    remote.give('a', 'at once', 1);
    assert.equal(await first, 'here');
  });

  test('wait for the question to be asked again if asking failed', async () => {
    const remote = answers();
    const ask = () => Promise.reject(new Error('no screen'));
    await assert.rejects(remote.first('a', { signal, since: 0, ask }), /no screen/);
    remote.give('a', 'yes', 1);
    assert.equal(await remote.first('a', { signal, since: 0, ask }), 'yes');
  });

  test('to an earlier form of a question do not count, and those to the new form do', async () => {
    const remote = answers();
    const ask = async () => 'here';
    for (const at of [1, 5]) remote.give('a', 'old', at);
    assert.equal(await remote.first('a', { signal, since: 5, ask }), 'here');
    for (const at of [5, 6, 7]) remote.give('a', `at ${at}`, at);
    assert.equal(await remote.first('a', { signal, since: 5, ask }), 'at 6');
    const open = remote.first('a', { signal, since: 8, ask: never });
    for (const at of [8, 9]) remote.give('a', `at ${at}`, at);
    assert.equal(await open, 'at 9');
  });
});
