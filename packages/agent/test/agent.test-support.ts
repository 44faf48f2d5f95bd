import assert from 'node:assert/strict';
import { createFold, type FoldOptions } from '@toolfold/ai-sdk';
import { ENDPOINTS, type Endpoint, modelOn } from '@toolfold/ai-sdk/test/endpoints.test-support.ts';
import { foldOptions, type Runs } from '@toolfold/ai-sdk/test/folds.test-support.ts';
import { auditPrefix, formatAuditReport } from '@toolfold/testing/internal/audit/audit-prefix.ts';
import type { ModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import type { ToolSet } from 'ai';
import { createAgent } from '../src/agent/agent.ts';
import type { AgentEvent } from '../src/events/events.ts';
import type { Agent, AgentOptions, StampedEvent } from '../src/options/options.ts';

export interface World {
  readonly fold?: Partial<FoldOptions<ToolSet>>;
  readonly agent?: Partial<AgentOptions>;
  readonly endpoint?: Endpoint;
}

interface Begun {
  readonly talk: Agent;
  readonly runs: Runs;
  readonly fold: ReturnType<typeof createFold>;
}

/** Creates an agent on a scripted server and records every tool run. */
export function begin(server: ModelServer, { fold = {}, agent = {}, endpoint }: World = {}): Begun {
  const runs: Runs = [];
  const given = foldOptions(runs);
  const options = { ...given, groups: given.groups.slice(0, 2), ...fold };
  const made = createFold(options as FoldOptions<ToolSet>) as unknown as Begun['fold'];
  const talk = createAgent({
    model: modelOn(server, endpoint ?? ENDPOINTS[0] ?? assert.fail()),
    fold: made,
    approvals: { mode: 'never' },
    routing: 'off',
    settings: { maxRetries: 0 },
    ...agent,
  });
  return { talk, runs, fold: made };
}

/** The events of a turn without their place and time. */
export async function collect(events: AsyncIterable<AgentEvent>): Promise<AgentEvent[]> {
  const all: AgentEvent[] = [];
  for await (const event of events) all.push(unstamped(event));
  return all;
}

/** An event without its place and time. What is hidden from JSON stays. */
export function unstamped(event: AgentEvent): AgentEvent {
  const {
    seq: _,
    turn: __,
    step: ___,
    at: ____,
    ...rest
  } = Object.getOwnPropertyDescriptors(event as StampedEvent);
  return Object.defineProperties({}, rest) as AgentEvent;
}

/** The last event, which must be an `end`. */
export function ended(events: readonly AgentEvent[]): Extract<AgentEvent, { type: 'end' }> {
  const end = events.at(-1);
  return end?.type === 'end' ? end : assert.fail('no end');
}

export function assertHeld({ requests }: ModelServer): void {
  const report = auditPrefix(requests);
  assert.ok(report.held, formatAuditReport(report));
}
