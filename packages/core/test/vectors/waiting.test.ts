import assert from 'node:assert/strict';
import { after, before, mock, suite, test } from 'node:test';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { lexical } from '../../src/search.ts';
import { fuse } from '../../src/vectors/hybrid.ts';
import type { EmbedRequest } from '../../src/vectors/options.ts';
import { hybrid } from '../../src/vectors.ts';
import * as edge from '../../src/vectors-edge.ts';
import { embedder, find, many, tools } from './embedder.test-support.ts';

suite('searches at one time', () => {
  test('wait for one embedding of each text', async () => {
    const { embed, texts } = embedder();
    const slow = async (request: EmbedRequest<string>) => {
      await sleep(1);
      return embed(request);
    };
    const search = fuse(lexical(), { embed: slow, model: 'm' });
    search.index([...tools, ...many(250)]);
    const found = await Promise.all(
      Array.from({ length: 10 }, (_, i) => find(search, `aside ${'x'.repeat(i + 1)}`)),
    );
    assert.ok(found.every(([first]) => first === 'stash'));
    assert.equal(texts.length, 2 + 250 + 10);
  });

  test('all answer by words when the call that they share fails', async () => {
    const errors: unknown[] = [];
    let calls = 0;
    const embed = async () => {
      calls++;
      await sleep(1);
      throw new Error('offline');
    };
    const onError = (error: unknown) => errors.push(error);
    const search = fuse(lexical(), { embed, model: 'm', onError });
    search.index(tools);
    const found = await Promise.all(Array.from({ length: 3 }, () => find(search, 'send letter')));
    assert.deepEqual(found, Array(3).fill(['mail']));
    assert.deepEqual([calls, errors.length], [1, 3]);
    await find(search, 'send letter');
    assert.equal(calls, 2);
  });
});

suite('the time limit of an embedder', () => {
  /** The first call never settles by itself. */
  function stuck() {
    const { embed, texts } = embedder();
    const { promise, resolve } = Promise.withResolvers<void>();
    let calls = 0;
    return {
      texts,
      resolve,
      embed: async (request: EmbedRequest<string>) => {
        if (calls++ === 0) await promise;
        return embed(request);
      },
    };
  }
  // The timer of a search does not keep the process alive.
  let alive: NodeJS.Timeout;
  before(() => {
    alive = setInterval(() => {}, 1_000);
  });
  after(() => clearInterval(alive));

  test('the search answers by words, and a later one asks again', async () => {
    const { embed, texts } = stuck();
    const errors: unknown[] = [];
    const onError = (error: unknown) => errors.push(error);
    const search = fuse(lexical(), { embed, model: 'm', timeoutMs: 5, onError });
    search.index(tools);
    assert.deepEqual(await find(search, 'send letter'), ['mail']);
    assert.match(String(errors), /^Error: The embedder took longer than 5 milliseconds\.$/);
    assert.equal((await find(search, 'aside'))[0], 'stash');
    assert.deepEqual([texts.length, errors.length], [3, 1]);
  });

  test('what arrives late is used later', async () => {
    const { embed, texts, resolve } = stuck();
    const search = fuse(lexical(), { embed, model: 'm', timeoutMs: 5 });
    search.index(tools);
    assert.deepEqual(await find(search, 'aside'), []);
    resolve();
    await sleep(1);
    assert.equal((await find(search, 'aside'))[0], 'stash');
    assert.equal(texts.length, 3);
  });

  test('many calls together have one limit, and go on behind it', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const { embed, texts } = embedder();
      const gates = Array.from({ length: 3 }, () => Promise.withResolvers<void>());
      let calls = 0;
      const slow = async (request: EmbedRequest<string>) => {
        await gates[calls++]?.promise;
        return embed(request);
      };
      const search = fuse(lexical(), { embed: slow, model: 'm', timeoutMs: 100 });
      search.index([...tools, ...many(250)]);
      const found = find(search, 'aside');
      mock.timers.tick(60);
      gates[0]?.resolve();
      await setImmediate();
      mock.timers.tick(40);
      assert.deepEqual(await found, []);
      assert.equal(texts.length, 100);
      for (const { resolve } of gates) resolve();
      await setImmediate();
      assert.equal((await find(search, 'aside'))[0], 'stash');
      assert.equal(texts.length, 253);
    } finally {
      mock.timers.reset();
    }
  });

  test('its timers are cleared, and do not keep the process alive', async () => {
    const started = mock.method(globalThis, 'setTimeout');
    const ended = mock.method(globalThis, 'clearTimeout');
    try {
      const search = fuse(lexical(), { embed: embedder().embed, model: 'm' });
      search.index(tools);
      const found = find(search, 'aside');
      const timers = started.mock.calls.map(({ result }) => result);
      assert.deepEqual(
        timers.map((timer) => timer?.hasRef()),
        [false, false],
      );
      await found;
      const cleared = ended.mock.calls.map((call) => call.arguments[0]);
      assert.ok(timers.every((timer) => cleared.includes(timer)));
    } finally {
      mock.restoreAll();
    }
  });

  test('beyond what a timer can hold is no short one', async () => {
    const { embed } = embedder();
    const slow = async (request: EmbedRequest<string>) => {
      await sleep(20);
      return embed(request);
    };
    const search = fuse(lexical(), { embed: slow, model: 'm', timeoutMs: 1e15 });
    search.index(tools);
    assert.equal((await find(search, 'aside'))[0], 'stash');
  });

  test('is a number above 0, or is refused', () => {
    for (const timeoutMs of [0, -1, Number.NaN, Infinity, '5' as never])
      for (const make of [hybrid, edge.hybrid])
        assert.throws(() => make({ embed: embedder().embed, model: 'm', timeoutMs }), {
          code: 'invalid-option',
          message: /"timeoutMs".*milliseconds above 0/,
        });
  });
});
