import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { auditPrefix, formatAuditReport } from '@toolfold/testing/internal/audit/audit-prefix.ts';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { NoSuchToolError, type ToolSet, tool } from 'ai';
import { z } from 'zod';
import { createFold, type Fold } from '../../src/index.ts';
import { Conversation } from '../conversation.test-support.ts';
import { ENDPOINTS, modelOn } from '../endpoints.test-support.ts';
import { DISPATCH } from '../scenarios.test-support.ts';
import { resultsOn } from '../wire.test-support.ts';

const SCRIPT: Reply[] = [
  { calls: [{ name: 'load_tools', arguments: { group_id: 'app' } }] },
  { calls: [DISPATCH.call('drop', { name: 'Ada' })] },
  { calls: [DISPATCH.call('find', { name: 'Ada' })] },
  { text: 'Done.' },
  { text: 'Bye.' },
];

describe('promise 62: activeTools without the names of bridge tools', () => {
  for (const endpoint of ENDPOINTS) {
    test(`promise 62: loads show the active tools, refusals reach the model, and the app sees no error of the SDK, ${endpoint.name}`, async () => {
      for (const mode of ['generate', 'stream'] as const) {
        for (const route of ['live', 'json', 'ui'] as const) {
          const runs: string[] = [];
          const make = (name: string) =>
            tool({
              inputSchema: z.object({ name: z.string() }),
              execute: async () => runs.push(name),
            });
          const fold = () =>
            createFold<ToolSet>({
              tools: { find: make('find'), drop: make('drop') },
              strategy: 'dispatch',
            }) as unknown as Fold<ToolSet>;
          await using server = await startModelServer({ script: SCRIPT });
          const steps: unknown[] = [];
          const conversation = new Conversation({
            mode,
            route,
            model: modelOn(server, endpoint),
            fold,
            settings: {
              activeTools: ['find'],
              onStepEnd: (step: { content: unknown[] }) => void steps.push(...step.content),
            },
          });
          await conversation.say('Go.');
          await conversation.say('And?');
          const where = `${endpoint.name}, ${mode}, ${route}`;
          const [loaded, refused] = resultsOn(server.requests.at(-1) ?? assert.fail());
          assert.match(loaded?.text ?? '', /"tool_names":\["find"\]/, where);
          assert.match(refused?.text ?? '', /tool_not_active/, where);
          assert.deepEqual(runs, ['find'], where);
          const errors = steps.flatMap((part) => Reflect.get(part as object, 'error') ?? []);
          assert.equal(errors.length, 1, where);
          assert.ok(!errors.some((error) => NoSuchToolError.isInstance(error)), where);
          assert.ok(!/Available tools|unavailable tool/.test(JSON.stringify(steps)), where);
          const report = auditPrefix(server.requests);
          assert.ok(report.held, `${where}: ${formatAuditReport(report)}`);
        }
      }
    });

    test(`promise 62: a load behind a refused call is answered inside the model call, too, ${endpoint.name}`, async () => {
      const load = { name: 'load_tools', arguments: { group_id: 'app' } };
      const script: Reply[] = [
        { calls: [DISPATCH.call('drop', { name: 'Ada' }), load] },
        { calls: [DISPATCH.call('find', { name: 'Ada' })] },
        { text: 'Done.' },
      ];
      for (const mode of ['generate', 'stream'] as const) {
        const make = () =>
          tool({ inputSchema: z.object({ name: z.string() }), execute: async () => 'found' });
        const fold = () =>
          createFold<ToolSet>({
            tools: { find: make(), drop: make() },
            strategy: 'dispatch',
          }) as unknown as Fold<ToolSet>;
        await using server = await startModelServer({ script });
        const model = modelOn(server, endpoint);
        let steps = 0;
        const settings = { activeTools: ['find'], onStepEnd: () => void steps++ };
        const conversation = new Conversation({ mode, route: 'live', model, fold, settings });
        await conversation.say('Go.');
        assert.equal(server.requests.length, 3, `${endpoint.name}, ${mode}`);
        assert.equal(steps, 2, `${endpoint.name}, ${mode}`);
      }
    });
  }
});
