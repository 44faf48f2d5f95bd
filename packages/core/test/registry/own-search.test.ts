import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ToolfoldError } from '../../src/errors.ts';
import { Toolbox } from '../../src/registry/toolbox.ts';
import { everything } from '../../src/registry/view.ts';
import { createLexicalSearch, type ToolSearch } from '../../src/search.ts';
import { onDemand } from '../../src/values/promises.ts';

function toolboxWith(search: ToolSearch | (() => Promise<ToolSearch>)): Toolbox {
  const send = { name: 'send_mail', description: 'Send a mail', inputSchema: { type: 'object' } };
  return new Toolbox({
    ...{ tools: [{ ...send, execute: () => '' }], groups: [], rules: {}, reserved: new Set() },
    ...{ search, loaderCache: new Map(), warn: () => {} },
  });
}

const ask = async (toolbox: Toolbox) => {
  const find = await toolbox.finder();
  return find('send mail', 3, everything, new Set());
};

suite('the search of a host', () => {
  test('a function loads it once, when somebody searches', async () => {
    let loads = 0;
    const toolbox = toolboxWith(async () => {
      loads++;
      return createLexicalSearch();
    });
    assert.equal(loads, 0);
    const both = await Promise.all([ask(toolbox), ask(toolbox)]);
    assert.deepEqual(
      both.map((hits) => hits.map(({ entry }) => entry.name)),
      [['send_mail'], ['send_mail']],
    );
    assert.equal(loads, 1);
  });

  test('a tool is found by the name of its owner, also where that is no legal name', async () => {
    const names = ['天気_予報', 'files.read', 'Größe ändern', `${'a'.repeat(60)}_weather_report`];
    const load = names.map((name) => ({ name, description: 'A tool.', inputSchema: {} }));
    const group = { groupId: 'mcp:x', toolNames: names, loader: async () => load };
    const toolbox = new Toolbox({
      ...{ tools: [], groups: [group], rules: {}, reserved: new Set() },
      ...{ search: createLexicalSearch(), loaderCache: new Map(), warn: () => {} },
    });
    const find = await toolbox.finder();
    for (const name of names) {
      const [hit] = find(name, 3, everything, new Set());
      assert.deepEqual([hit?.entry.bare, hit?.fits], [name, true]);
      const [same] = find(hit?.entry.shown ?? '', 3, everything, new Set());
      assert.deepEqual([same?.entry.bare, same?.score], [name, 1]);
    }
  });

  test('a failed load fails one search, and the next search tries again', async () => {
    let loads = 0;
    const toolbox = toolboxWith(async () => {
      loads++;
      if (loads === 1) throw new Error('no file');
      return createLexicalSearch();
    });
    await assert.rejects(ask(toolbox), /no file/);
    assert.equal((await ask(toolbox)).length, 1);
  });

  test('that a function cannot create is an error of the option, with the cause', async () => {
    const why = new Error('no net');
    const functions: readonly (readonly [() => unknown, RegExp, unknown])[] = [
      [() => Promise.reject(why), /could not be created: no net\. /, why],
      [
        () => {
          throw why;
        },
        /could not be created: no net\. /,
        why,
      ],
      [async () => null, /could not be created: .*no search/, undefined],
      [async () => ({ index() {} }), /could not be created: .*no search/, undefined],
    ];
    for (const [search, text, cause] of functions)
      await assert.rejects(ask(toolboxWith(search as () => Promise<ToolSearch>)), (error) => {
        assert.ok(error instanceof ToolfoldError);
        assert.deepEqual([error.code, error.cause], ['invalid-option', cause]);
        assert.match(error.message, /The search of the option "search"/);
        assert.match(error.message, text);
        assert.match(error.hint, /`index` and `search`/);
        return true;
      });
  });

  test('that lacks a part of the package names that part', async () => {
    const missing = onDemand(() => Promise.reject(new Error('no chunk')));
    const toolbox = toolboxWith(async () => missing());
    await assert.rejects(ask(toolbox), {
      code: 'missing-dependency',
      message: /^A part of Toolfold could not be loaded: no chunk\. Keep all files/,
    });
  });

  test('documents that `index` did not take are offered again', async () => {
    const inner = createLexicalSearch();
    const offered: string[] = [];
    const toolbox = toolboxWith({
      index(documents) {
        offered.push(...documents.map(({ key }) => key));
        if (offered.length === 1) throw new Error('no room');
        inner.index(documents);
      },
      search: inner.search,
    });
    await assert.rejects(ask(toolbox), /no room/);
    assert.deepEqual(
      (await ask(toolbox)).map(({ entry }) => entry.name),
      ['send_mail'],
    );
    await ask(toolbox);
    assert.deepEqual(offered, ['send_mail', 'send_mail']);
  });

  test('scores without a scale cannot be compared', async () => {
    const { index, search } = createLexicalSearch();
    const [hit] = await ask(toolboxWith({ index, search }));
    assert.equal(hit?.isComparable, false);
    const [scaled] = await ask(toolboxWith(createLexicalSearch()));
    assert.equal(scaled?.isComparable, true);
  });

  test('a view with the key of another one sees only what it allows itself', async () => {
    const find = await toolboxWith(createLexicalSearch()).finder();
    assert.equal(find('send mail', 3, everything, new Set()).length, 1);
    const none = { key: everything.key, allows: () => false };
    assert.deepEqual(find('send mail', 3, none, new Set()), []);
  });
});
