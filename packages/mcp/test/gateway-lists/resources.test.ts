import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Gateway } from '../../src/gateway/gateway.ts';
import type { ServerEntry } from '../../src/index.ts';
import type { Answer, RawClient } from '../gateway/raw-client.test-support.ts';
import { type Json, type Parts, Refused, serveHttp } from '../gateway/raw-server.test-support.ts';
import { openClient, openGateway } from '../gateway/scene.test-support.ts';

const limited = { timeout: 60_000 };

/** What a server lists and knows. */
interface Shelf {
  readonly resources?: readonly string[];
  readonly templates?: readonly string[];
  /** The methods of lists that it does not know. */
  readonly without?: RegExp;
  /** The addresses that its tool `link` answers with. */
  readonly links?: readonly string[];
  /** `all`: it reads what it is asked; `none`: nothing; `silent`: it never answers. */
  readonly reads?: 'all' | 'none' | 'silent';
}

/** Which servers were asked for which address, in order. */
type Asked = (readonly [server: string, uri: unknown])[];

function partsOf(name: string, shelf: Shelf, asked: Asked): Parts {
  const { resources = [], templates = [], links = [], reads = 'all' } = shelf;
  const read = (uri: unknown): Json | Promise<Json> => {
    asked.push([name, uri]);
    if (reads === 'silent') return new Promise(() => {});
    if (reads === 'none') throw new Refused({ code: -32002, message: `${name} has no ${uri}` });
    return { contents: [{ uri, text: `text of ${name}` }] };
  };
  const linked = links.map((uri) => ({ type: 'resource_link', uri, name: 'one' }));
  return {
    capabilities: { tools: {}, resources: {}, prompts: {} },
    handle: ({ method, params }) => {
      if (shelf.without?.test(method)) throw new Refused({ code: -32601, message: 'not found' });
      switch (method) {
        case 'tools/list':
          return { tools: [{ name: 'link', inputSchema: { type: 'object' } }] };
        case 'tools/call':
          return { content: linked };
        case 'resources/list':
          return { resources: resources.map((uri) => ({ uri, name: uri })) };
        case 'resources/templates/list':
          return {
            resourceTemplates: templates.map((uriTemplate) => ({ uriTemplate, name: 't' })),
          };
        case 'prompts/list':
          return { prompts: [{ name: 'link' }] };
        case 'prompts/get':
          return { messages: linked.map((content) => ({ role: 'user', content })) };
        case 'resources/read':
          return read(params.uri);
        default:
          throw new Refused({ code: -32601, message: 'Method not found' });
      }
    },
  };
}

interface Scene {
  readonly client: RawClient;
  readonly gateway: Gateway;
  readonly servers: Readonly<Record<string, ServerEntry>>;
  readonly asked: Asked;
  /** Takes the links of a server from the result of its tool, and returns their addresses for clients. */
  links(server: string): Promise<string[]>;
}

async function scene(
  context: TestContext,
  shelves: Readonly<Record<string, Shelf>>,
): Promise<Scene> {
  const asked: Asked = [];
  const servers: Record<string, ServerEntry> = {};
  for (const [name, shelf] of Object.entries(shelves)) {
    const { url, close } = await serveHttp('legacy', () => partsOf(name, shelf, asked));
    context.after(close);
    servers[name] = { kind: 'http', url, headers: new Map(), secrets: [] };
  }
  const gateway = openGateway(context, servers, { mode: 'eager' });
  const client = await openClient(context, gateway, 'stdio', { era: 'legacy' });
  await client.request('resources/list');
  return {
    ...{ client, gateway, servers, asked },
    links: async (server) => {
      const { result } = await client.call(`${server}__link`);
      const content = result?.content as Json[] | undefined;
      return content?.map(({ uri }) => String(uri)) ?? [];
    },
  };
}

const shown = ({ result, error }: Answer): string => JSON.stringify(result ?? error);

const A = 'shelf://a';
const NOT_FOUND = /Resource not found/;

/** An address that a client reads, who is asked, and what the answer says. */
interface Row {
  readonly name: string;
  readonly shelves: Readonly<Record<string, Shelf>>;
  /** The servers whose links the client gets before. */
  readonly linked?: readonly string[];
  readonly uri: string;
  readonly asks: Asked;
  readonly says: RegExp;
}

const rows: readonly Row[] = [
  {
    name: 'listed once: it goes to its server, although another one lists nothing',
    shelves: { other: {}, own: { resources: [A] } },
    ...{ uri: A, asks: [['own', A]], says: /text of own/ },
  },
  {
    name: 'listed once, failed: the failure is the answer',
    shelves: { own: { resources: [A], reads: 'none' }, other: {} },
    ...{ uri: A, asks: [['own', A]], says: /own has no/ },
  },
  {
    name: 'listed twice: it goes to the first',
    shelves: { one: { resources: [A], reads: 'none' }, two: { resources: [A] } },
    ...{ uri: A, asks: [['one', A]], says: /one has no/ },
  },
  {
    name: 'listed twice: the second has it under its name',
    shelves: { one: { resources: [A] }, two: { resources: [A] } },
    ...{ uri: `toolfold+two:${A}`, asks: [['two', A]], says: /toolfold\+two.*text of two/ },
  },
  {
    name: 'listed once: it does not go to another one that the address names',
    shelves: { own: { resources: [A] }, other: { resources: ['shelf://b'] } },
    ...{ uri: `toolfold+other:${A}`, asks: [], says: NOT_FOUND },
  },
  {
    name: 'template: it goes to its server',
    shelves: { other: { resources: ['shelf://x'] }, own: { templates: ['shelf://{id}'] } },
    ...{ uri: A, asks: [['own', A]], says: /text of own/ },
  },
  {
    name: 'template, failed: the failure is the answer',
    shelves: { own: { templates: ['shelf://{id}'], reads: 'none' }, other: {} },
    ...{ uri: A, asks: [['own', A]], says: /own has no/ },
  },
  {
    name: 'template with a query: it goes to its server',
    shelves: { own: { templates: ['shelf://find{?q}'] }, other: {} },
    uri: 'shelf://find?q=1',
    ...{ asks: [['own', 'shelf://find?q=1']], says: /text of own/ },
  },
  {
    name: 'two templates: it goes to the more exact one',
    shelves: { one: { templates: ['shelf://{id}'] }, two: { templates: ['shelf://a/{id}'] } },
    ...{ uri: 'shelf://a/1', asks: [['two', 'shelf://a/1']], says: /text of two/ },
  },
  {
    name: 'a template and a list: it goes to the one that lists it',
    shelves: { one: { templates: ['shelf://{id}'] }, two: { resources: [A] } },
    ...{ uri: A, asks: [['two', A]], says: /text of two/ },
  },
  {
    name: 'a link: it goes to the server of the result',
    shelves: { other: {}, own: { resources: ['shelf://x'], links: [A] } },
    linked: ['own'],
    ...{ uri: A, asks: [['own', A]], says: /text of own/ },
  },
  {
    name: 'a link with a query, failed: the failure is the answer',
    shelves: { other: {}, own: { links: [`${A}?q=1`], reads: 'none' } },
    linked: ['own'],
    ...{ uri: `${A}?q=1`, asks: [['own', `${A}?q=1`]], says: /own has no/ },
  },
  {
    name: 'a link to what another server lists takes it from nobody',
    shelves: { own: { resources: [A] }, bad: { links: [A] } },
    linked: ['bad'],
    ...{ uri: A, asks: [['own', A]], says: /text of own/ },
  },
  {
    name: 'a link to what another server lists stays a link',
    shelves: { own: { resources: [A] }, bad: { links: [A] } },
    linked: ['bad'],
    ...{ uri: `toolfold+bad:${A}`, asks: [['bad', A]], says: /text of bad/ },
  },
  {
    name: 'a link to a template of another server takes it from nobody',
    shelves: { own: { templates: ['shelf://{id}'] }, bad: { links: [A] } },
    linked: ['bad'],
    ...{ uri: A, asks: [['own', A]], says: /text of own/ },
  },
  {
    name: 'a link that looks like the address of another server leads to that one',
    shelves: {
      one: { resources: [A] },
      two: { resources: [A] },
      bad: { links: [`toolfold+two:${A}`] },
    },
    linked: ['bad'],
    ...{ uri: `toolfold+two:${A}`, asks: [['two', A]], says: /text of two/ },
  },
  {
    name: 'linked twice: it goes to the first',
    shelves: { one: { links: [A] }, two: { links: [A] } },
    linked: ['two', 'one'],
    ...{ uri: A, asks: [['two', A]], says: /text of two/ },
  },
  {
    name: 'unknown: only servers that list nothing are asked',
    shelves: { lists: { resources: ['shelf://x'] }, has: { templates: ['x://{id}'] }, other: {} },
    ...{ uri: A, asks: [['other', A]], says: /text of other/ },
  },
  {
    name: 'unknown: a server that knows no lists is asked',
    shelves: { lists: { resources: ['shelf://x'] }, other: { without: /resources\/.*list/ } },
    ...{ uri: A, asks: [['other', A]], says: /text of other/ },
  },
  {
    name: 'unknown: a server with a template and no list is not asked',
    shelves: { own: { templates: ['x://{id}'], without: /resources\/list/ } },
    ...{ uri: A, asks: [], says: NOT_FOUND },
  },
  {
    name: 'unknown: the next one is asked when one refuses',
    shelves: { one: { reads: 'none' }, two: {} },
    ...{
      uri: A,
      asks: [
        ['one', A],
        ['two', A],
      ],
      says: /text of two/,
    },
  },
  {
    name: 'unknown: the first refusal is the answer',
    shelves: { one: { reads: 'none' }, two: { reads: 'none' } },
    ...{
      uri: A,
      asks: [
        ['one', A],
        ['two', A],
      ],
      says: /one has no/,
    },
  },
  {
    name: 'unknown: a silent server holds nobody up',
    shelves: { one: { reads: 'silent' }, two: {} },
    ...{
      uri: A,
      asks: [
        ['one', A],
        ['two', A],
      ],
      says: /text of two/,
    },
  },
  {
    name: 'unknown: a silent server alone has nothing',
    shelves: { one: { reads: 'silent' } },
    ...{ uri: A, asks: [['one', A]], says: NOT_FOUND },
  },
  {
    name: 'unknown with a query: nobody is asked',
    shelves: { one: {}, two: {} },
    ...{ uri: `${A}?key=secret`, asks: [], says: NOT_FOUND },
  },
  {
    name: 'unknown with a query: the server that it names is not asked',
    shelves: { one: {}, two: {} },
    ...{ uri: `toolfold+two:${A}?key=secret`, asks: [], says: NOT_FOUND },
  },
  {
    name: 'unknown: a server that lists nothing is asked for what names it, and no other',
    shelves: { one: {}, two: {} },
    ...{ uri: `toolfold+two:${A}`, asks: [['two', A]], says: /text of two/ },
  },
];

for (const { name, shelves, linked = [], uri, asks, says } of rows)
  test(`promise 71: a resource that is ${name}`, limited, async (context) => {
    const { client, asked, links } = await scene(context, shelves);
    for (const server of linked) await links(server);
    assert.match(shown(await client.request('resources/read', { uri })), says);
    assert.deepEqual(asked, asks);
  });

test('lists and results name the server of what another one has too', limited, async (context) => {
  const own = { resources: [A], templates: ['shelf://{id}'], links: [A, 'shelf://b'] };
  const { client, links } = await scene(context, { one: own, two: own });
  const two = [`toolfold+two:${A}`, 'toolfold+two:shelf://b'];
  assert.deepEqual(await links('one'), [A, 'shelf://b']);
  assert.deepEqual(await links('two'), two);
  const { result } = await client.request('prompts/get', { name: 'two__link' });
  const messages = result?.messages as { content: Json }[];
  assert.deepEqual(
    messages.map(({ content }) => content.uri),
    two,
  );
  const lists = await Promise.all(
    ['resources/list', 'resources/templates/list'].map((method) => client.request(method)),
  );
  assert.match(shown(lists[0] ?? {}), /"toolfold\+two:shelf:\/\/a"/);
  assert.match(shown(lists[1] ?? {}), /"toolfold\+two:shelf:\/\/\{id\}"/);
});

test(
  'an address keeps its meaning when a server comes that has it too',
  limited,
  async (context) => {
    const shelves = { one: { resources: [A] }, two: { resources: [A] } };
    const { client, gateway, servers, asked } = await scene(context, shelves);
    const { one, two } = servers;
    assert.ok(one && two);
    const list = async (): Promise<string> => shown(await client.request('resources/list'));
    const taken = (...given: [string, ServerEntry][]): Promise<void> =>
      gateway.update({ servers: new Map(given), settings: undefined });
    await taken(['two', two]);
    assert.doesNotMatch(await list(), /toolfold/);
    await taken(['one', one], ['two', two]);
    while (!(await list()).includes(`toolfold+one:${A}`));
    await client.request('resources/read', { uri: A });
    await taken(['one', one]);
    await client.request('resources/read', { uri: A });
    assert.deepEqual(asked, [
      ['two', A],
      ['one', A],
    ]);
  },
);
