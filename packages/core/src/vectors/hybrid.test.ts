import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { allows, embedder, find, tools } from '../../test/vectors/embedder.test-support.ts';
import { lexical } from '../search.ts';
import { fuse } from './hybrid.ts';

suite('a search with an embedder', () => {
  test('finds what words do not, once the query is prepared', async () => {
    const { embed } = embedder();
    const search = fuse(lexical(), { embed, model: 'm' });
    search.index(tools);
    const query = 'put my letter of work aside';
    assert.equal(search.search('aside', { limit: 1, allows })[0]?.key, undefined);
    await search.prepare?.([query, 'aside']);
    assert.equal(search.search('aside', { limit: 1, allows })[0]?.key, 'stash');
    assert.deepEqual(
      search.search('aside', { limit: 1, allows: (key) => key !== 'stash' }).length,
      1,
    );
    assert.equal(search.search('git_stash', { limit: 1, allows })[0]?.key, 'stash');
  });

  test('embeds each tool once for a model, and again when it changes', async () => {
    const { embed, texts } = embedder();
    const cache = new Map<string, readonly number[]>();
    const make = (model: string) => fuse(lexical(), { embed, model, cache });
    const first = make('m');
    first.index(tools);
    await first.prepare?.(['aside']);
    await first.prepare?.(['aside']);
    assert.equal(texts.length, 3);
    const next = make('m');
    next.index(tools);
    next.index([{ ...tools[0], key: 'stash', group: 'git', name: 'shelve' }]);
    await next.prepare?.(['aside']);
    assert.equal(texts.length, 4);
    const other = make('n');
    other.index(tools);
    await other.prepare?.(['aside']);
    assert.equal(texts.length, 7);
  });

  test('answers by words while the embedder fails', async () => {
    const errors: unknown[] = [];
    const embed = () => Promise.reject(new Error('offline'));
    const search = fuse(lexical(), { embed, model: 'm', onError: (error) => errors.push(error) });
    search.index(tools);
    await search.prepare?.(['send letter']);
    assert.equal(search.search('send letter', { limit: 1, allows })[0]?.key, 'mail');
    assert.equal(errors.length, 1);
  });

  test('keeps a tool whose text was that of another, which has changed', async () => {
    const { embed, texts } = embedder();
    const search = fuse(lexical(), { embed, model: 'm' });
    const stash = { group: 'git', name: 'git_stash' };
    search.index(['one', 'other'].map((key) => ({ ...stash, key })));
    await find(search, 'aside');
    search.index([{ key: 'one', group: 'mail', name: 'send_mail' }]);
    assert.equal((await find(search, 'aside'))[0], 'other');
    await find(search, 'aside');
    assert.equal(texts.length, 4);
  });
});
