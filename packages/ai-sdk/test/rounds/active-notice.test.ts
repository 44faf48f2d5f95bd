import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { generateText, type ToolSet, tool } from 'ai';
import { z } from 'zod';
import { createFold, type Fold } from '../../src/index.ts';
import { ENDPOINTS, modelOn } from '../endpoints.test-support.ts';

const NOTICE = /\[Notice from the application[^\]]*\]/g;
const STRATEGIES = ['dispatch', 'native', 'bridge', 'inject', 'lazy'] as const;

const make = () => tool({ inputSchema: z.object({ name: z.string() }), execute: async () => 'ok' });

function foldOf(
  strategy: (typeof STRATEGIES)[number],
  loads: 'model-call' | 'steps',
): Fold<ToolSet> {
  const tools = { find: make(), drop: make(), move: make() };
  return createFold<ToolSet>({
    tools,
    strategy,
    loads,
    onWarning: false,
  }) as unknown as Fold<ToolSet>;
}

describe('promise 62: notices about activeTools without the names of bridge tools', () => {
  for (const endpoint of ENDPOINTS)
    for (const strategy of STRATEGIES)
      test(`promise 62: no notice forbids a bridge tool that is answered in the model call, ${strategy}, ${endpoint.name}`, async () => {
        await using server = await startModelServer({ script: [{ text: 'a' }, { text: 'b' }] });
        const model = modelOn(server, endpoint);
        const fold = foldOf(strategy, 'model-call');
        const fields = fold.with(model);
        const activeTools = ['find'];
        await generateText({ ...fields, activeTools, prompt: 'Go.' });
        assert.deepEqual(server.requests[0]?.raw.match(NOTICE), null);
        const { responseMessages } = await generateText({ ...fields, prompt: 'Go.' });
        const messages = [
          { role: 'user' as const, content: 'Go.' },
          ...responseMessages,
          { role: 'user' as const, content: 'And?' },
        ];
        await using later = await startModelServer({ script: [{ text: 'c' }] });
        await generateText({ ...fold.with(modelOn(later, endpoint)), activeTools, messages });
        const [notice = '', ...more] = later.requests[0]?.raw.match(NOTICE) ?? [];
        assert.deepEqual(more, []);
        const [, forbidden = ''] = notice.match(/may not be used now: ([^.]*)\./) ?? [];
        const [, allowed] = notice.match(/only these tools may be used now: ([^.]*)\./) ?? [];
        const declared = fold.bridgeNames(model).filter((name) => toolNames(later).has(name));
        assert.ok(declared.length > 0);
        for (const name of declared) {
          assert.ok(!forbidden.split(', ').includes(name), notice);
          if (allowed) assert.ok(allowed.split(', ').includes(name), notice);
        }
      });

  test('promise 62: with `loads: steps` the SDK refuses bridge tools that are not named, and the notice says so', async () => {
    await using server = await startModelServer({ script: [{ text: 'a' }] });
    const model = modelOn(server, ENDPOINTS[2] ?? assert.fail());
    const fields = foldOf('dispatch', 'steps').with(model);
    await generateText({ ...fields, activeTools: ['find'], prompt: 'Go.' });
    const [notice] = server.requests[0]?.raw.match(NOTICE) ?? [];
    assert.match(notice ?? '', /may not be used now: load_tools/);
  });
});

function toolNames(server: {
  readonly requests: readonly { readonly raw: string }[];
}): Set<string> {
  const { tools = [] } = JSON.parse(server.requests[0]?.raw ?? '{}');
  return new Set(
    tools.map(
      (one: { name?: string; function?: { name: string } }) => one.name ?? one.function?.name,
    ),
  );
}
