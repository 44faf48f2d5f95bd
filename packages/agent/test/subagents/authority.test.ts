// test: slow, harm
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ownTools } from '@toolfold/ai-sdk/test/folds.test-support.ts';
import { BRIDGE, DISPATCH } from '@toolfold/ai-sdk/test/scenarios.test-support.ts';
import { callsOn, resultsOn, toolsOn } from '@toolfold/ai-sdk/test/wire.test-support.ts';
import { type StrategyChoice, strategyNames } from '@toolfold/core/internal/tool/strategies.ts';
import { isRecord } from '@toolfold/core/internal/values/json.ts';
import {
  type ReplyCall,
  startModelServer,
} from '@toolfold/testing/internal/doubles/model-server.ts';
import type { RecordedRequest } from '@toolfold/testing/internal/wire/recorded-request.ts';
import { isFull } from '@toolfold/testing/test/combinations.test-support.ts';
import type { AgentHooks } from '../../src/events/events.ts';
import { createSubagents } from '../../src/tasks/tool.ts';
import { begin, collect, ended, type World } from '../agent.test-support.ts';
import { endsIn, ofChildren, reportIn, scripted, send, tasks, team } from './team.test-support.ts';

const bug = { title: 'bug' };

/** The parent may list issues and start subagents. It has no tool of linear, no write tool and no `deploy`. */
const roles = {
  parent: { tools: ['github__list_issues', 'ask', 'subagents'] },
  wider: { tools: ['*'] },
  elsewhere: { tools: ['linear__*'] },
  vanished: { tools: ['mcp:gone/*'] },
  mute: { tools: [] },
};
const world = (more: World['agent'] = {}, fold: World['fold'] = {}): World => ({
  fold: { roles, ...fold },
  agent: { role: 'parent', roles, ...more },
});

/** All ways in which a model can try to reach a tool, in each dialect. */
const ROUTES: Readonly<Record<string, readonly ReplyCall[]>> = {
  'its own name': [{ name: 'linear__create_issue', arguments: bug }],
  'its bare name': [{ name: 'create_issue', arguments: bug }],
  'the dispatcher': [DISPATCH.call('linear__create_issue', bug)],
  'the dispatcher, bare name': [DISPATCH.call('create_issue', bug)],
  'the caller': [BRIDGE.call('linear__create_issue', bug)],
  'a load before': [DISPATCH.load('mcp:linear'), DISPATCH.call('linear__create_issue', bug)],
  'a description': [BRIDGE.load('mcp:linear', 'linear__create_issue')],
  'a search': [{ name: 'tool_search', arguments: { query: 'create issue linear' } }],
  'an own tool': [{ name: 'deploy', arguments: { target: 'prod' } }],
  'an own tool through the dispatcher': [DISPATCH.call('deploy', { target: 'prod' })],
  'a bridge in a bridge': [DISPATCH.call('deferred_tool_call', { tool_name: 'deploy' })],
  'subagents of its own': [
    { name: 'subagents', arguments: { tasks: [{ id: 'x', task: 'deploy', role: 'wider' }] } },
  ],
  'subagents through the dispatcher': [
    DISPATCH.call('subagents', { tasks: [{ id: 'x', task: 'deploy', role: 'wider' }] }),
  ],
};

/** How many routes a child tries in one step. */
const AT_ONCE = isFull ? 1 : 3;

/** The calls of each step of a child that tries every route. */
function steps(): ReplyCall[][] {
  const routes = Object.values(ROUTES);
  const count = Math.ceil(routes.length / AT_ONCE);
  return Array.from({ length: count }, (_, step) =>
    routes.slice(step * AT_ONCE, (step + 1) * AT_ONCE).flat(),
  );
}

/** The text of a request without what the model wrote itself. A result may repeat each value once. */
function shownOn(request: RecordedRequest): string {
  const calls = new Map(callsOn(request).map((call) => [call.id, call]));
  const results = resultsOn(request).map(({ id, text }) => {
    const { name, input } = calls.get(id) ?? assert.fail(id);
    const written = [name, ...stringsIn(input)].map((value) => JSON.stringify(value));
    return written.reduce((left, value) => left.replace(value, ''), text);
  });
  const others = JSON.stringify(request.body, (_, part) =>
    isRecord(part) && (part.role === 'assistant' || part.type === 'tool_result') ? null : part,
  );
  return [others, ...results].join('\n');
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value) || isRecord(value) ? Object.values(value).flatMap(stringsIn) : [];
}

describe('a subagent may use only tools that its parent may use', () => {
  for (const strategy of strategyNames as readonly StrategyChoice[]) {
    for (const role of [undefined, 'wider'] as const) {
      test(`promise 44: ${strategy}, role ${role ?? 'of the parent'}: every route is refused`, async () => {
        const calls = steps();
        const script = scripted(
          [send([{ id: 'a', task: 'escape', ...(role ? { role } : {}) }]), { text: 'Sent.' }],
          ({ step }) => (calls[step] ? { calls: calls[step] } : { text: 'I could not.' }),
        );
        await using server = await startModelServer({ script, strict: false });
        const options = role ? { roles: [role] } : {};
        const { talk, runs } = team(server, { ...options, maxRounds: 40 }, world({}, { strategy }));
        const events = await collect(talk.send('Go.'));
        assert.equal(ended(events).reason, 'done', String(ended(events).error));
        assert.deepEqual(runs, []);
        assert.deepEqual(endsIn(events), { a: 'done' });
        const bodies = ofChildren(server);
        assert.equal(bodies.length, calls.length + 1);
        // The child was never shown the group or one of its tools, except in its own text.
        for (const [step, body] of bodies.entries()) {
          assert.equal(resultsOn(body).length, calls.slice(0, step).flat().length);
          assert.doesNotMatch(shownOn(body), /linear|create_issue|deploy|explode/);
          assert.ok(!toolsOn(body).includes('subagents'));
        }
      });
    }
  }

  test('promise 23: a role without any tool that the parent has fails its own task only', async () => {
    const script = scripted(
      [
        send([
          { id: 'none', task: 'use linear', role: 'elsewhere' },
          { id: 'gone', task: 'use what is gone', role: 'vanished' },
          { id: 'mute', task: 'think', role: 'mute' },
        ]),
      ],
      () => ({ text: 'Thought.' }),
    );
    await using server = await startModelServer({ script });
    const given = { roles: ['elsewhere', 'vanished', 'mute'] };
    const { talk } = team(server, given, world());
    const events = await collect(talk.send('Go.'));
    assert.deepEqual(endsIn(events), { none: 'failed', gone: 'failed', mute: 'done' });
    const [none, gone, mute] = reportIn(events)?.results ?? [];
    assert.match(none?.error ?? '', /role 'elsewhere'/);
    assert.match(gone?.error ?? '', /role 'vanished'/);
    assert.equal(mute?.answer, 'Thought.');
  });

  test('a role that the app has not offered is refused before anything starts', async () => {
    const script = scripted([send([{ id: 'a', task: 'x', role: 'wider' }])], () => ({ text: '' }));
    await using server = await startModelServer({ script });
    const { talk } = team(server, { roles: ['mute'] }, world());
    const events = await collect(talk.send('Go.'));
    assert.equal(reportIn(events), undefined);
    assert.ok(events.some((event) => event.type === 'failure' && /mute/.test(event.error)));
    assert.deepEqual(endsIn(events), {});
  });

  test('the role decides whether the parent has the tool at all', async () => {
    await using server = await startModelServer({ script: [{ text: 'Alone.' }] });
    const narrow = { roles: { few: { tools: ['ask'] } }, role: 'few' };
    const { talk } = team(server, {}, { fold: { roles: narrow.roles }, agent: narrow });
    const events = await collect(talk.send('Go.'));
    assert.ok(!toolsOn(server.requests[0] ?? assert.fail()).includes('subagents'));
    assert.ok(events.some((event) => event.type === 'warning' && /subagents/.test(event.text)));
  });

  test('an agent without subagents hides the tool and warns', async () => {
    await using server = await startModelServer({ script: [{ text: 'Alone.' }] });
    const tools = { ...ownTools([]), ...createSubagents().tools };
    const { talk } = begin(server, { fold: { tools } });
    const events = await collect(talk.send('Go.'));
    assert.ok(!toolsOn(server.requests[0] ?? assert.fail()).includes('subagents'));
    assert.ok(events.some((event) => event.type === 'warning' && /subagents/.test(event.text)));
  });

  test('promise 44: memory tools and tools that send to the user are given only if the app allows it', async () => {
    const toolsOfChild = async (withhold: readonly string[] | undefined) => {
      const calls = ['memory__recall', 'github__list_issues'].map((name) => ({
        calls: [DISPATCH.call(name, {})],
      }));
      const script = scripted([send(tasks(1))], ({ step }) => calls[step] ?? { text: 'Done.' });
      await using server = await startModelServer({ script, strict: false });
      const subagents = createSubagents(withhold ? { withhold } : {});
      const ran: string[] = [];
      const named = (name: string) => ({
        name,
        inputSchema: { type: 'object' },
        execute: () => ran.push(name),
      });
      const group = (id: string, name: string) => ({
        groupId: id,
        toolNames: [name],
        loader: async () => [named(name)],
      });
      const { talk } = begin(server, {
        fold: {
          tools: {
            ask_user: { ...ownTools([]).ask },
            look: { ...ownTools([]).ask },
            ...subagents.tools,
          },
          groups: [group('mcp:memory', 'recall'), group('mcp:github', 'list_issues')],
        },
        agent: { subagents },
      });
      await collect(talk.send('Go.'));
      const child = ofChildren(server)[0];
      const own = toolsOn(child ?? assert.fail()).filter((name) =>
        /ask_user|look|subagents/.test(name),
      );
      return [...own.sort(), ...ran];
    };
    assert.deepEqual(await toolsOfChild(undefined), ['look', 'list_issues']);
    assert.deepEqual(await toolsOfChild(['look']), ['ask_user', 'recall', 'list_issues']);
    assert.deepEqual(await toolsOfChild([]), ['ask_user', 'look', 'recall', 'list_issues']);
  });

  test('children do not get hooks, history and system text of the parent', async () => {
    const judged: string[] = [];
    const hooks: AgentHooks = {
      beforeToolCall: ({ name }) => {
        judged.push(name);
        return undefined;
      },
    };
    const script = () =>
      scripted([send(tasks(1))], ({ step }) =>
        step === 0 ? { calls: [DISPATCH.call('github__list_issues', {})] } : { text: 'Done.' },
      );
    for (const own of [{}, hooks]) {
      judged.length = 0;
      await using server = await startModelServer({ script: script() });
      const agent = { hooks, instructions: 'SECRET PARENT TEXT' };
      const { talk } = team(server, { hooks: own }, { agent });
      await collect(talk.send('SECRET USER TEXT'));
      assert.deepEqual(
        judged,
        own === hooks ? ['subagents', 'github__list_issues'] : ['subagents'],
      );
      const child = ofChildren(server)[0];
      assert.doesNotMatch(child?.raw ?? assert.fail(), /SECRET/);
    }
  });

  test("children inherit the parent's settings of the model call, but no callbacks", async () => {
    const script = scripted([send(tasks(1))], ({ step }) =>
      step === 0 ? { calls: [{ name: 'deploy', arguments: { target: 'x' } }] } : { text: 'Done.' },
    );
    await using server = await startModelServer({ script, strict: false });
    let ended = 0;
    const settings = {
      ...{ temperature: 0.25, maxRetries: 0, toolChoice: 'auto' as const },
      activeTools: ['subagents', 'ask'],
      onStepFinish: () => void ended++,
    };
    const { talk, runs } = team(server, {}, { agent: { settings } });
    await collect(talk.send('Go.'));
    assert.equal(ended, 2);
    assert.deepEqual(runs, []);
    const child = ofChildren(server)[0];
    assert.equal(child?.body.temperature, 0.25);
  });

  test('an agent with hooks must set the hooks of its subagents', async () => {
    await using server = await startModelServer({ script: [] });
    const hooks = { beforeToolCall: () => ({ deny: 'no' }) };
    assert.throws(() => team(server, {}, { agent: { hooks } }), /subagents\.hooks/);
    assert.doesNotThrow(() => team(server, { hooks }, { agent: { hooks } }));
  });

  test('children of one role send the same prefix for all tasks', async () => {
    const script = scripted([send(tasks(3), { shared_context: 'All know this.' })], ({ step }) =>
      step === 0 ? { calls: [DISPATCH.load('mcp:github')] } : { text: 'Done.' },
    );
    await using server = await startModelServer({ script });
    const { talk } = team(server, {});
    await collect(talk.send('Go.'));
    const firsts = server.requests.filter(
      ({ body, raw }) => raw.includes('# Your task') && (body.messages as unknown[]).length === 1,
    );
    const prefixes = firsts.map(({ raw }) => raw.split('# Your task')[0]);
    assert.equal(firsts.length, 3);
    // Anthropic's body has the messages before the tools, so the other fields are compared separately.
    assert.equal(
      new Set(firsts.map(({ body }) => JSON.stringify([body.system, body.tools]))).size,
      1,
    );
    assert.equal(new Set(prefixes).size, 1);
  });
});
