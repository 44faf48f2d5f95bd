import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { auditPrefix, formatAuditReport } from '@toolfold/testing/internal/audit/audit-prefix.ts';
import { blocksOf } from '@toolfold/testing/internal/audit/blocks.ts';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import type { ToolSet } from 'ai';
import { createFold, type Fold, NOTE_KIND } from '../../src/index.ts';
import { Conversation } from '../conversation.test-support.ts';
import { ENDPOINTS, modelOn } from '../endpoints.test-support.ts';
import { foldOptions, groups, type Runs } from '../folds.test-support.ts';
import { DISPATCH } from '../scenarios.test-support.ts';
import { resultsOn, toolsOn } from '../wire.test-support.ts';

const { call, load } = DISPATCH;

for (const endpoint of ENDPOINTS) {
  describe(`promise 3: changes of the tool list, ${endpoint.name}`, () => {
    test('promise 3: one notice at the tail and no edits; removed tools give an error, new tools run', async () => {
      for (const mode of ['generate', 'stream'] as const) {
        for (const route of ['live', 'ui'] as const) {
          const script: Reply[] = [
            { calls: [call('github__create_issue', { title: 'a' })] },
            { text: 'Done.' },
            { calls: [call('github__create_issue', { title: 'b' }), call('fresh__go', {})] },
            { text: 'Done.' },
            { text: 'Bye.' },
          ];
          await using server = await startModelServer({ script });
          const runs: Runs = [];
          const made = createFold(foldOptions(runs)) as unknown as Fold<ToolSet>;
          const conversation = new Conversation({
            mode,
            route,
            model: modelOn(server, endpoint),
            fold: () => made,
          });
          await conversation.say('Go.');
          const fresh = {
            groupId: 'fresh',
            toolNames: ['go'],
            loader: async () => [
              { name: 'go', inputSchema: { type: 'object' }, execute: () => 'gone' },
            ],
          };
          made.update([...groups(runs).slice(1), fresh]);
          await conversation.say('Again.');
          await conversation.say('Bye.');
          const report = auditPrefix(server.requests);
          assert.ok(report.held, formatAuditReport(report));
          const [removed, ran] = resultsOn(server.requests.at(-1) ?? assert.fail()).slice(-2);
          assert.match(removed?.text ?? '', /tool_removed/);
          assert.equal(ran?.text, 'gone');
          const raw = server.requests.at(-1)?.raw ?? '';
          assert.equal(raw.split('[Notice from').length - 1, 1, 'announced once');
        }
      }
    });
  });

  describe(`strategies that declare loaded tools, ${endpoint.name}`, () => {
    for (const strategy of ['inject', 'lazy'] as const) {
      test(`${strategy}: tools are added only at the end; messages and system text stay`, async () => {
        for (const route of ['live', 'json', 'ui'] as const) {
          const runs: Runs = [];
          const ask =
            strategy === 'inject'
              ? load('mcp:github', 'create_issue')
              : { name: 'request_tool', arguments: { name: 'github__create_issue' } };
          const script: Reply[] = [
            { calls: [ask] },
            { calls: [{ name: 'github__create_issue', arguments: { title: 'a' } }] },
            { text: 'Done.' },
            { calls: [{ name: 'github__create_issue', arguments: { title: 3 } }] },
            { text: 'Done.' },
          ];
          await using server = await startModelServer({ script });
          const fold = () =>
            createFold({ ...foldOptions(runs), strategy }) as unknown as Fold<ToolSet>;
          const conversation = new Conversation({
            mode: 'stream',
            route,
            model: modelOn(server, endpoint),
            fold,
          });
          await conversation.say('Go.');
          await conversation.say('And?');
          const { requests } = server;
          requests.forEach((request, index) => {
            const before = requests[index - 1];
            if (!before) return;
            const [old, now] = [toolsOn(before), toolsOn(request)];
            assert.deepEqual(now.slice(0, old.length), old);
            const rest = (r: typeof request) =>
              blocksOf(r)
                .filter(({ section }) => section !== 'tools')
                .map(({ text }) => text);
            assert.deepEqual(rest(request).slice(0, rest(before).length), rest(before), route);
          });
          assert.equal(toolsOn(requests[1] ?? assert.fail()).at(-1), 'github__create_issue');
          assert.equal(runs.length, 1);
          const loaded = resultsOn(requests.at(-1) ?? assert.fail())[0]?.text ?? '';
          assert.ok(!loaded.includes('"parameters"'), 'the schema is sent once');
        }
      });
    }
  });
}

test('promise 28: a response has a note only if there is something to keep', async () => {
  const script: Reply[] = [
    ...Array.from({ length: 6 }, () => ({ calls: [call('github__list_issues', {})] })),
    { text: 'Done.' },
  ];
  await using server = await startModelServer({ script });
  const endpoint = ENDPOINTS[0] ?? assert.fail();
  const fold = createFold(foldOptions([])) as unknown as Fold<ToolSet>;
  const conversation = new Conversation({
    mode: 'generate',
    route: 'live',
    model: modelOn(server, endpoint),
    fold: () => fold,
  });
  await conversation.say('Go.');
  assert.equal(JSON.stringify(conversation.messages).split(NOTE_KIND).length - 1, 1);
});
