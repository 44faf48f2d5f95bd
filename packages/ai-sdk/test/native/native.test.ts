import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { auditPrefix, formatAuditReport } from '@toolfold/testing/internal/audit/audit-prefix.ts';
import {
  type ModelServer,
  type Reply,
  startModelServer,
} from '@toolfold/testing/internal/doubles/model-server.ts';
import { generateText, isStepCount, type ToolSet } from 'ai';
import { createFold, type Fold, type FoldOptions } from '../../src/index.ts';
import { type CallSettings, Conversation, type Route } from '../conversation.test-support.ts';
import { dialectOf, modelOn, NATIVE_ENDPOINTS } from '../endpoints.test-support.ts';
import { foldOptions, groups, type Runs } from '../folds.test-support.ts';
import { addedOn, callsOn, resultsOn, toolsOn } from '../wire.test-support.ts';

const GITHUB = 'github__create_issue';
const LINEAR = 'linear__create_issue';
const bug = { title: 'bug' };

function assertHeld({ requests }: ModelServer): void {
  const report = auditPrefix(requests);
  assert.ok(report.held, formatAuditReport(report));
}

for (const endpoint of NATIVE_ENDPOINTS) {
  const { form } = endpoint;
  const { load, call, loader } = dialectOf(form);
  const isReference = form === 'anthropic-reference' || form === 'anthropic-search';

  /** A fold, a conversation, and the runs of its tools; one process unless the route says otherwise. */
  function begin(
    server: ModelServer,
    options: Partial<FoldOptions<ToolSet>> = {},
    route: Route = 'live',
    settings: CallSettings = {},
  ) {
    const runs: Runs = [];
    const given = {
      ...foldOptions(runs),
      groups: groups(runs).slice(0, 2),
      strategy: 'native' as const,
      capabilities: endpoint.capabilities,
      ...options,
    };
    const make = () => createFold(given as FoldOptions<ToolSet>) as unknown as Fold<ToolSet>;
    const fold = make();
    const model = modelOn(server, endpoint);
    const talk = new Conversation({
      mode: 'stream',
      route,
      model,
      fold: route === 'live' ? () => fold : make,
      settings: { ...endpoint.settings, ...settings },
    });
    return { fold, talk, runs, model };
  }
  const last = (server: ModelServer) => server.requests.at(-1) ?? assert.fail();

  describe(`native, ${form}`, () => {
    test('promise 41: appends each schema once, where it was first loaded, even if it is loaded again', async () => {
      const script: Reply[] = [
        { calls: [load('mcp:github', 'create_issue'), load('mcp:linear')] },
        { calls: [load('mcp:github', 'create_issue'), call(GITHUB, bug)] },
        { text: 'Done.' },
        { calls: [load('mcp:github', 'create_issue', 'list_issues')] },
        { text: 'Done.' },
      ];
      for (const route of ['live', 'json', 'ui'] as const) {
        await using server = await startModelServer({ script });
        const { talk } = begin(server, {}, route);
        await talk.say('Go.');
        await talk.say('More.');
        assertHeld(server);
        const whole = [GITHUB, LINEAR, 'linear__toString', 'github__list_issues'];
        assert.deepEqual(addedOn(last(server)), whole);
        for (const request of server.requests) {
          assert.deepEqual(toolsOn(request), toolsOn(last(server)));
        }
      }
    });

    test('promise 41: appends a changed schema again, announces a removed tool, and edits no message', async () => {
      const script: Reply[] = [
        { calls: [load('mcp:github', 'create_issue'), load('mcp:linear', 'create_issue')] },
        { text: 'Done.' },
        { calls: [load('mcp:github', 'create_issue')] },
        { calls: [call(GITHUB, { body: 'new' }), call(LINEAR, bug)] },
        { text: 'Done.' },
      ];
      await using server = await startModelServer({ script });
      const { talk, fold, runs } = begin(server);
      await talk.say('Go.');
      const [github] = groups(runs);
      assert.ok(github);
      const schema = {
        type: 'object',
        properties: { body: { type: 'string' } },
        required: ['body'],
      };
      const changed = async () => [
        { name: 'create_issue', inputSchema: schema, execute: () => 'made anew' },
      ];
      const toolNames = ['create_issue'];
      fold.update([{ ...github, toolNames, fingerprint: 'v2', loader: changed }]);
      await talk.say('Again.');
      assertHeld(server);
      const { raw } = last(server);
      assert.equal(raw.split('[Notice from the application').length - 1 >= 1, true);
      assert.match(raw, /group mcp:linear was removed/);
      const [made, gone] = resultsOn(last(server)).slice(-2);
      assert.match(made?.text ?? '', /made anew/);
      assert.match(gone?.text ?? '', /tool_removed/);
      // By reference, declared tools cannot change: the new schema appears as text.
      const twice = addedOn(last(server)).filter((name) => name === GITHUB);
      assert.equal(twice.length, isReference ? 1 : 2);
      assert.equal(raw.split('body').length > 1, true);
    });

    test('a tool whose load was dropped by compaction stays callable, and can be loaded again', async () => {
      const script: Reply[] = [
        { calls: [load('mcp:github', 'create_issue')] },
        { text: 'Done.' },
        { calls: [call(GITHUB, bug)] },
        { calls: [load('mcp:github', 'create_issue')] },
        { text: 'Done.' },
      ];
      await using server = await startModelServer({ script });
      const { talk, runs } = begin(server);
      await talk.say('Go.');
      talk.messages = [{ role: 'user', content: 'So far: nothing.' }];
      await talk.say('Again.');
      assert.deepEqual(
        runs.map(({ tool }) => tool),
        [GITHUB],
      );
      assert.deepEqual(addedOn(server.requests[2] ?? assert.fail()), []);
      assert.deepEqual(addedOn(last(server)), [GITHUB]);
    });

    test('a forced tool is called, and stays where it was appended', async () => {
      const script: Reply[] = [{ calls: [call(GITHUB, bug)] }, { text: 'Done.' }, { text: 'Bye.' }];
      for (const route of ['live', 'json', 'ui'] as const) {
        await using server = await startModelServer({ script });
        const { talk, runs } = begin(server, {}, route);
        const toolChoice = { type: 'tool', toolName: GITHUB };
        const prepareStep = ({ stepNumber }: { stepNumber: number }) =>
          stepNumber === 0 ? { toolChoice } : { toolChoice: 'auto' };
        await talk.say('Go.', { prepareStep });
        await talk.say('And?');
        assert.deepEqual(
          runs.map(({ tool }) => tool),
          [GITHUB],
        );
        assertHeld(server);
        const inResults = form === 'anthropic-search';
        assert.deepEqual(addedOn(last(server)), inResults ? [] : [GITHUB]);
        assert.match(server.requests[0]?.raw ?? '', /call github__create_issue now/);
      }
    });

    test('search hits are callable, with a catalog that dropped names', async () => {
      const search = form === 'openai-search' ? 'search_listed_tools' : 'tool_search';
      const script: Reply[] = [
        { calls: [{ name: search, arguments: { query: 'create issue in linear', limit: 1 } }] },
        { calls: [call(LINEAR, bug)] },
        { text: 'Done.' },
      ];
      await using server = await startModelServer({ script });
      const { talk, runs } = begin(server, { catalog: { budget: 30 } });
      await talk.say('Go.');
      assertHeld(server);
      assert.deepEqual(addedOn(last(server)), [LINEAR]);
      assert.deepEqual(
        runs.map(({ tool }) => tool),
        [LINEAR],
      );
    });

    test('a repeated failing load gets a remark', async () => {
      const wrong = { name: loader, arguments: { group_id: 'nowhere' } };
      const script: Reply[] = [{ calls: [wrong] }, { calls: [wrong] }, { text: 'I give up.' }];
      await using server = await startModelServer({ script });
      const { talk } = begin(server);
      await talk.say('Go.');
      assertHeld(server);
      assert.match(last(server).raw, /failed 2 times|\\?"attempt\\?":2/);
    });

    test('the state continues in a process with additional tools', async () => {
      const script: Reply[] = [
        { calls: [load('mcp:github', 'create_issue')] },
        { text: 'Done.' },
        { calls: [call(GITHUB, bug)] },
        { text: 'Done.' },
      ];
      await using server = await startModelServer({ script });
      const first = begin(server);
      await first.talk.say('Go.');
      const kept = JSON.stringify(await first.fold.state(first.model, first.talk.messages));
      const more = { groupId: 'mcp:more', toolNames: ['x'], loader: async () => [] };
      const second = begin(server, { groups: [...groups([]).slice(0, 2), more] });
      const { model, tools } = second.fold.with(second.model, { state: JSON.parse(kept) });
      const messages = [...first.talk.messages, { role: 'user' as const, content: 'And?' }];
      const all = { ...endpoint.settings, model, tools, messages, stopWhen: isStepCount(5) };
      await generateText(all as Parameters<typeof generateText>[0]);
      assertHeld(server);
      const called = callsOn(last(server)).map(({ name }) => name);
      assert.deepEqual(called, [loader, GITHUB]);
      assert.deepEqual(addedOn(last(server)), [GITHUB]);
    });
  });
}
