import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { auditPrefix, formatAuditReport } from '@toolfold/testing/internal/audit/audit-prefix.ts';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { combinations, selection } from '@toolfold/testing/test/combinations.test-support.ts';
import { isStepCount, NoSuchToolError, ToolLoopAgent, type ToolSet, tool } from 'ai';
import { z } from 'zod';
import { createFold, type WithOptions } from '../../src/index.ts';
import { ENDPOINTS, modelOn } from '../endpoints.test-support.ts';
import { REDACTED, Talk, type TalkOptions } from '../talk.test-support.ts';
import { callsOn, resultsOn } from '../wire.test-support.ts';

const endpoint = ENDPOINTS[1] ?? assert.fail();
const UNKNOWN = 'find_custmer';
const TARGET = 'crm__find_customer';
const GIVEN = { name: 'Ada' };

const WAYS: Readonly<Record<string, { name: string; arguments: object }>> = {
  direct: { name: UNKNOWN, arguments: GIVEN },
  'through the dispatcher': {
    name: 'deferred_tool_call',
    arguments: { tool_name: UNKNOWN, arguments: GIVEN },
  },
};
const NAMES = Object.keys(WAYS);

const ROWS = combinations({
  way: NAMES,
  mode: ['generate', 'stream'] as const,
  route: ['live', 'json', 'ui'] as const,
  handing: ['spread', 'two fields'] as const,
});

interface Asked {
  readonly toolCall: { readonly toolName: string; readonly input: string };
  readonly error: Error;
}
type Repair = (asked: Asked) => Promise<object | null>;

/** A conversation whose model calls an unknown name. `runs`: what the tools of the app got. */
async function converse(
  options: Pick<TalkOptions, 'mode' | 'route' | 'handing'> & { readonly with?: WithOptions },
  calls: readonly { name: string; arguments: object }[],
  repair: Repair,
  { answer, more = [] }: { answer?: boolean; more?: Reply[] } = {},
) {
  const runs: unknown[] = [];
  const execute = (input: unknown) => {
    runs.push(input);
    return { found: input };
  };
  const inputSchema = z.object({ name: z.string() });
  const find = tool({ inputSchema, execute });
  const script: Reply[] = [...more, { calls: [...calls] }, { text: 'Done.' }, { text: 'Bye.' }];
  await using server = await startModelServer({ script });
  const loader = async () => ({ find_customer: find });
  const groups = [{ groupId: 'crm', toolNames: ['find_customer'], loader }];
  const tools = { own: find } as ToolSet;
  const talk = new Talk({
    ...options,
    model: modelOn(server, endpoint),
    fold: () => createFold({ strategy: 'dispatch', tools, groups }),
  });
  const asked: Asked[] = [];
  const repairToolCall: Repair = (question) => {
    asked.push(question);
    return repair(question);
  };
  await talk.say('Go.', { repairToolCall } as never);
  if (answer !== undefined) {
    assert.deepEqual(runs, [], 'runs before the user has answered');
    await talk.answer({ approved: answer });
  }
  await talk.say('And?');
  const last = server.requests.at(-1) ?? assert.fail();
  const report = auditPrefix(server.requests);
  assert.ok(report.held, formatAuditReport(report));
  return { runs, asked, talk, results: resultsOn(last).map(({ text }) => text), last };
}

const toTarget: Repair = async ({ toolCall }) => ({ ...toolCall, toolName: TARGET });
const PLAIN = { mode: 'generate', route: 'live', handing: 'spread' } as const;

describe(`a call of an unknown name and the app's \`repairToolCall\`, ${selection}`, () => {
  for (const way of NAMES) {
    const call = WAYS[way] ?? assert.fail();
    const rows = ROWS.filter((row) => row.way === way);

    test(`${way}: it gets the name and the arguments, and a repaired call runs`, async () => {
      for (const row of rows) {
        const { asked, runs, results, last } = await converse(row, [call], toTarget);
        const where = JSON.stringify(row);
        assert.equal(asked.length, 1, where);
        const { toolCall, error } = asked[0] ?? assert.fail();
        assert.ok(NoSuchToolError.isInstance(error), where);
        assert.equal(error.toolName, UNKNOWN);
        assert.ok(error.availableTools?.includes(TARGET));
        assert.equal(toolCall.toolName, UNKNOWN);
        assert.deepEqual(JSON.parse(toolCall.input), GIVEN);
        assert.deepEqual(runs, [GIVEN], where);
        assert.match(results[0] ?? '', /"found"/, where);
        // The model reads its own call again.
        assert.deepEqual(
          callsOn(last).map(({ name }) => name),
          [call.name],
        );
      }
    });

    for (const [name, repair] of [
      ['without a repair', async () => null],
      ['with a repair that fails', () => Promise.reject(new Error('out of order'))],
      ['repaired to itself', async ({ toolCall }) => toolCall],
      ['repaired to another unknown name', async (asked) => ({ ...asked.toolCall, toolName: 'x' })],
    ] as readonly (readonly [string, Repair])[]) {
      test(`promise 16: ${way}, ${name}: the model reads the near names, and no list`, async () => {
        for (const row of rows) {
          const { asked, runs, results, talk } = await converse(row, [call], repair);
          const where = JSON.stringify(row);
          assert.equal(asked.length, 1, where);
          assert.deepEqual(runs, [], where);
          assert.equal(results.length, 1, where);
          const text = results[0] ?? '';
          assert.match(text, /unknown_tool/, where);
          if (!name.endsWith('another unknown name')) assert.match(text, new RegExp(TARGET), where);
          assert.doesNotMatch(text, new RegExp(REDACTED));
          assert.doesNotMatch(JSON.stringify([talk.messages, talk.ui]), /Available tools/, where);
        }
      });
    }
  }

  test('the same unknown name twice in one response is offered for repair twice', async () => {
    for (const mode of ['generate', 'stream'] as const) {
      const calls = NAMES.map((way) => WAYS[way] ?? assert.fail());
      const { asked, results } = await converse({ ...PLAIN, mode }, calls, async () => null);
      assert.equal(asked.length, 2, mode);
      assert.equal(results.length, 2);
      for (const text of results) assert.match(text, /unknown_tool/);
    }
  });

  test('a repaired call is checked as any other', async () => {
    const call = WAYS.direct ?? assert.fail();
    const denying: string[] = [];
    const beforeToolCall = ({ name }: { name: string }) => {
      denying.push(name);
      return { deny: 'not today' };
    };
    for (const mode of ['generate', 'stream'] as const) {
      for (const target of [TARGET, 'own']) {
        const to: Repair = async ({ toolCall }) => ({ ...toolCall, toolName: target });
        const row = { ...PLAIN, mode };
        const where = `${mode}, ${target}`;
        for (const handing of ['spread', 'two fields'] as const) {
          denying.length = 0;
          const options = { ...row, handing, with: { hooks: { beforeToolCall } } };
          const denied = await converse(options, [call], to);
          assert.deepEqual(denied.runs, [], where);
          assert.deepEqual([...new Set(denying)], [target], where);
          assert.match(denied.results[0] ?? '', /not today/, where);
        }

        const hidden = await converse({ ...row, with: { without: [target] } }, [call], to);
        assert.deepEqual(hidden.runs, [], where);
        assert.doesNotMatch(hidden.results[0] ?? '', /"found"/, where);

        for (const answer of [true, false]) {
          const settings = { toolApproval: { [target]: 'user-approval' } } as WithOptions;
          const approved = await converse({ ...row, with: settings }, [call], to, { answer });
          assert.deepEqual(approved.runs, answer ? [GIVEN] : [], where);
        }

        const invalid = await converse(row, [call], async ({ toolCall }) => ({
          ...toolCall,
          ...{ toolName: target, input: '{"name":3}' },
        }));
        assert.deepEqual(invalid.runs, [], where);
        assert.equal(invalid.results.length, 1, where);
      }
    }
  });

  test('the hook `resolveToolCall` is asked first', async () => {
    const hooks = { resolveToolCall: () => TARGET };
    const call = WAYS.direct ?? assert.fail();
    const { asked, runs } = await converse({ ...PLAIN, with: { hooks } }, [call], toTarget);
    assert.equal(asked.length, 0);
    assert.deepEqual(runs, [GIVEN]);
  });

  test('an agent of the SDK', async () => {
    const runs: unknown[] = [];
    const inputSchema = z.object({ name: z.string() });
    const find = tool({ inputSchema, execute: (input) => void runs.push(input) });
    const call = WAYS['through the dispatcher'] ?? assert.fail();
    await using server = await startModelServer({ script: [{ calls: [call] }, { text: 'Done.' }] });
    const loader = async () => ({ find_customer: find });
    const fold = createFold({
      strategy: 'dispatch',
      groups: [{ groupId: 'crm', toolNames: ['find_customer'], loader }],
    });
    const agent = new ToolLoopAgent({
      ...fold.with(modelOn(server, endpoint)),
      stopWhen: isStepCount(3),
      repairToolCall: toTarget,
    } as never);
    await agent.generate({ prompt: 'Go.' });
    assert.deepEqual(runs, [GIVEN]);
  });
});
