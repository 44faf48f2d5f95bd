import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonObject } from '@toolfold/core/internal/values/json.ts';
import { listTools } from './listing.ts';

/** Answers each page by its cursor; `first` is the first, and no page is an error of the server. */
function pages(byCursor: Record<string, JsonObject>): {
  send: (cursor?: string) => Promise<unknown>;
  asked: string[];
} {
  const asked: string[] = [];
  return {
    asked,
    send: async (cursor = 'first') => {
      asked.push(cursor);
      return byCursor[cursor] ?? Promise.reject(Object.assign(new Error('no'), { code: -32602 }));
    },
  };
}

test('reads all pages, every field as received', async () => {
  const odd = { name: 'b', annotations: { category: 'x' }, execution: { taskSupport: 'required' } };
  const { send, asked } = pages({
    first: { tools: [{ name: 'a' }], nextCursor: '2' },
    '2': { tools: [odd], nextCursor: '3' },
    '3': { tools: [{ name: 'c' }] },
  });
  const { tools, warnings } = await listTools(send);
  assert.deepEqual(tools, [{ name: 'a' }, odd, { name: 'c' }]);
  assert.deepEqual(warnings, []);
  assert.deepEqual(asked, ['first', '2', '3']);
});

test('a repeated cursor ends the list with a warning', async () => {
  const { send, asked } = pages({
    first: { tools: [{ name: 'a' }], nextCursor: 'x' },
    x: { tools: [{ name: 'b' }], nextCursor: 'x' },
  });
  const { tools, warnings } = await listTools(send);
  assert.deepEqual(
    tools.map((tool) => tool.name),
    ['a', 'b'],
  );
  assert.match(warnings.join(), /repeats from page 2/);
  assert.equal(asked.length, 2);
});

test('no cursor is the end; a cursor that is not a string too, with a warning', async () => {
  const cases: [JsonObject[string], RegExp][] = [
    [null, /^$/],
    [2, /the cursor after page 1 of its tool list is not a string/],
  ];
  for (const [nextCursor, expected] of cases) {
    const { send, asked } = pages({ first: { tools: [{ name: 'a' }], nextCursor } });
    const { tools, warnings } = await listTools(send);
    assert.deepEqual([tools.length, asked.length], [1, 1]);
    assert.match(warnings.join(), expected);
  }
});

describe('an empty cursor', () => {
  const a = { tools: [{ name: 'a' }], nextCursor: '' };
  const cases: Readonly<Record<string, readonly [JsonObject | undefined, names: string]>> = {
    'leads to another page': [{ tools: [{ name: 'b' }] }, 'a b'],
    'leads to a page that has it too': [{ tools: [{ name: 'b' }], nextCursor: '' }, 'a b'],
    'leads to a page with another cursor': [{ tools: [{ name: 'b' }], nextCursor: 'c' }, 'a b c'],
    'is refused: it marked the end': [undefined, 'a'],
    'is answered with the first page: it marked the end': [a, 'a'],
  };
  for (const [name, [behind, names]] of Object.entries(cases))
    test(name, async () => {
      const c = { tools: [{ name: 'c' }] };
      const { send, asked } = pages({ first: a, c, ...(behind && { '': behind }) });
      const { tools, warnings } = await listTools(send);
      assert.equal(tools.map((tool) => tool.name).join(' '), names);
      assert.deepEqual(warnings, []);
      assert.deepEqual(asked.slice(0, 2), ['first', '']);
      assert.ok(asked.length <= 3);
    });

  test('behind which the connection fails rejects', async () => {
    const send = async (cursor?: string) =>
      cursor === undefined ? a : Promise.reject(new TypeError('fetch failed'));
    await assert.rejects(listTools(send), /fetch failed/);
  });
});

test('an endless list is read up to a limit, with a warning', async () => {
  let page = 0;
  const { tools, warnings } = await listTools(() => {
    page += 1;
    return Promise.resolve({ tools: [{ name: `t${page}` }], nextCursor: `c${page}` });
  });
  assert.equal(tools.length, page);
  assert.ok(page <= 1000, `read ${page} pages`);
  assert.match(warnings.join(), /pages; the rest was not read/);
});

test('of two tools with the same name the first is kept, with a warning', async () => {
  const tools = [
    { name: 'a', description: 'first' },
    { name: 'a', description: 'second' },
  ];
  const listing = await listTools(() => Promise.resolve({ tools }));
  assert.deepEqual(listing.tools, [{ name: 'a', description: 'first' }]);
  assert.deepEqual(listing.duplicates, ['a']);
  assert.match(listing.warnings.join(), /more than one tool named a; the first/);
});

test('entries without a name are left out and counted', async () => {
  const listing = await listTools(() =>
    Promise.resolve({ tools: [null, 5, { title: 'x' }, { name: '' }, { name: '__proto__' }] }),
  );
  assert.deepEqual(
    listing.tools.map((tool) => tool.name),
    ['__proto__'],
  );
  assert.match(listing.warnings.join(), /4 listed tools without a name were left out/);
});

test('an answer without a list is an error', async () => {
  await assert.rejects(
    listTools(() => Promise.resolve({})),
    /no list of tools/,
  );
  await assert.rejects(
    listTools(() => Promise.resolve({ tools: {} })),
    /no list of tools/,
  );
});
