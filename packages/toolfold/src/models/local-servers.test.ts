import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createPlainServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { findLocalServers, localPorts, ModelDirectory } from './model-directory.ts';

/** Long enough for a busy machine. */
const PATIENCE = 20_000;

const list = (...ids: unknown[]) => ({
  object: 'list',
  data: ids.map((id) => ({ id, object: 'model', owned_by: 'library' })),
});

interface Fake {
  readonly port: number;
  readonly requests: { readonly line: string; readonly headers: object }[];
}

/** A server on one address of this computer. */
async function serve(
  context: TestContext,
  answer: RequestListener,
  host = '127.0.0.1',
): Promise<Fake> {
  const requests: Fake['requests'] = [];
  const server = createServer((request, response) => {
    requests.push({ line: `${request.method} ${request.url}`, headers: request.headers });
    answer(request, response);
  });
  server.listen(0, host);
  await once(server, 'listening');
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, requests };
}

const json =
  (value: unknown): RequestListener =>
  (_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(typeof value === 'string' ? value : JSON.stringify(value));
  };

/** An environment with a throwaway home, which asks these ports. */
async function environment(context: TestContext, ports: readonly number[]) {
  const folder = await mkdtemp(join(tmpdir(), 'toolfold-'));
  context.after(() => rm(folder, { recursive: true }));
  return { XDG_DATA_HOME: folder, TOOLFOLD_LOCAL_PORTS: ports.join(',') };
}

test('a server is asked once for its models, without a key', async (context) => {
  const ollama = await serve(context, json(list('qwen3:8b', 'llama3.2')));
  const [found, ...more] = await findLocalServers([ollama.port], PATIENCE);
  const provider = `local-${ollama.port}`;
  const address = `http://127.0.0.1:${ollama.port}/v1`;
  assert.deepEqual([found, more], [{ provider, address, models: ['qwen3:8b', 'llama3.2'] }, []]);
  assert.deepEqual(
    ollama.requests.map(({ line }) => line),
    ['GET /v1/models'],
  );
  const names = Object.keys(ollama.requests[0]?.headers ?? {});
  assert.deepEqual(
    names.filter((name) => /auth|key|cookie/.test(name)),
    [],
  );
});

test('only a list of models counts, and the others do not hold it up', async (context) => {
  const never = await serve(context, () => {});
  const half = await serve(context, (_, response) => void response.write('{"object":"list",'));
  const odd: Readonly<Record<string, RequestListener>> = {
    HTML: json('<!doctype html><title>Jenkins</title>'),
    'another API': json({ data: [{ id: '1', type: 'articles' }] }),
    'a list of other things': json({ object: 'list', data: [{ id: 'x', object: 'file' }] }),
    'no models': json(list()),
    'ids that are none': json(list(1, '', 'a b', 'x'.repeat(201), 'é', '\u001b[31m', null)),
    null: json('null'),
    'an error': (_, response) => response.writeHead(500).end(JSON.stringify(list('x'))),
    'a login': (_, response) => response.writeHead(401).end(JSON.stringify(list('x'))),
    'a huge body': (_, response) => {
      response.write('{"object":"list","data":[');
      const more = setInterval(() => response.write(' '.repeat(1_000_000)), 1);
      response.on('close', () => clearInterval(more));
    },
  };
  const target = await serve(context, json(list('stolen')));
  const redirects = await serve(context, (_, response) =>
    response.writeHead(307, { location: `http://127.0.0.1:${target.port}/v1/models` }).end(),
  );
  const others = await Promise.all(Object.values(odd).map((answer) => serve(context, answer)));
  const plain = createPlainServer((socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'));
  plain.listen(0, '127.0.0.1');
  await once(plain, 'listening');
  context.after(() => plain.close());
  const taken = (plain.address() as AddressInfo).port;
  const good = await serve(context, json(list('qwen3')));
  const ports = [...others, redirects, good].map(({ port }) => port);
  const found = await findLocalServers([...ports, taken], PATIENCE);
  assert.deepEqual(
    found.map(({ models }) => models),
    [['qwen3']],
  );
  assert.equal(target.requests.length, 0, 'a redirect is not followed');
  // What hangs is given up, beside one that answers.
  const soon = await findLocalServers([never.port, half.port, good.port], 2_000);
  assert.deepEqual(
    soon.map(({ models }) => models),
    [['qwen3']],
  );
});

test('a server on ::1 only is found at this address, which is kept with the choice', async (context) => {
  const server = await serve(context, json(list('qwen3')), '::1').catch(() => undefined);
  if (!server) return context.skip('this computer has no ::1');
  const env = await environment(context, [server.port]);
  const sources = { env, named: undefined, file: 'toolfold.json' };
  const directory = await ModelDirectory.open(sources);
  const address = `http://[::1]:${server.port}/v1`;
  assert.deepEqual(
    (await directory.search()).map((found) => found.address),
    [address],
  );
  const name = `local-${server.port}/qwen3`;
  await directory.keep(name);
  const next = await ModelDirectory.open({ ...sources, env: { ...env, TOOLFOLD_LOCAL_PORTS: '' } });
  assert.equal(next.kept, name);
  const { model } = await next.load(name);
  const config = (model as unknown as { config: { url(at: object): string } }).config;
  assert.equal(config.url({ path: '/x', modelId: 'qwen3' }), `${address}/x`);
});

test('models are offered and none is chosen; nothing but the question for models is sent', async (context) => {
  const server = await serve(context, json(list('qwen3', 'llama3.2')));
  const env = { ...(await environment(context, [server.port])), GROQ_API_KEY: 'secret' };
  const directory = await ModelDirectory.open({ env, named: undefined, file: 'toolfold.json' });
  assert.equal(directory.kept, undefined);
  const { signal } = new AbortController();
  const offers = await directory.offers(undefined, signal);
  await directory.offers(undefined, signal);
  const provider = `local-${server.port}`;
  assert.deepEqual(offers.slice(0, 3), [
    { value: `${provider}/qwen3` },
    { value: `${provider}/llama3.2` },
    { value: 'anthropic/', description: 'it needs a key in ANTHROPIC_API_KEY' },
  ]);
  const groq = offers.find(({ value }) => value === 'groq/');
  assert.equal(groq?.description, 'shows its models');
  assert.equal(server.requests.length, 1, 'it is asked once in a run');
  assert.match((await directory.noModel()).message, new RegExp(`--model ${provider}/qwen3`));
});

test('the list of a provider is asked with its key, once', async (context) => {
  const server = await serve(context, json({ data: [{ id: 'models/a' }, { id: 'b' }] }));
  const env = { ...(await environment(context, [])), ACME_API_KEY: 'key-of-acme', OTHER: 'x' };
  const providers = { acme: { address: `http://127.0.0.1:${server.port}` } };
  const sources = { env, providers, named: undefined, file: 'toolfold.json' };
  const directory = await ModelDirectory.open(sources);
  const { signal } = new AbortController();
  for (let times = 0; times < 2; times++)
    assert.deepEqual(await directory.offersOf('acme', signal), ['acme/a', 'acme/b']);
  assert.equal(server.requests.length, 1);
  assert.partialDeepStrictEqual(server.requests[0], {
    line: 'GET /models',
    headers: { authorization: 'Bearer key-of-acme' },
  });
  await assert.rejects(directory.offersOf('nobody', signal), /address is not known/);
  await assert.rejects(directory.offersOf('groq', signal), /needs a key in GROQ_API_KEY/);
});

test('a kept choice that says nothing clear is none', async (context) => {
  const env = await environment(context, []);
  const file = join(env.XDG_DATA_HOME, 'toolfold', 'model.json');
  const sources = { env, named: undefined, file: 'toolfold.json' };
  await (await ModelDirectory.open(sources)).keep('groq/x');
  assert.equal((await ModelDirectory.open(sources)).kept, 'groq/x');
  const elsewhere = { model: 'ollama/x', address: 'https://evil.example.com/v1' };
  const wrong = ['', '{', '[]', '{"model":1}', '{"model":"x"}', '{"model":"/x"}'];
  for (const text of [...wrong, JSON.stringify(elsewhere)]) {
    await writeFile(file, text);
    assert.equal((await ModelDirectory.open(sources)).kept, undefined, text);
  }
});

test('the ports to ask can be named, and a wrong one is an error', () => {
  assert.deepEqual(localPorts({}), [11434, 1234, 8080]);
  assert.deepEqual(localPorts({ TOOLFOLD_LOCAL_PORTS: ' 1, 65535 ' }), [1, 65_535]);
  assert.deepEqual(localPorts({ TOOLFOLD_LOCAL_PORTS: '' }), []);
  for (const ports of ['x', '0', '65536', '1.5', '-1', '1;2'])
    assert.throws(() => localPorts({ TOOLFOLD_LOCAL_PORTS: ports }), { code: 'invalid-option' });
});
