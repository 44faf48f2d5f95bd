import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createToolLayer } from '@toolfold/core/internal/session/layer.ts';
import type { Tool } from '@toolfold/core/internal/tool/tool.ts';
import { tool } from 'ai';
import { z } from 'zod';
import { fromLoadedToolSet, hiddenTools } from './own-tools.ts';

const KEY = 'swordfish-0123456789';
const hide = (text: string): string => text.replaceAll(KEY, '[redacted]');

class Server {
  readonly name = 'ask';
  readonly description = `Ask with ${KEY}.`;
  readonly inputSchema = { type: 'object' };
  readonly #answer = 42;

  execute(): number {
    return this.#answer;
  }
}

const DEFINED: Readonly<Record<string, () => Tool[] | Promise<Tool[]>>> = {
  'a description': () => [{ name: 'a', description: KEY, inputSchema: { type: 'object' } }],
  'a schema': () => [
    {
      name: 'a',
      inputSchema: {
        type: 'object',
        properties: { [KEY]: { enum: [KEY], default: KEY, description: KEY } },
        required: [KEY],
      },
      annotations: { title: KEY },
      meta: { key: KEY },
    },
  ],
  'a schema of zod': () => [
    { name: 'a', inputSchema: z.object({ a: z.string().describe(KEY) }) as never },
  ],
  'tools of the AI SDK': () =>
    fromLoadedToolSet({
      a: tool({ description: KEY, inputSchema: z.object({ a: z.string().describe(KEY) }) }),
    } as never),
};

for (const [name, make] of Object.entries(DEFINED))
  test(`a loaded definition has no secret: ${name}`, async () => {
    const layer = createToolLayer({
      strategy: 'eager',
      groups: [
        { groupId: 'g', description: 'd', loader: async () => hiddenTools(await make(), hide) },
      ],
    });
    const session = layer.session();
    await session.prepare();
    const { tools } = session.present([]);
    assert.equal(tools.length, 1);
    assert.doesNotMatch(JSON.stringify(tools), new RegExp(KEY));
    assert.match(JSON.stringify(tools), /redacted/);
  });

test('a tool without a secret stays itself, and a method keeps its instance', () => {
  const plain = { name: 'a', inputSchema: { type: 'object' } };
  assert.deepEqual(hiddenTools([plain], hide), [plain]);
  assert.equal(hiddenTools([plain], hide)[0], plain);
  const [shown] = hiddenTools([new Server()], hide);
  assert.equal(shown?.description, 'Ask with [redacted].');
  assert.equal(shown?.execute?.({}, {} as never), 42);
});
