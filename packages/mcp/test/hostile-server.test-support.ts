import { closeSync } from 'node:fs';
import { createInterface } from 'node:readline';

/** The texts that a hostile server writes instead of an answer. */
export type Texts = Iterable<string>;

/** The misbehaviour of a server, by phase of the protocol. */
export interface Mode {
  /** Before anything else. */
  readonly begin?: () => void;
  readonly initialize?: (id: string) => Texts;
  readonly list?: (id: string, cursor: string | undefined) => Texts;
  readonly call?: (id: string) => Texts;
  /** Does not end when stdin closes or SIGTERM arrives. */
  readonly isStubborn?: boolean;
}

/** Secrets in the entry of every hostile server. The server repeats them wherever it can. */
export const ENV_SECRET = 'env-hunter2/secret';
export const FLAG_SECRET = 'flag-hunter2-secret';
const said = `${ENV_SECRET} ${FLAG_SECRET} ${encodeURIComponent(ENV_SECRET)} ${Buffer.from(ENV_SECRET).toString('base64')}`;

const response = (id: string, rest: string): string => `{"jsonrpc":"2.0","id":${id},${rest}}`;
const result = (id: string, json: string): string => response(id, `"result":${json}`);
const deep = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
const deepList = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const tools = (...list: string[]): string => `{"tools":[${list.join()}]}`;
const tool = (name: string, schema = '{"type":"object"}'): string =>
  `{"name":${JSON.stringify(name)},"inputSchema":${schema}}`;
const notification = (method: string): string =>
  `{"jsonrpc":"2.0","method":"notifications/${method}","params":{"progressToken":1,"progress":1,"level":"info","data":"x"}}`;
const initialized = (rest = ''): string =>
  `{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"h","version":"1"}${rest}}`;

function* storm(count: number, text: string, ...last: string[]): Texts {
  for (let i = 0; i < count; i++) yield text;
  yield* last;
}

const fine = (id: string): string => result(id, '{"content":[{"type":"text","text":"fine"}]}');

/** The default behaviour of a mode. */
const healthy: Required<Pick<Mode, 'initialize' | 'list' | 'call'>> = {
  initialize: (id) => [result(id, initialized())],
  list: (id) => [result(id, tools(tool('fine')))],
  call: (id) => [fine(id)],
};

const answers = (make: (id: string) => string): Pick<Mode, 'call'> => ({
  call: (id) => [make(id)],
});

export const modes: Readonly<Record<string, Mode>> = {
  healthy: {},
  // At the beginning.
  'says its secrets and ends': {
    begin: () => {
      process.stderr.write(`bad key ${said}\n`, () => process.exit(1));
    },
  },
  'initialize: null': { initialize: (id) => [result(id, 'null')] },
  'initialize: an error with secrets': {
    initialize: (id) => [
      response(id, `"error":{"code":"E","message":"${said}","data":["${said}"]}`),
    ],
  },
  'initialize: an unknown version': {
    initialize: (id) => [
      result(
        id,
        `{"protocolVersion":"${said}","capabilities":{},"serverInfo":{"name":"h","version":"1"}}`,
      ),
    ],
  },
  'initialize: capabilities 100,000 levels deep': {
    initialize: (id) => [result(id, `{"capabilities":${deep(100_000)}}`)],
  },
  'initialize: capabilities 1,000 levels deep': {
    initialize: (id) => [result(id, initialized(`,"x":${deep(1000)}`))],
  },
  'initialize: 2 million objects': {
    initialize: (id) => [result(id, `{"capabilities":{"x":[${'{},'.repeat(2e6)}1]}}`)],
  },
  'initialize: instructions that take for ever to read': {
    initialize: (id) => [result(id, initialized(`,"instructions":"${'\u2028'.repeat(2e5)}x"`))],
  },
  'initialize: a flood of stderr': {
    initialize: (id) => {
      for (let i = 0; i < 20; i++) process.stderr.write(`${said} ${'e'.repeat(1e5)}\n`);
      return [result(id, initialized())];
    },
  },
  'initialize: more than a million blank lines first': {
    initialize: (id) => ['\n'.repeat(1_100_000), result(id, initialized())],
  },
  'initialize: twice': {
    initialize: (id) => [result(id, initialized()), result(id, initialized())],
  },
  'initialize: a list': { initialize: (id) => [result(id, '[]')] },
  'initialize: a version that is a number': {
    initialize: (id) => [result(id, initialized().replace('"2025-11-25"', '20251125'))],
  },
  'initialize: capabilities null': {
    initialize: (id) => [
      result(id, initialized().replace(/"capabilities":.*?}}/, '"capabilities":null')),
    ],
  },
  'initialize: requests first, with the same id': {
    initialize: (id) => [
      ...['roots/list', 'ping'].map(
        (method) => `{"jsonrpc":"2.0","id":${id},"method":"${method}"}`,
      ),
      result(id, initialized()),
    ],
  },
  // At the listing.
  'list: no tools': { list: (id) => [result(id, '{}')] },
  'list: an object of tools': { list: (id) => [result(id, `{"tools":{"a":${tool('fine')}}}`)] },
  'list: schemas that are none': {
    list: (id) => [
      result(id, tools('{"name":"none"}', tool('null', 'null'), tool('fine', 'true'))),
    ],
  },
  'list: odd names': {
    list: (id) => [
      result(
        id,
        tools(...['', 'a b/ü.😀', '__proto__', 'constructor', 'fine'].map((name) => tool(name))),
      ),
    ],
  },
  'list: a cursor that is a number': {
    list: (id) => [result(id, `{"tools":[${tool('fine')}],"nextCursor":3}`)],
  },
  'list: an empty cursor': {
    list: (id) => [result(id, `{"tools":[${tool('fine')}],"nextCursor":""}`)],
  },
  'list: a schema 3,000 levels deep': {
    list: (id) => [result(id, tools(tool('fine'), tool('deep', deep(3000))))],
  },
  'list: a schema of lists 9,000 levels deep': {
    list: (id) => [result(id, tools(tool('deep', `{"enum":${deepList(9000)}}`), tool('fine')))],
  },
  'list: _meta and annotations 5,000 levels deep': {
    list: (id) => [
      result(
        id,
        tools(`{"name":"deep","_meta":${deep(5000)},"annotations":${deep(5000)}}`, tool('fine')),
      ),
    ],
  },
  'list: pages of 2 MB without end': {
    list: (id, cursor = '0') => [
      result(
        id,
        `{"tools":[{"name":"t${cursor}","description":"${'d'.repeat(2e6)}"}],"nextCursor":"${Number(cursor) + 1}"}`,
      ),
    ],
  },
  'list: empty pages without end': {
    list: (id, cursor = '0') => [result(id, `{"tools":[],"nextCursor":"${Number(cursor) + 1}"}`)],
  },
  'list: a cursor that repeats': {
    list: (id) => [result(id, `{"tools":[${tool('fine')}],"nextCursor":"again"}`)],
  },
  'list: cursors of 9 MB': {
    list: (id, cursor = '') => [
      result(id, `{"tools":[${tool('fine')}],"nextCursor":"${cursor.length}${'c'.repeat(9e6)}"}`),
    ],
  },
  'list: 300,000 entries that are no tools': {
    list: (id) => [result(id, `{"tools":[${'null,'.repeat(3e5)}${tool('fine')}]}`)],
  },
  'list: 20,000 tools': {
    list: (id) => [result(id, tools(...Array.from({ length: 20_000 }, (_, i) => tool(`t${i}`))))],
  },
  'list: names with secrets, twice, and of 1 MB': {
    list: (id) => [result(id, tools(tool(said), tool(said), tool('n'.repeat(1e6)), tool('fine')))],
  },
  'list: a deep schema in a result that says it is an error': {
    list: (id) => [
      result(id, `{"isError":true,${tools(tool('deep', deep(9000)), tool('fine')).slice(1)}`),
    ],
  },
  'list: null': { list: (id) => [result(id, 'null')] },
  'list: an error with secrets': {
    list: (id) => [response(id, `"error":{"code":-1,"message":"no ${said}"}`)],
  },
  'list: a storm of notifications first': {
    list: (id) =>
      storm(20_000, notification('tools/list_changed'), result(id, tools(tool('fine')))),
  },
  // At a call.
  'call: result null': answers((id) => result(id, 'null')),
  'call: result a text': answers((id) => result(id, JSON.stringify(said))),
  'call: neither result nor error': answers((id) => `{"jsonrpc":"2.0","id":${id}}`),
  'call: result and error': answers((id) =>
    response(id, '"result":{},"error":{"code":1,"message":"m"}'),
  ),
  'call: an error with secrets': answers((id) =>
    response(id, `"error":{"code":-1,"message":"${said}","data":{"${said}":"${said}"}}`),
  ),
  'call: an error that is a text': answers((id) => response(id, `"error":"${said}"`)),
  'call: a result that is an error with secrets': answers((id) =>
    result(
      id,
      `{"isError":true,"content":[{"type":"text","text":"${said}"}],"structuredContent":{"${said}":1}}`,
    ),
  ),
  'call: the id as text': answers((id) => fine(JSON.stringify(id))),
  'call: the id of no request': answers(() => fine('987654')),
  'call: an error without an id': answers(
    () => '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error"}}',
  ),
  'call: twice': { call: (id) => [fine(id), fine(id)] },
  'call: the id as a list': answers((id) => fine(`[${id}]`)),
  'call: two ids': answers((id) => fine(`987654,"id":${id}`)),
  'call: requests with ids that are none first': {
    call: (id) => [
      ...['null', '{}', 'true'].map((none) => `{"jsonrpc":"2.0","id":${none},"method":"ping"}`),
      fine(id),
    ],
  },
  'call: a byte order mark': answers((id) => `\uFEFF${fine(id)}`),
  'call: rubbish after the answer': answers((id) => `${fine(id)} rubbish`),
  'call: two answers in a line': answers((id) => fine(id) + fine(id)),
  'call: an empty error': answers((id) => response(id, '"error":{}')),
  'call: an error that is null': answers((id) => response(id, '"error":null')),
  'call: a result beside an error that is null': answers((id) =>
    fine(id).replace(/}$/, ',"error":null}'),
  ),
  'call: content that is none': answers((id) =>
    result(id, '{"content":[null,7,{}],"fine":"fine"}'),
  ),
  'call: a batch': answers((id) => `[${notification('message')},${fine(id)}]`),
  'call: not a number in JSON': answers((id) => result(id, '{"content":[],"n":NaN}')),
  'call: a result 100,000 levels deep': answers((id) => result(id, deep(9000))),
  'call: a message 100,000 levels deep': answers((id) => result(id, deep(100_000))),
  'call: a storm of progress first': {
    call: (id) => storm(20_000, notification('progress'), fine(id)),
  },
  'call: a storm of requests': {
    call: (id) => storm(5000, '{"jsonrpc":"2.0","id":1,"method":"ping"}', fine(id)),
  },
  'call: it closes its output and stays': {
    call: () => {
      closeSync(1);
      return [];
    },
  },
  // At the end.
  'close: it ignores the end of stdin and SIGTERM': { isStubborn: true },
};

/** The texts for one message of a client; none for notifications. */
export function textsFor(mode: Mode, message: Record<string, unknown>): Texts {
  const id = JSON.stringify(message.id);
  if (id === undefined) return [];
  const params = message.params as { cursor?: string } | undefined;
  if (message.method === 'initialize') return (mode.initialize ?? healthy.initialize)(id);
  if (message.method === 'tools/list') return (mode.list ?? healthy.list)(id, params?.cursor);
  if (message.method === 'tools/call') return (mode.call ?? healthy.call)(id);
  return message.method === undefined
    ? []
    : [response(id, '"error":{"code":-32601,"message":"Method not found"}')];
}

/** Runs as a stdio server. The first argument is the mode. */
function serve(mode: Mode): void {
  if (mode.isStubborn) {
    process.on('SIGTERM', () => {});
    setInterval(() => {}, 60_000);
  }
  mode.begin?.();
  createInterface({ input: process.stdin }).on('line', (line) => {
    for (const text of textsFor(mode, JSON.parse(line))) process.stdout.write(`${text}\n`);
  });
}

if (process.argv[1] === import.meta.filename) serve(modes[process.argv[2] ?? ''] ?? {});
