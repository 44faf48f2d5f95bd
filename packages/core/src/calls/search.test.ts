import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { fakeGroup } from '@toolfold/testing/internal/doubles/fake-group.ts';
import { Conversation } from '../../test/conversation.test-support.ts';
import { createLexicalSearch, type ToolSearch } from '../search.ts';
import { createToolLayer } from '../session/layer.ts';
import type { ToolLayerOptions } from '../session/options.ts';
import type { Tool } from '../tool/tool.ts';

function tool(name: string, description: string, ...parameters: string[]): Tool {
  const properties = Object.fromEntries(
    parameters.map((parameter) => [
      parameter,
      { type: 'string', description: `The ${parameter}, and a sentence about it.` },
    ]),
  );
  return {
    name,
    description,
    inputSchema: { type: 'object', properties, required: parameters.slice(0, 1) },
  };
}

const groups = [
  fakeGroup({
    groupId: 'mcp:github',
    tools: [
      tool('create_issue', 'Create an issue in a repository', 'repo', 'title', 'body', 'labels'),
      tool('list_issues', 'List the issues of a repository', 'repo', 'state'),
      tool('close_issue', 'Close an issue of a repository', 'repo', 'number'),
    ],
  }),
  fakeGroup({
    groupId: 'mcp:mail',
    tools: [tool('send_mail', 'Send a message to people', 'to', 'subject', 'text')],
  }),
  fakeGroup({ groupId: 'mcp:web', tools: [tool('fetch', 'Fetch a page', 'url')] }),
  fakeGroup({ groupId: 'mcp:net', tools: [tool('fetch', 'Fetch a page', 'url')] }),
];

type Match = Readonly<Record<string, unknown>>;

async function ask(input: object, options: ToolLayerOptions = {}) {
  const layer = createToolLayer({ groups, strategy: 'bridge', ...options });
  return new Conversation(layer.session()).answer('tool_search', input);
}

const matches = (result: unknown): readonly Match[] => Object(result).matches;

suite('a search by the model', () => {
  test('gives a schema or a signature for each hit', async () => {
    const found = matches(await ask({ query: 'issue' }, { limits: { search: 60 } }));
    assert.equal(found.length, 3);
    for (const { parameters, signature } of found)
      assert.equal(parameters === undefined, typeof signature === 'string');
    const creating = found.find(({ name }) => name === 'github__create_issue');
    assert.equal(
      creating?.signature,
      'repo: string, title?: string, body?: string, labels?: string',
    );
    assert.ok(found.some(({ parameters }) => parameters !== undefined));
  });

  test('for several needs gives each its schemas in turn, and a tool once', async () => {
    const queries = ['create github issue', 'send mail', 'issue'];
    const answer = await ask({ queries }, { limits: { search: 170 } });
    const [create = [], send = [], issue = []] = Object(answer.results).map(matches);
    assert.equal(create[0]?.name, 'github__create_issue');
    assert.ok(create[0]?.parameters !== undefined && send[0]?.parameters !== undefined);
    const again = issue.find(({ name }: Match) => name === 'github__create_issue');
    assert.deepEqual(again, { name: 'github__create_issue' });
  });

  test('takes an empty `query` or `queries` for none', async () => {
    for (const queries of [[], [' '], '', null]) {
      const answer = await ask({ query: 'send mail', queries });
      assert.equal(answer.query, 'send mail');
      assert.equal(matches(answer)[0]?.name, 'mail__send_mail');
    }
    for (const query of ['', ' ', null]) {
      const { results } = await ask({ query, queries: ['send mail'] });
      assert.equal(matches(Object(results)[0])[0]?.name, 'mail__send_mail');
    }
    assert.equal((await ask({ query: '', queries: [] })).error, 'missing_query');
  });

  test('searches for `query` and `queries` where both are filled, and for equal ones once', async () => {
    const cases: readonly (readonly [unknown, readonly string[]])[] = [
      [
        ['fetch page', 'issue'],
        ['send mail', 'fetch page', 'issue'],
      ],
      [
        ['fetch page', ' send mail', 'fetch page'],
        ['send mail', 'fetch page'],
      ],
      [['send mail'], ['send mail']],
      ['fetch page', ['send mail', 'fetch page']],
    ];
    for (const [queries, searched] of cases) {
      const { results, ignored_queries } = await ask({ query: 'send mail', queries });
      assert.deepEqual(
        Object(results).map(({ query }: Match) => query),
        searched,
      );
      assert.equal(ignored_queries, undefined);
    }
    const many = Array.from({ length: 9 }, (_, i) => `need ${i % 8}`);
    const { results, ignored_queries } = await ask({ query: 'send mail', queries: many });
    assert.deepEqual([Object(results).length, ignored_queries], [7, 2]);
  });

  test('says that parts of a long query were read', async () => {
    const letter = 'The garden was quiet and nobody came by. '.repeat(60);
    const answer = await ask({ query: `${letter}Can you create an issue in the repository?` });
    assert.equal(matches(answer)[0]?.name, 'github__create_issue');
    assert.match(String(answer.next), /too long/);
  });

  test('says so also where nothing is found, and however often the model searches', async () => {
    const letter = 'Der Garten war still. '.repeat(100);
    const conversation = new Conversation(
      createToolLayer({ groups, strategy: 'bridge' }).session(),
    );
    for (let time = 1; time <= 5; time++) {
      const answer = await conversation.answer('tool_search', { query: `${letter}${time}` });
      assert.deepEqual(matches(answer), []);
      assert.match(String(answer.next), /^A query was too long/);
      assert.match(String(answer.next), time > 3 ? /searches in a row/ : /two to six words/);
    }
    const short = await conversation.answer('tool_search', { query: 'issue' });
    assert.match(String(short.next), /^6 searches/);
  });

  test('does not say so of a query that was read as a whole', async () => {
    const need = 'create an issue';
    const queries = {
      'in JSON': JSON.stringify({ query: need, context: 'y'.repeat(1_200) }),
      'in indented JSON': `{\n${' '.repeat(1_200)}"query": "${need}"\n}`,
      'with spaces': need.replaceAll(' ', ' '.repeat(1_200)),
      'with very many spaces': need.replace(' an ', ' '.repeat(30_000)),
    };
    for (const [where, query] of Object.entries(queries)) {
      const answer = await ask({ query });
      assert.equal(matches(answer)[0]?.name, 'github__create_issue', where);
      assert.equal(answer.next, undefined, where);
    }
    const long = await ask({
      query: JSON.stringify({ query: need, context: 'y '.repeat(30_000) }),
    });
    assert.match(String(long.next), /too long/);
  });

  test('asks an own search whether it reads a query as a whole', async () => {
    const { index, search } = createLexicalSearch();
    const nextOf = async (given: Partial<ToolSearch>) =>
      String((await ask({ query: 'create issue' }, { search: { index, search, ...given } })).next);
    assert.doesNotMatch(await nextOf({}), /too long/);
    assert.match(await nextOf({ isCut: (query) => query === 'create issue' }), /too long/);
    assert.doesNotMatch(await nextOf({ isCut: () => false }), /too long/);
  });

  test('says that perhaps nothing fits, beside the first hits without their schemas', async () => {
    const answer = await ask({ query: 'create playlist' });
    const near = matches(answer);
    assert.equal(near[0]?.name, 'github__create_issue');
    assert.ok(near.length <= 3 && near.every((one: Match) => one.parameters === undefined));
    assert.match(String(answer.doubt), /no tool fits/);
    assert.match(String(answer.next), /doubt/);
  });

  test('loads no group for hits that perhaps do not fit', async () => {
    const group = fakeGroup({
      groupId: 'mcp:forge',
      tools: [tool('create_issue', 'Create an issue')],
    });
    const answer = await ask({ query: 'create playlist' }, { groups: [group] });
    assert.equal(matches(answer)[0]?.name, 'forge__create_issue');
    assert.match(String(answer.doubt), /no tool fits/);
    assert.equal(group.loads, 0);
    await ask({ query: 'create issue' }, { groups: [group] });
    assert.equal(group.loads, 1);
  });

  test('does not judge with a search that has no scale', async () => {
    const keys: string[] = [];
    const search = {
      index: (documents: readonly { key: string }[]) => {
        keys.push(...documents.map(({ key }) => key));
      },
      search: () => [{ key: keys[0] ?? '', score: 0.001 }],
    };
    const answer = await ask({ query: 'anything' }, { search });
    assert.equal(matches(answer).length, 1);
  });

  test('names tools with the same text in one hit', async () => {
    const [first] = matches(await ask({ query: 'fetch page' }));
    assert.equal(first?.name, 'net__fetch');
    assert.deepEqual(first?.same_as, ['web__fetch']);
  });

  test('does not name a twin that the role may not see', async () => {
    const layer = createToolLayer({
      groups,
      strategy: 'bridge',
      roles: { net: { tools: ['net__*'] } },
    });
    const conversation = new Conversation(layer.session({ role: 'net' }));
    const [first] = matches(await conversation.answer('tool_search', { query: 'fetch page' }));
    assert.equal(first?.name, 'net__fetch');
    assert.equal(first?.same_as, undefined);
  });
});
