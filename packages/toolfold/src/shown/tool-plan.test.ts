import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AgentEvent } from '@toolfold/agent/internal/events/events.ts';
import { screenOf } from '@toolfold/agent/internal/events/screen.ts';
import type { AgentFold } from '@toolfold/agent/internal/options/options.ts';
import { createFold } from '@toolfold/ai-sdk';
import { measure } from '@toolfold/core/internal/estimate.ts';
import { jsonSchema, tool } from 'ai';
import { loadedTools, schemaTokens, ToolPlans } from './tool-plan.ts';

const read = tool({
  description: 'Reads it.',
  inputSchema: jsonSchema({ type: 'object', properties: { path: { type: 'string' } } }),
  execute: async () => '',
});
const groupOf = (groupId: string) => ({
  ...{ groupId, toolNames: ['read', 'other'] },
  loader: async () => ({ read, other: read }),
});
const load = (group: string, ...tools: string[]): AgentEvent => ({ type: 'load', group, tools });

/** A fold of two servers that both have a tool `read`. Its schemas have been counted. */
async function foldOfServers(): Promise<AgentFold> {
  const fold = createFold({
    tools: { own: read },
    groups: [groupOf('mcp:files'), groupOf('mcp:mail')],
  }) as unknown as AgentFold;
  await measure(fold.layer);
  return fold;
}

test('tools of one name on two servers are two, and preloading and loading one of them is one', async () => {
  const fold = await foldOfServers();
  const events: AgentEvent[] = [
    ...[{ type: 'user', text: 'Go.' } as const, load('mcp:files', 'read')],
    ...[load('mcp:mail', 'read'), { type: 'preload', tools: ['files__read'] } as const],
    ...[load('app', 'own'), load('mcp:gone', 'read')],
  ];
  const names = (of: readonly AgentEvent[]) => [...loadedTools(screenOf(of).turns, fold)];
  assert.deepEqual(names(events), ['files__read', 'mail__read', 'own', 'read']);
  const compaction: AgentEvent = {
    ...{ type: 'compaction', cause: 'user', summary: '', before: 9, after: 1 },
  };
  const later = [...events, compaction, load('mcp:mail', 'other')];
  assert.deepEqual(names(later), ['mail__other']);
});

test('the tokens of a load are known by the names in its group', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const fold = await foldOfServers();
  const counted = Promise.withResolvers<void>();
  const plans = new ToolPlans({ pool: { onChange: () => () => {} }, fold }, counted.resolve);
  assert.equal(plans.tokensOf({ group: 'mcp:files', tools: ['read'] }), undefined);
  context.mock.timers.tick(1_000);
  await counted.promise;
  const size = schemaTokens(fold).get('files__read') ?? Number.NaN;
  assert.ok(size > 0);
  assert.equal(plans.tokensOf({ group: 'mcp:files', tools: ['read'] }), size);
  assert.equal(plans.tokensOf({ tools: ['files__read', 'mail__read'] }), 2 * size);
  assert.equal(plans.tokensOf({ group: 'mcp:gone', tools: ['read'] }), undefined);
});
