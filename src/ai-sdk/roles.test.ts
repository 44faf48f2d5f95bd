import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { generateText, isStepCount, type ModelMessage, streamText } from 'ai';
import { type Reply, type ReplyCall, startModelServer } from '../testing/index.ts';
import { ENDPOINTS, modelOn } from './endpoints.test-support.ts';
import { foldOptions, type Runs } from './folds.test-support.ts';
import { createFold } from './index.ts';
import { BRIDGE, DISPATCH } from './scenarios.test-support.ts';

const SECRET = /linear|Linear/;

for (const endpoint of ENDPOINTS) {
  for (const to of [DISPATCH, BRIDGE]) {
    describe(`promise 20: two roles over one fold at the same time, ${to.strategy}, ${endpoint.name}`, () => {
      test('promise 22: nothing of the other view in bodies, results or suggestions, whatever the route', async () => {
        const runs: Runs = [];
        const attempts: ReplyCall[] = [
          to.load('mcp:linear'),
          to.call('linear__create_issue', { title: 'x' }),
          to.call('create_isue', {}),
          to.call('lin', {}),
          { name: 'linear__create_issue', arguments: { title: 'x' } },
          { name: 'tool_search', arguments: { query: 'create issue' } },
          { name: 'tool_describe', arguments: { name: 'linear__create_issue' } },
        ];
        const script = (mine: ReplyCall[]): Reply[] => [...mine.map((call) => ({ calls: [call] })), { text: 'Done.' }];
        await using limited = await startModelServer({ script: script(attempts) });
        await using full = await startModelServer({ script: script(attempts) });
        const fold = createFold({
          ...foldOptions(runs),
          strategy: to.strategy,
          roles: { guest: { tools: ['github__*', 'ask'] }, admin: {} } as never,
        });
        const stopWhen = isStepCount(20);
        const guest = generateText({ ...fold.with(modelOn(limited, endpoint), { role: 'guest' }), prompt: 'Go', stopWhen });
        const admin = streamText({ ...fold.with(modelOn(full, endpoint), { role: 'admin' }), prompt: 'Go', stopWhen }).text;
        await Promise.all([guest, admin]);
        const mentions = (raw: string) => {
          // What the model itself wrote comes back to it; everything else must not name the group.
          const written = attempts.map((call) => JSON.stringify(call.arguments)).concat('linear__create_issue', 'mcp:linear');
          return written.reduce((text, own) => text.replaceAll(own, '').replaceAll(JSON.stringify(own).slice(1, -1), ''), raw);
        };
        for (const { raw } of limited.requests) assert.doesNotMatch(mentions(raw), SECRET);
        assert.match(full.requests[0]?.raw ?? '', SECRET);
        assert.deepEqual(runs.map(({ tool }) => tool), ['linear__create_issue', 'linear__create_issue']);
      });
    });
  }

  test(`promise 22: a call approved under one role does not run under another, ${endpoint.name}`, async () => {
    const runs: Runs = [];
    const call = DISPATCH.call('linear__create_issue', { title: 'x' });
    await using server = await startModelServer({ script: [{ calls: [call] }, { text: 'Done.' }] });
    const fold = createFold({ ...foldOptions(runs), roles: { guest: { tools: ['github__*'] }, admin: {} } as never });
    const toolApproval = { linear__create_issue: 'user-approval' } as const;
    const model = modelOn(server, endpoint);
    const asked = await generateText({ ...fold.with(model, { role: 'admin' }), prompt: 'Go', toolApproval });
    const request = asked.content.find((part) => part.type === 'tool-approval-request');
    const approvalId = request?.type === 'tool-approval-request' ? request.approvalId : '';
    const messages: ModelMessage[] = [
      { role: 'user', content: 'Go' },
      ...asked.responseMessages,
      { role: 'tool', content: [{ type: 'tool-approval-response', approvalId, approved: true }] },
    ];
    await generateText({ ...fold.with(model, { role: 'guest' }), messages, toolApproval }).catch(() => {});
    assert.deepEqual(runs, []);
  });
}
