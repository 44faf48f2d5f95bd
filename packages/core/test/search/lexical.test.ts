import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { isQuick } from '@toolfold/testing/test/combinations.test-support.ts';
import fc from 'fast-check';
import { WEIGHTS } from '../../src/search/fields.ts';
import type { SearchHit, ToolDocument } from '../../src/search/tool-search.ts';
import { createLexicalSearch } from '../../src/search.ts';

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
    const equals = ['c', '\u{1f600}', 'b', '\uff5a'].map((key, i) => ({
      ...tool('', 'list', `${i}`),
      key,
    }));
    assert.deepEqual(keysFound(equals, 'list'), ['b', 'c', '\uff5a', '\u{1f600}']);
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

suite('on a page of hits', () => {
  const fetches = ['a', 'b', 'c'].map((group) => tool(group, 'fetch', 'Fetch a page', 'url'));

  test('tools with the same text are one hit that names the others', () => {
    const hits = searchIn([...fetches, ...office], 'fetch page');
    assert.deepEqual(
      hits.map(({ key, twins }) => [key, twins]),
      [['a__fetch', ['b__fetch', 'c__fetch']]],
    );
  });

  test('a query that names a group gets the twin of that group', () => {
    const [first] = searchIn([...fetches, ...office], 'fetch page with b');
    assert.equal(first?.key, 'b__fetch');
  });

  test('a hidden twin is not named', () => {
    const [first] = searchIn(fetches, 'fetch page', (key) => key !== 'b__fetch');
    assert.deepEqual(first?.twins, ['c__fetch']);
  });

  test('tools that differ in their names alone do not take all places', () => {
    const copies = ['one', 'two', 'three'].map((name) =>
      tool(name, `${name}_letter`, 'Sends a letter to somebody.', 'to'),
    );
    const other = tool('post', 'post_letter', 'Posts a letter to somebody.', 'to');
    const keys = keysFound([...copies, other, ...office], 'a letter to somebody');
    assert.deepEqual(keys.slice(0, 4), [
      'one__one_letter',
      'post__post_letter',
      'three__three_letter',
      'two__two_letter',
    ]);
  });

  test('a weak hit does not replace a good one with the text of another', () => {
    const copies = ['one', 'two'].map((name) =>
      tool(name, `${name}_letter`, 'Sends a letter to somebody.', 'to'),
    );
    const weak = tool('phone', 'call', 'Call somebody who may be a contact');
    const keys = keysFound([weak, ...copies], 'a letter to somebody');
    assert.deepEqual(keys, ['one__one_letter', 'two__two_letter', 'phone__call']);
  });
});

suite('a query', () => {
  test('with mistyped words finds what was meant', () => {
    assert.equal(keysFound(office, 'calender appointmnet')[0], 'calendar__createEvent');
    assert.deepEqual(keysFound(office, 'boby xyz'), []);
  });

  test('with a wrong first letter finds what was meant', () => {
    for (const query of ['walendar', 'alendar', 'xcalendar', 'aclendar'])
      assert.equal(keysFound(office, query)[0], 'calendar__createEvent', query);
  });

  test('with a known word is not repaired', () => {
    const documents = [tool('a', 'print_page', 'Print a page'), tool('b', 'paint', 'Paint')];
    assert.deepEqual(keysFound(documents, 'paint'), ['b__paint']);
  });

  test('that begins with another verb for the same thing prefers the tool that does it', () => {
    const graph = [
      tool('graph', 'get_nodes', 'Gives nodes by name'),
      tool('graph', 'delete_nodes', 'Takes nodes out by name'),
    ];
    assert.equal(keysFound(graph, 'erase nodes')[0], 'graph__delete_nodes');
    assert.equal(keysFound(graph, 'retrieve nodes')[0], 'graph__get_nodes');
    assert.deepEqual(keysFound(graph, 'erase'), ['graph__delete_nodes']);
    assert.deepEqual(keysFound(graph, 'bobby erase'), []);
  });

  test('for several things finds tools for each', () => {
    const query =
      'Create an issue in the github repository about the broken build, then send an e-mail message to the people in charge';
    const found = keysFound(office, query).slice(0, 3);
    assert.ok(found.includes('github__create_issue') && found.includes('mail__send-mail'));
  });

  test('with a clause that no tool answers finds tools for the others', () => {
    const query =
      'Create an issue in the github repository about the broken build, zeppelin quux zyzzyva';
    const [first] = searchIn(office, query);
    assert.equal(first?.key, 'github__create_issue');
    assert.ok((first?.score ?? 0) > 0);
  });
});

suite('an explained search', () => {
  const explained = (query: string) => {
    const search = createLexicalSearch();
    search.index(office);
    return search.search(query, { limit: 3, allows: all, explain: true });
  };

  test('says which words in which fields made a hit', () => {
    const why = explained('send mails subjct zeppelin')[0]?.why;
    assert.deepEqual(why?.unknown, ['zeppelin']);
    assert.deepEqual(
      why?.words.map(({ word, repaired, fields }) => [word, repaired, fields]).sort(),
      [
        ['mails', undefined, ['name', 'group', 'description']],
        ['send', undefined, ['name', 'description']],
        ['subjct', 'subject', ['parameter names']],
      ],
    );
    const sum = why?.words.reduce((total, { share }) => total + share, 0) ?? 0;
    assert.ok(Math.abs(sum - 1) < 1e-9);
  });

  test('says that the query is a name', () => {
    assert.equal(explained('create_issue')[0]?.why?.name, 'whole');
    assert.equal(explained('issue comment')[0]?.why?.name, 'end');
  });

  test('has the hits of a search that is not', () => {
    const search = createLexicalSearch();
    search.index(office);
    const plain = search.search('new issue', { limit: 3, allows: all });
    assert.deepEqual(
      explained('new issue').map(({ why: _, ...hit }) => hit),
      plain,
    );
  });
});

test('a key that is refused later is not returned, even if the function is the same', () => {
  const search = createLexicalSearch();
  search.index(office);
  let isOpen = true;
  const allows = () => isOpen;
  assert.ok(search.search('issue', { limit: 3, allows }).length > 0);
  isOpen = false;
  assert.deepEqual(search.search('issue', { limit: 3, allows }), []);
});

test('a tool that was allowed and is not any more makes no score', () => {
  const search = createLexicalSearch();
  search.index([
    { key: 'a', group: 'g', name: 'issue_calendar', description: 'list open open invoice' },
    { key: 'b', group: 'g', name: 'weather_label', description: 'calendar invoice weather open' },
    { key: 'c', group: 'g', name: 'weather_weather', description: 'open list weather weather' },
  ]);
  let isOpen = true;
  const allows = (key: string) => isOpen || key !== 'b';
  const scores = (allowed: (key: string) => boolean) =>
    search
      .search('weather open calendar list', { limit: 3, allows: allowed })
      .map(({ key, score }) => [key, score]);
  assert.equal(scores(allows).length, 3);
  isOpen = false;
  assert.deepEqual(
    scores(allows),
    scores((key) => key !== 'b'),
  );
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

const RUNS = { numRuns: isQuick ? 25 : 100 };

suite('properties', () => {
  test('a hidden document leaves no trace, not even in a score', () => {
    fc.assert(
      fc.property(documents, query, fc.func(fc.boolean()), (list, text, allows) => {
        const visible = list.filter(({ key }) => allows(key));
        assert.deepEqual(searchIn(list, text, allows), searchIn(visible, text));
      }),
      RUNS,
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
      RUNS,
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
      RUNS,
    );
  });

  test('hits without groups are the best of the full answer, in order', () => {
    fc.assert(
      fc.property(documents, query, fc.nat(5), (list, text, limit) => {
        const loose = list.map((item) => ({ ...item, group: '' }));
        const full = searchIn(loose, text, all, Number.POSITIVE_INFINITY);
        assert.deepEqual(searchIn(loose, text, all, limit), full.slice(0, limit));
      }),
      RUNS,
    );
  });

  test('the relevance of a hit by name does not depend on the limit', () => {
    const named = tool('', 'create', 'create');
    const rated = { ...tool('', 'create create', 'create'), key: 'rated best' };
    const [first, second] = searchIn([named, rated], 'create');
    assert.deepEqual([first?.key, second?.key], [named.key, rated.key]);
    assert.ok((first?.relevance ?? 1) < 1 && second?.relevance === 1);
    assert.deepEqual(searchIn([named, rated], 'create', all, 1), [first]);
  });

  test('hits are each key once, with scores that never rise', () => {
    fc.assert(
      fc.property(documents, query, fc.nat(5), (list, text, limit) => {
        const hits = searchIn(list, text, all, limit);
        assert.ok(hits.length <= limit);
        const keys = hits.flatMap(({ key, twins = [] }) => [key, ...twins]);
        assert.equal(new Set(keys).size, keys.length);
        for (const [i, { score }] of hits.entries())
          assert.ok(score > 0 && score <= (hits[i - 1]?.score ?? 3));
      }),
      RUNS,
    );
  });
});

suite('a stored index', () => {
  const stored = () => {
    const search = createLexicalSearch();
    search.index(office);
    return search.store?.() ?? new Uint8Array(0);
  };

  test('gives the same hits, and takes changes', () => {
    const search = createLexicalSearch({ stored: stored() });
    const hits = (query: string) => search.search(query, { limit: 5, allows: all, explain: true });
    const fresh = createLexicalSearch();
    fresh.index(office);
    const expected = (query: string) =>
      fresh.search(query, { limit: 5, allows: all, explain: true });
    for (const query of ['new issue', '创建任务', 'create_issue', 'calender']) {
      assert.deepEqual(hits(query), expected(query));
    }
    const renamed = tool('mail', 'send-mail', 'Launch a rocket');
    search.index([renamed, ...office.filter(({ key }) => key !== renamed.key)]);
    fresh.index([renamed]);
    for (const query of ['rocket', 'new issue']) assert.deepEqual(hits(query), expected(query));
  });

  test('that is damaged, cut off or of other weights is refused', () => {
    const bytes = stored();
    const others = { ...WEIGHTS, exact: 0.1 };
    const code = 'invalid-option';
    for (const at of [0, 4, 8, 12, 40, bytes.length - 1]) {
      const damaged = bytes.slice();
      damaged[at] = (damaged[at] ?? 0) ^ 0xff;
      assert.throws(() => createLexicalSearch({ stored: damaged }), { code });
    }
    for (const length of [0, 10, 200])
      assert.throws(() => createLexicalSearch({ stored: bytes.slice(0, length) }), { code });
    assert.throws(() => createLexicalSearch({ stored: bytes, weights: others }), { code });
  });
});
