import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { combinations, selection } from '@toolfold/testing/test/combinations.test-support.ts';
import {
  convertToModelMessages,
  getToolName,
  isStepCount,
  isToolUIPart,
  readUIMessageStream,
  streamText,
  type ToolSet,
  toUIMessageStream,
  type UIMessage,
  validateUIMessages,
} from 'ai';
import { createFold, type Fold } from '../../src/index.ts';
import { ENDPOINTS, modelOn } from '../endpoints.test-support.ts';
import { foldOptions } from '../folds.test-support.ts';
import { DISPATCH } from '../scenarios.test-support.ts';
import { BUG, CREATE, GITHUB } from './rounds.test-support.ts';

const { load, call } = DISPATCH;

const REPLIES: readonly Reply[] = [
  { text: 'First.', calls: [load(GITHUB), load('mcp:nowhere', 'nothing')] },
  { text: 'Then.', calls: [{ name: 'load_tools', arguments: '{"group_id": ' }] },
  { text: 'Now.', calls: [load('mcp:linear'), call(CREATE, BUG)] },
  { text: 'Done.' },
];

const fold = () =>
  createFold({ ...foldOptions([]), strategy: 'dispatch' }) as unknown as Fold<ToolSet>;

/** Every state of the answer, as `useChat` shows it. */
async function* states(model: Parameters<Fold<ToolSet>['with']>[0], settings: object) {
  const fields = fold().with(model);
  const result = streamText({
    ...fields,
    prompt: 'Go.',
    stopWhen: isStepCount(9),
    ...settings,
  } as Parameters<typeof streamText>[0]);
  const tools = fields.tools;
  const stream = toUIMessageStream({ stream: result.stream, tools });
  yield* readUIMessageStream({ stream });
}

/** How `activeTools` leaves the bridge tools in or out. */
const ACTIVE = {
  'all tools': {},
  'only the real tool': { activeTools: [CREATE, 'github__list_issues'] },
} as const;

const ROWS = combinations({
  endpoint: ENDPOINTS,
  active: Object.keys(ACTIVE) as (keyof typeof ACTIVE)[],
});

describe(`promise 62: loads in UI messages, ${selection}`, () => {
  for (const { endpoint, active } of ROWS) {
    test(`promise 62: each load is one part with its state: ${endpoint.name}, ${active}`, async () => {
      await using server = await startModelServer({ script: REPLIES });
      let last: UIMessage | undefined;
      const seen: string[] = [];
      for await (const state of states(modelOn(server, endpoint), ACTIVE[active])) {
        last = structuredClone(state);
        const ids = state.parts.flatMap((part) => (isToolUIPart(part) ? [part.toolCallId] : []));
        assert.equal(new Set(ids).size, ids.length, 'a call has two parts');
        // A load has its result before the text of the next round begins.
        const open = state.parts.filter(
          (part) => isToolUIPart(part) && part.providerExecuted && part.state.startsWith('input'),
        );
        const at = state.parts.findLast((part) => part.type === 'text');
        if (open.length > 0 && at?.type === 'text') seen.push(at.text);
      }
      assert.ok(last);
      assert.ok(!seen.includes('Done.'));
      const parts = last.parts.filter(isToolUIPart);
      assert.deepEqual(
        parts.map((part) => [getToolName(part), part.state, part.providerExecuted ?? false]),
        [
          ['load_tools', 'output-available', true],
          ['load_tools', 'output-error', true],
          ['load_tools', 'output-error', true],
          ['load_tools', active === 'all tools' ? 'output-available' : 'output-error', true],
          [CREATE, 'output-available', false],
        ],
      );
      const texts = last.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
      assert.deepEqual(texts, ['First.', 'Then.', 'Now.', 'Done.']);
      assert.equal(last.parts.filter(({ type }) => type === 'step-start').length, 2);
      assert.ok(!JSON.stringify(last).includes('NoSuchTool'));
    });

    test(`promise 62: another process accepts them: ${endpoint.name}, ${active}`, async () => {
      await using server = await startModelServer({
        script: [...REPLIES, { text: 'And that was all.' }],
      });
      let last: UIMessage | undefined;
      for await (const state of states(modelOn(server, endpoint), ACTIVE[active])) last = state;
      const stored = [
        { id: 'u0', role: 'user', parts: [{ type: 'text', text: 'Go.' }] },
        JSON.parse(JSON.stringify({ ...last, id: 'a0' })),
        { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'And?' }] },
      ];
      const fields = fold().with(modelOn(server, endpoint));
      const tools = fields.tools as Parameters<typeof validateUIMessages>[0]['tools'];
      const messages = await validateUIMessages({ messages: stored, ...(tools && { tools }) });
      const result = streamText({
        ...fields,
        messages: await convertToModelMessages(messages, { tools: fields.tools }),
      } as Parameters<typeof streamText>[0]);
      assert.equal(await result.text, 'And that was all.');
      // Without the tools, the conversion keeps the results too.
      const bare = await convertToModelMessages(messages);
      assert.ok(!JSON.stringify(bare).includes('no longer available'));
    });
  }
});
