import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { createLexicalSearch } from './lexical.ts';
import type { SearchHit, ToolDocument } from './tool-search.ts';

const all = (): boolean => true;

function searchIn(
  documents: readonly ToolDocument[],
  query: string,
  allows: (key: string) => boolean = all,
  limit = 10,
): readonly SearchHit[] {
  const search = createLexicalSearch();
  search.index(documents);
  return search.search(query, { limit, allows });
}

function keysFound(documents: readonly ToolDocument[], query: string): string[] {
  return searchIn(documents, query).map(({ key }) => key);
}

function tool(
  group: string,
  name: string,
  description = '',
  ...parameters: string[]
): ToolDocument {
  return {
    key: `${group}__${name}`,
    name,
    group,
    description,
    parameters: parameters.map((parameter) => ({ name: parameter })),
  };
}

const office = [
  tool('github', 'create_issue', 'Create a new issue in a repository', 'owner', 'repo', 'title'),
  tool('github', 'list_issues', 'List the issues of a repository', 'owner', 'repo', 'labels'),
  tool('github', 'create_issue_comment', 'Comment on an issue', 'issue_number', 'body'),
  tool('gitlab', 'create_issue', 'Create a new issue in a project', 'project_id', 'title'),
  tool('mail', 'send-mail', 'Send an e-mail message to one or more people', 'to', 'subject'),
  tool('calendar', 'createEvent', 'Put an appointment into a calendar', 'start', 'attendees'),
  tool('YouTube', 'search', 'Find videos', 'query'),
  tool('任务', 'zh_create', '在项目中创建一个新任务'),
];

suite('what is found', () => {
  test('by name, group, description or parameter', () => {
    assert.equal(keysFound(office, 'send mail')[0], 'mail__send-mail');
    assert.equal(keysFound(office, 'new gitlab issue')[0], 'gitlab__create_issue');
    assert.equal(keysFound(office, 'appointment')[0], 'calendar__createEvent');
    assert.deepEqual(keysFound(office, 'attendees'), ['calendar__createEvent']);
    assert.deepEqual(keysFound(office, 'youtube'), ['YouTube__search']);
    assert.deepEqual(keysFound(office, '创建任务'), ['任务__zh_create']);
  });

  test('whatever the grammar and politeness of the request', () => {
    const request = 'Could you please help me? I want to be creating events in my calendars.';
    assert.equal(keysFound(office, request)[0], 'calendar__createEvent');
  });

  test('a tool named like a stop word by its name', () => {
    const help = tool('cli', 'help', 'Print usage');
    assert.deepEqual(keysFound([...office, help], 'help'), ['cli__help']);
  });

  test('the whole name first, then the end of a name, then words', () => {
    const boasting = tool('noise', 'best', 'create issue create issue create issue create issue');
    const prefixed = tool('other', 'bulk_create_issue', 'Something else');
    const hits = searchIn([boasting, prefixed, ...office], 'create_issue');
    assert.deepEqual(
      hits.slice(0, 3).map(({ key }) => key),
      ['github__create_issue', 'gitlab__create_issue', 'other__bulk_create_issue'],
    );
    assert.equal(keysFound(office, 'gitlab__create_issue')[0], 'gitlab__create_issue');
    assert.equal(keysFound(office, 'createIssueComment')[0], 'github__create_issue_comment');
  });

  test('more of the query before more of one word', () => {
    const documents = [
      tool('a', 'invoice_archive', 'Invoice of an invoice of an invoice'),
      tool(
        'b',
        'y',
        'Sort, file, export or print an invoice, a letter or anything else that is text',
      ),
      tool('c', 'print', 'export'),
      tool('d', 'z', 'export'),
    ];
    assert.equal(keysFound(documents, 'export print invoice')[0], 'b__y');
  });

  test('by key where scores are equal', () => {
    const twins = ['c', '\u{1f600}', 'b', '\uff5a'].map((key) => ({ ...tool('g', 'list'), key }));
    assert.deepEqual(keysFound(twins, 'list'), ['b', 'c', '\uff5a', '\u{1f600}']);
  });

  test('nothing for nothing', () => {
    assert.deepEqual(keysFound(office, ''), []);
    assert.deepEqual(keysFound(office, ' \0 --- '), []);
    assert.deepEqual(keysFound(office, 'zzzz'), []);
    assert.deepEqual(keysFound([], 'issue'), []);
    assert.deepEqual(searchIn(office, 'issue', all, 0), []);
    assert.deepEqual(
      searchIn(office, 'issue', () => false),
      [],
    );
  });
});

suite('hostile text', () => {
  test('names that objects have anyway are names', () => {
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      const document = tool(name, name, name, name);
      assert.deepEqual(keysFound([document, ...office], name), [document.key]);
      assert.deepEqual(keysFound(office, name), []);
    }
  });

  test('huge, broken and odd text does no harm', () => {
    const huge = 'Issue_'.repeat(100_000);
    const odd = ['\ud800', '\0\u202e\n', 'A'.repeat(1_000_000), '😀'.repeat(10_000), huge];
    const documents = odd.map((text, i) => ({ ...tool(text, text, text, text), key: `odd${i}` }));
    for (const query of [...odd, 'issue']) {
      const hits = searchIn([...documents, ...office], query);
      assert.ok(hits.every(({ score }) => Number.isFinite(score) && score > 0));
    }
    assert.ok(
      keysFound([...documents, ...office], 'create issue').includes('github__create_issue'),
    );
  });
});

const word = fc.constantFrom(
  ...'create delete list get issue file mail user GitHub repo 任务 __proto__ the'.split(' '),
);
const words = (maxLength: number) =>
  fc.array(word, { minLength: 1, maxLength }).map((list) => list.join(' '));
const document = fc.record({
  key: fc.string({ minLength: 1, maxLength: 3, unit: fc.constantFrom('a', 'b', 'ｚ', '😀') }),
  name: words(3),
  group: words(1),
  description: words(30),
  parameters: fc.array(fc.record({ name: words(2), description: words(4) }), { maxLength: 3 }),
});
const documents = fc.uniqueArray(document, { maxLength: 15, selector: ({ key }) => key });
const query = fc.oneof(words(6), fc.string({ unit: 'binary' }));

suite('properties', () => {
  test('a hidden document leaves no trace, not even in a score', () => {
    fc.assert(
      fc.property(documents, query, fc.func(fc.boolean()), (list, text, allows) => {
        const visible = list.filter(({ key }) => allows(key));
        assert.deepEqual(searchIn(list, text, allows), searchIn(visible, text));
      }),
    );
  });

  test('the order of indexing, and in how many goes, does not matter', () => {
    const shuffled = documents.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
    );
    fc.assert(
      fc.property(shuffled, query, ([list, other], text) => {
        const oneByOne = createLexicalSearch();
        for (const item of other) oneByOne.index([item]);
        const hits = oneByOne.search(text, { limit: 10, allows: all });
        assert.deepEqual(hits, searchIn(list, text));
      }),
    );
  });

  test('a document indexed again is replaced, however often', () => {
    const rounds = fc.array(documents, { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(rounds, query, (lists, text) => {
        const search = createLexicalSearch();
        for (const list of lists) search.index(list);
        const last = new Map(lists.flat().map((item) => [item.key, item]));
        const hits = search.search(text, { limit: 10, allows: all });
        assert.deepEqual(hits, searchIn([...last.values()], text));
      }),
    );
  });

  test('hits are the best of the full answer, in order, each key once', () => {
    fc.assert(
      fc.property(documents, query, fc.nat(5), (list, text, limit) => {
        const full = searchIn(list, text, all, Number.POSITIVE_INFINITY);
        assert.deepEqual(searchIn(list, text, all, limit), full.slice(0, limit));
        assert.equal(new Set(full.map(({ key }) => key)).size, full.length);
        for (const [i, { score }] of full.entries()) {
          assert.ok(score > 0 && score <= (full[i - 1]?.score ?? 3));
        }
      }),
    );
  });
});
