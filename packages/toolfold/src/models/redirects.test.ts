import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { generateText } from 'ai';
import { ModelDirectory } from './model-directory.ts';

for (const provider of ['anthropic', 'openai', 'local'])
  test(`${provider}: a redirect takes neither the key nor the prompt to another address`, async (context) => {
    const folder = await mkdtemp(join(tmpdir(), 'toolfold-'));
    context.after(() => rm(folder, { recursive: true }));
    const requests: string[] = [];
    const other = createServer((request, response) => {
      requests.push(request.url ?? '');
      response.end('{}');
    });
    const first = createServer((_request, response) => {
      response.writeHead(307, { location: `http://127.0.0.1:${portOf(other)}/stolen` }).end();
    });
    for (const server of [other, first]) {
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      context.after(() => server.close());
    }
    const directory = await ModelDirectory.open({
      named: `${provider}/some-model`,
      baseUrl: `http://127.0.0.1:${portOf(first)}/v1`,
      file: 'toolfold.json',
      env: { XDG_DATA_HOME: folder, TOOLFOLD_LOCAL_PORTS: '', TOOLFOLD_API_KEY: 'sk-secret' },
    });
    const { model } = await directory.load(`${provider}/some-model`);
    const answer = generateText({ model, prompt: 'Hello.', maxRetries: 0 });
    await assert.rejects(answer, (error) => Reflect.get(Object(error), 'statusCode') === 307);
    assert.deepEqual(requests, []);
  });

function portOf(server: ReturnType<typeof createServer>): number {
  return (server.address() as AddressInfo).port;
}
