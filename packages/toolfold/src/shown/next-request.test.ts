import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createAnthropic } from '@ai-sdk/anthropic';
import { visibleWidth } from '@earendil-works/pi-tui';
import { createAgent } from '@toolfold/agent/internal/agent/agent.ts';
import { createRecall } from '@toolfold/agent/internal/compaction/recall.ts';
import type { AgentEvent } from '@toolfold/agent/internal/events/events.ts';
import { screenOf } from '@toolfold/agent/internal/events/screen.ts';
import type { AgentFold } from '@toolfold/agent/internal/options/options.ts';
import { createSession } from '@toolfold/agent/internal/sessions/session.ts';
import { memoryStore } from '@toolfold/agent/internal/sqlite/sqlite-store.ts';
import { eventsOf } from '@toolfold/agent/internal/state/rebuilt-events.ts';
import { createFold } from '@toolfold/ai-sdk';
import type { StrategyChoice } from '@toolfold/core/internal/tool/strategies.ts';
import { estimateTokens } from '@toolfold/core/internal/tool/tokens.ts';
import { countBody } from '@toolfold/testing/internal/audit/count-body.ts';
import { fakeGroup } from '@toolfold/testing/internal/doubles/fake-group.ts';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { wrapLanguageModel } from 'ai';
import { indicatorOf } from './indicator.ts';
import { nextRequest, plannedStrategy, sentWith } from './next-request.ts';
import { planNow } from './tool-plan.ts';

const MODEL = 'anthropic/claude-sonnet-4-5';
const many = ['crm', 'mail', 'tracker'].map((name) =>
  fakeGroup({ groupId: `mcp:${name}`, count: 25 }),
);
const few = [fakeGroup({ groupId: 'mcp:few', count: 3 })];
const starting = many.map((group) => ({
  ...group,
  toolNames: [],
  unavailable: { reason: 'it is still starting' },
}));
const LONG = 'word '.repeat(3_000);

/** What happens before a request, in order: a message, a switch, a role, a compaction, other servers. */
type Step =
  | { readonly say: string }
  | { readonly tools: boolean }
  | { readonly role: string | null }
  | { readonly servers: typeof many }
  | 'compact';

interface Row {
  readonly groups: typeof many;
  readonly tools?: object;
  readonly strategy?: StrategyChoice;
  readonly script?: readonly Reply[];
  readonly before: readonly Step[];
  /** The provider is Bedrock, which refuses calls in a request without tools. */
  readonly isBedrock?: boolean;
  /** The words of the first part. */
  readonly says: RegExp;
}

const load: Reply = { calls: [{ name: 'load_tools', arguments: { group_id: 'mcp:mail' } }] };
const call: Reply = { calls: [{ name: 'few__create_issue', arguments: {} }] };
const ROWS: Readonly<Record<string, Row>> = {
  'before the first turn': { groups: many, before: [], says: /^tools [\d,]+ of [\d,]+ tokens$/ },
  'before it, all declared': { groups: few, before: [], says: /^tools ([\d,]+) of \1 tokens$/ },
  'before it, bridge': { groups: many, strategy: 'bridge', before: [], says: /^tools / },
  'after a turn': { groups: many, before: [{ say: 'Hello' }], says: /^tools [\d,]+ of / },
  'after a turn, all declared': {
    groups: few,
    before: [{ say: 'Hello' }],
    says: /^tools ([\d,]+) of \1 /,
  },
  'after loads': {
    groups: many,
    script: [load],
    before: [{ say: 'Load.' }],
    says: /^tools [\d,]+ of /,
  },
  'a role after it': {
    groups: many,
    before: [{ say: 'Hello' }, { role: 'clerk' }],
    says: /^tools /,
  },
  compacted: { groups: many, before: [{ say: LONG }, 'compact'], says: /^tools [\d,]+ of / },
  'off before it': { groups: many, before: [{ tools: false }], says: /^tools off$/ },
  'off after a greeting': {
    groups: many,
    before: [{ say: 'Hi' }, { tools: false }],
    says: /^tools off$/,
  },
  'off after a long message': {
    ...{ groups: many, before: [{ say: LONG }, { tools: false }] },
    says: /^tools off, [\d,]+ tokens still sent in this epoch$/,
  },
  'off, and another turn': {
    ...{ groups: many, before: [{ say: LONG }, { tools: false }, { say: 'And?' }] },
    says: /^tools off, [\d,]+ tokens still sent in this epoch$/,
  },
  'off, and a role': {
    ...{ groups: many, before: [{ say: LONG }, { tools: false }, { say: 'A' }, { role: 'clerk' }] },
    says: /^tools off$/,
  },
  'off, compacted, and another turn': {
    groups: many,
    before: [{ say: LONG }, { tools: false }, { say: 'A' }, 'compact', { say: LONG }],
    says: /^tools off$/,
  },
  'off after calls, left out, and on again': {
    ...{ groups: many, strategy: 'dispatch', script: [load] },
    before: [{ say: 'Load.' }, { tools: false }, { say: 'A' }, { tools: true }],
    says: /^tools [\d,]+ of /,
  },
  'off, left out, and another turn': {
    ...{ groups: many, before: [{ say: 'Hi' }, { tools: false }, { say: 'And?' }] },
    says: /^tools off$/,
  },
  'on again': {
    ...{ groups: many, before: [{ say: 'Hi' }, { tools: false }, { say: 'A' }, { tools: true }] },
    says: /^tools [\d,]+ of /,
  },
  'off after calls, on Bedrock': {
    ...{ groups: few, script: [call], isBedrock: true },
    ...{ before: [{ say: 'Do it' }, { tools: false }] },
    says: /^tools off, \d\d tokens still sent with a stub$/,
  },
  'off after calls, on Bedrock, and another turn': {
    ...{ groups: few, script: [call], isBedrock: true },
    before: [{ say: 'Do it' }, { tools: false }, { say: LONG }],
    says: /^tools off, \d\d tokens still sent with a stub$/,
  },
  'off after a greeting, on Bedrock': {
    ...{ groups: few, isBedrock: true, before: [{ say: 'Hi' }, { tools: false }] },
    says: /^tools off$/,
  },
  'off after calls, elsewhere': {
    ...{ groups: few, script: [call], before: [{ say: 'Do it' }, { tools: false }] },
    says: /^tools off$/,
  },
  'no server': { groups: [], before: [], says: /^no tools$/ },
  'no server, and a tool that reads results again': {
    ...{ groups: [], tools: createRecall().tools, before: [] },
    says: /^no tools$/,
  },
  'no server, after a turn': { groups: [], before: [{ say: 'Hello' }], says: /^no tools$/ },
  'servers starting': { groups: starting, before: [], says: /^no tools$/ },
  'servers known after a greeting': {
    ...{ groups: starting, before: [{ say: 'Hello' }, { servers: many }] },
    says: /^tools [\d,]+ of /,
  },
};

describe('the indicator says what the next request holds', () => {
  for (const [name, row] of Object.entries(ROWS))
    test(name, async () => {
      const replies = [...(row.script ?? [])];
      await using server = await startModelServer({
        script: () => replies.shift() ?? { text: 'Ok.' },
      });
      const own = createAnthropic({ apiKey: 'none', baseURL: server.baseUrl('anthropic') })(
        'claude-sonnet-4-5',
      );
      const bedrock = { model: own, middleware: {}, providerId: 'amazon-bedrock' };
      const model = row.isBedrock ? wrapLanguageModel(bedrock) : own;
      const made = createFold({
        ...{ groups: row.groups, roles: { clerk: { tools: ['mcp:mail'] } } },
        ...(row.tools ? { tools: row.tools as never } : {}),
        ...(row.strategy ? { strategy: row.strategy } : {}),
      });
      const fold = made as unknown as AgentFold;
      const session = await createSession(memoryStore(), {});
      const agent = createAgent({
        session,
        model,
        fold,
        routing: 'off',
        approvals: { mode: 'never' },
        settings: { maxRetries: 0 },
      });
      const events: AgentEvent[] = [];
      let [areToolsOn, role] = [true, undefined as string | undefined];
      const take = async (turn: AsyncIterable<AgentEvent>) => {
        for await (const event of turn) events.push(event);
      };
      for (const step of row.before) {
        if (step === 'compact') await take(agent.compact());
        else if ('say' in step) await take(agent.send(step.say));
        else if ('tools' in step) {
          areToolsOn = step.tools;
          agent.setTools(areToolsOn);
        } else if ('servers' in step) made.update(step.servers);
        else {
          agent.configure({ role: step.role });
          role = step.role ?? undefined;
        }
      }
      const view = screenOf(events);
      const modelName = view.turns[0]?.start?.model ?? MODEL;
      const strategy = row.strategy;
      const query = { model: modelName, role: role ?? null };
      const sentBefore = sentWith(session.entries);
      const used = { model: modelName, role, strategy, sent: sentBefore };
      const planned = plannedStrategy(view.turns, used);
      const plan = await planNow(fold, { ...query, strategy: planned });
      const facts = { areToolsOn, plan, ...used };
      const next = nextRequest(view.turns, facts);
      // A session that another process has written shows the same.
      const rebuilt = screenOf([...eventsOf(session.entries)]);
      assert.deepEqual(nextRequest(rebuilt.turns, facts), next);
      const shown = indicatorOf(view, { ...facts, loaded: 0, currency: undefined, now: [] });
      assert.match(shown.parts[0]?.text ?? '', row.says);
      assert.equal(shown.areToolsOn, areToolsOn && (next.all ?? 0) > 0);
      for (const width of [60, 80])
        assert.ok(visibleWidth(shown.parts[0]?.text ?? '') + 2 <= width);

      await take(agent.send('Now?'));
      const { request, start } = screenOf(events).turns.at(-1) ?? {};
      const sent = request?.tokens ?? assert.fail();
      const held = next.because === 'epoch' ? request?.strategy : 'none';
      if (!areToolsOn) assert.equal(start?.strategy, held);
      const body = countBody(server.requests.at(-1) ?? assert.fail(), estimateTokens);
      assert.equal(body.tools, sent.inline + sent.bridges + sent.loaded);
      const actual = body.tools + sent.catalog + (sent.later ?? 0) - sent.loaded;
      assert.ok(
        Math.abs((next.tools ?? Number.NaN) - actual) <= 0.05 * actual,
        `${next.tools} shown, ${actual} sent`,
      );
    });
});
