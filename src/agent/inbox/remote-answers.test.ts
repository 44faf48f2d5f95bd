import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { RemoteAnswers } from './remote-answers.ts';

const never = () => new Promise<never>(() => {});
const { signal } = new AbortController();
const take = (answer: string) => `remote ${answer}`;
const answers = () => new RemoteAnswers<string>();

describe('answers of other processes', () => {
  test('that come early wait for their question, and nobody is asked here', async () => {
    const remote = answers();
    remote.give('a', 'first');
    remote.give('a', 'second');
    const ask = () => assert.fail('asked');
    assert.equal(await remote.first('a', { signal, ask, take }), 'remote first');
  });

  test('withdraw the question here', async () => {
    const remote = answers();
    let asked = signal;
    const ask = (given: AbortSignal) => {
      asked = given;
      return never();
    };
    const first = remote.first('a', { signal, ask, take });
    remote.give('b', 'other');
    assert.equal(asked.aborted, false);
    remote.give('a', 'yes');
    remote.give('a', 'no');
    assert.equal(asked.aborted, true);
    assert.equal(await first, 'remote yes');
  });

  test('do not count after the answer of this process', async () => {
    const remote = answers();
    const taken: string[] = [];
    const given = Promise.withResolvers<string>();
    const asking = {
      signal,
      ask: () => given.promise,
      take: (answer: string) => {
        taken.push(answer);
        return answer;
      },
    };
    const first = remote.first('a', asking);
    given.resolve('here');
    await given.promise;
    remote.give('a', 'at once');
    assert.equal(await first, 'here');
    assert.deepEqual(taken, []);
  });

  test('wait for the question to be asked again if asking failed', async () => {
    const remote = answers();
    const ask = () => Promise.reject(new Error('no screen'));
    await assert.rejects(remote.first('a', { signal, ask, take }), /no screen/);
    remote.give('a', 'yes');
    assert.equal(await remote.first('a', { signal, ask, take }), 'remote yes');
  });

  test('to an earlier form of a question do not count, and those to the new form do', async () => {
    const remote = answers();
    remote.give('a', 'old');
    remote.forget('a');
    const ask = async () => 'here';
    assert.equal(await remote.first('a', { signal, ask, take }), 'here');
    remote.give('a', 'new');
    assert.equal(await remote.first('a', { signal, ask, take }), 'remote new');
  });

  test('of an earlier turn are dropped by `reset`', async () => {
    const remote = answers();
    remote.give('a', 'old');
    remote.reset();
    const ask = async () => 'here';
    assert.equal(await remote.first('a', { signal, ask, take }), 'here');
  });
});
