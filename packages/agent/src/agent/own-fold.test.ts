import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createFold, type SdkToolGroup } from '@toolfold/ai-sdk';
import { ENDPOINTS, modelOn } from '@toolfold/ai-sdk/test/endpoints.test-support.ts';
import { groups, ownTools, type Runs } from '@toolfold/ai-sdk/test/folds.test-support.ts';
import { ToolfoldError, type ToolfoldErrorCode } from '@toolfold/core/internal/errors.ts';
import { parseConfig } from '@toolfold/mcp/internal/config/read-config.ts';
import { startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import type { LanguageModel } from 'ai';
import { collect, ended } from '../../test/agent.test-support.ts';
import type { AgentFold, AgentOptions, AgentToolOptions } from '../options/options.ts';
import { BUILT_IN_ROLES, rolesWith } from '../routing/roles.ts';
import { createSubagents } from '../tasks/tool.ts';
import { createAgent } from './agent.ts';

const model: LanguageModel = 'anthropic/claude-sonnet-4-5';
const named: SdkToolGroup = { groupId: 'mcp:a', toolNames: ['x'], loader: async () => [] };

function foldOf(options: object): AgentFold {
  return createFold(options) as unknown as AgentFold;
}

function make(options: object): ReturnType<typeof createAgent> {
  return createAgent({ model, ...options } as AgentToolOptions);
}

function refusal(options: object, code: ToolfoldErrorCode = 'invalid-option'): string {
  try {
    make(options);
  } catch (error) {
    assert.ok(error instanceof ToolfoldError, String(error));
    assert.equal(error.code, code);
    return error.message;
  }
  return assert.fail(`taken: ${Object.keys(options).join()}`);
}

/** The names that a role of the agent's fold may use. */
function allowed({ fold }: ReturnType<typeof createAgent>, role: string): string[] {
  const { tools } = fold.explain('anthropic/claude-sonnet-4-5', { role, strategy: 'eager' });
  return tools.filter(({ status }) => status !== 'hidden').map(({ name }) => name);
}

suite('an agent without a fold', () => {
  test('makes one of its tools, groups and roles', async () => {
    const runs: Runs = [];
    const script = [
      { calls: [{ name: 'ask', arguments: { question: 'Which?' } }] },
      { calls: [{ name: 'deploy', arguments: { target: 'x' } }] },
      { text: 'Done.' },
    ];
    await using server = await startModelServer({ script });
    const agent = createAgent({
      model: modelOn(server, ENDPOINTS[0] ?? assert.fail()),
      tools: ownTools(runs),
      groups: groups(runs),
      strategy: 'dispatch',
      roles: { clerk: { tools: ['ask', 'mcp:github'], maxRounds: 9 } },
      role: 'clerk',
      approvals: { mode: 'never' },
      settings: { maxRetries: 0 },
    });
    assert.equal(ended(await collect(agent.send('Go.'))).text, 'Done.');
    // The role holds, and so do the rounds it has.
    assert.deepEqual(
      runs.map(({ tool }) => tool),
      ['ask'],
    );
    const system = JSON.stringify(server.requests[0]?.body.system);
    assert.ok(system.includes('mcp:github') && !system.includes('linear'));
  });

  test('has the built-in roles, and its own merged with them key by key', () => {
    const tools = { ...ownTools([]), shell: ownTools([]).ask };
    const roles = {
      coder: { maxRounds: 3 },
      chat: { tools: ['ask'] },
      mine: { tools: ['deploy'] },
    };
    const agent = make({ tools, roles });
    assert.deepEqual(Object.keys(agent.fold.roles), [...Object.keys(BUILT_IN_ROLES), 'mine']);
    assert.deepEqual(agent.fold.roles, rolesWith(roles));
    assert.deepEqual(allowed(agent, 'coder'), ['shell']);
    assert.deepEqual(allowed(agent, 'chat'), ['ask']);
    assert.deepEqual(allowed(agent, 'mine'), ['deploy']);
    assert.deepEqual(allowed(agent, 'distill'), []);
    for (const role of Object.keys(BUILT_IN_ROLES)) assert.doesNotThrow(() => make({ role }));
  });

  test('takes a whole block of settings as a file has it', () => {
    const text = `{ "toolfold": {
      "strategy": false, "exposure": { "shell": "hidden" }, "catalog": { "budget": 500 },
      "roles": { "mine": { "tools": ["ask"] } }, "routing": "off", "maxRounds": 3,
      "categories": { "birds": { "words": ["owl"], "tools": ["mcp:birds"] }, "web": false },
      "models": { "m": { "price": { "input": 1, "output": 2 } } },
      "approvals": { "mode": "always" }, "subagents": { "roles": ["mine"] },
      "servers": { "a": { "trusted": true } }, "currency": "EUR", "notify": "off", "titles": true,
      "projectInstructions": false, "serve": { "mode": "eager" }
    } }`;
    const { settings } = parseConfig('c.json', text, { env: {} });
    // That this compiles is half of the test.
    const agent = createAgent({ model, groups: [named], tools: ownTools([]), ...settings });
    assert.deepEqual(allowed(agent, 'mine'), ['ask']);
    assert.ok(agent.fold.layer.fingerprintOf('subagents'));
    assert.equal(agent.fold.explain(model).strategy, 'eager');
  });

  test('takes subagents as they were made, as settings, or on and off', () => {
    const has = (subagents: unknown) =>
      make({ subagents }).fold.layer.fingerprintOf('subagents') !== undefined;
    for (const on of [true, {}, { wide: true }, createSubagents({ depth: 2 })]) assert.ok(has(on));
    for (const off of [false, undefined]) assert.ok(!has(off));
    const made = createSubagents();
    // As one writes it where the fold is made by hand.
    assert.doesNotThrow(() => make({ subagents: made, tools: { ...made.tools } }));
    const other = { subagents: createSubagents({ wide: true }).tools.subagents };
    assert.match(refusal({ subagents: made, tools: other }), /"tools\.subagents"/);
    assert.match(refusal({ subagents: { wides: true } }), /"subagents\.wides".*"wide"\?/);
    assert.match(refusal({ subagents: { roles: ['nobody'] } }), /"subagents\.roles".*"nobody"/);
    assert.doesNotThrow(() => make({ subagents: { roles: ['research'] } }));
    for (const wrong of ['on', 5, null, []])
      assert.match(refusal({ subagents: wrong }), /"subagents" .*an object/);
  });

  test('with wrong settings is not made', () => {
    for (const [options, expected] of [
      [{ rolle: 'chat' }, /createAgent\(\) has no option "rolle"\. Did you mean "role"/],
      [{ role: '' }, /"role" .*not blank/],
      [{ role: 5 }, /"role"/],
      [{ roles: null }, /"roles"/],
      [{ roles: { a: { tool: ['x'] } } }, /no option "roles\.a\.tool".*"tools"\?/],
      [{ roles: { a: { tools: 'x' } } }, /"roles\.a\.tools" .*a list of strings, or false/],
      [{ approvals: { modes: 'never' } }, /no option "approvals\.modes".*"mode"\?/],
      [{ approvals: { mode: 'off' } }, /"approvals\.mode" .*one of annotations, always, never/],
      [{ approvals: { allow: [' '] } }, /"approvals\.allow\[0\]" .*not blank/],
      [{ approvals: { ask: true } }, /"approvals\.ask" .*a function/],
      [{ approvals: 'never' }, /"approvals" /],
      [{ routing: 'narow' }, /"routing" .*one of off, preload, narrow/],
      [{ models: { m: { price: { input: 1 } } } }, /"models\.m\.price\.output"/],
      [{ models: { m: { strategy: 'fast' } } }, /"models\.m\.strategy" .*one of eager/],
      [{ categories: [{ name: 'x', words: 'y', tools: [] }] }, /"categories\[0\]\.words"/],
      [{ categories: { x: { words: [] } } }, /"categories\.x\.tools"/],
      [{ categories: 5 }, /"categories" /],
      [{ hooks: { beforeToolcall: () => {} } }, /no option "hooks\.beforeToolcall".*ToolCall"\?/],
      [{ hooks: { afterToolCall: 'deny' } }, /"hooks\.afterToolCall" .*a function/],
      [{ instructions: 5 }, /"instructions" .*a string/],
      [{ messages: 'Hi.' }, /"messages" .*a list/],
      [{ settings: [] }, /"settings" /],
      [{ onWarning: 'log' }, /"onWarning" .*a function/],
      [{ strategy: 'fast' }, /"fast" is not a strategy/],
      [{ exposure: { x: 'visible' } }, /"exposure\.x" /],
      [{ groups: {} }, /"groups" /],
    ] as const)
      assert.match(refusal(options), expected);
  });
});

suite('an agent over a fold', () => {
  test('has the roles of the fold, with the rounds they have', async () => {
    const runs: Runs = [];
    const ask = { calls: [{ name: 'ask', arguments: { question: 'What?' } }] };
    await using server = await startModelServer({ script: [ask, { text: 'Done.' }] });
    const roles = { short: { tools: ['ask'], maxRounds: 1 } };
    const agent = createAgent({
      model: modelOn(server, ENDPOINTS[0] ?? assert.fail()),
      fold: foldOf({ tools: ownTools(runs), roles }),
      role: 'short',
      approvals: { mode: 'never' },
    });
    assert.equal(ended(await collect(agent.send('Go.'))).reason, 'rounds');
    assert.equal(runs.length, 1);
  });

  test('is given roles once: the same again change nothing, others are refused', () => {
    const roles = { a: { tools: ['x'], maxRounds: 2 } };
    const fold = foldOf({ roles });
    assert.doesNotThrow(() => make({ fold, roles: { a: { maxRounds: 2, tools: ['x'] } } }));
    for (const other of [{}, { a: { tools: ['x'] } }, { ...roles, b: {} }, rolesWith(roles)])
      assert.match(refusal({ fold, roles: other }), /"roles" .*nothing beside a fold/);
    assert.match(refusal({ fold: foldOf({}), roles }), /"roles" /);
  });

  test('what it was made with stays as it was', () => {
    const roles = { a: { tools: ['x'] } };
    const fold = createFold({ roles });
    assert.throws(() => Object.assign(fold.roles, { b: {} }), TypeError);
    assert.throws(() => Object.assign(fold.roles.a ?? {}, { tools: undefined }), TypeError);
    roles.a.tools.push('*');
    assert.deepEqual(fold.roles, { a: { tools: ['x'] } });
    assert.deepEqual(createFold().roles, {});
  });

  test('options of the fold stand beside it in vain, and are refused', () => {
    const fold = foldOf({});
    for (const option of ['tools', 'groups', 'strategy', 'exposure', 'catalog', 'frameResults'])
      assert.match(refusal({ fold, [option]: {} }), new RegExp(`"${option}" .*beside a fold`));
    assert.doesNotThrow(() => make({ fold, groups: undefined, onWarning: () => {} }));
  });

  test('a role that the fold does not have is refused at once, a built-in one with the way to it', () => {
    const fold = foldOf({ roles: { mine: {} } });
    assert.match(refusal({ fold, role: 'yours' }, 'unknown-role'), /Defined roles: mine/);
    assert.match(refusal({ fold, role: 'coder' }, 'unknown-role'), /roles: rolesWith\(\)/);
    assert.match(refusal({ fold, role: 'toString' }, 'unknown-role'), /no role "toString"/);
    assert.doesNotThrow(() => make({ fold: foldOf({ roles: rolesWith() }), role: 'coder' }));
  });
});

suite('the length of results', () => {
  test('is limited in a fold that the agent makes, and given by a fold that it gets', () => {
    assert.equal(make({}).fold.maxResultLength, 100_000);
    assert.equal(make({ maxResultLength: 500 }).fold.maxResultLength, 500);
    assert.equal(make({ fold: foldOf({}) }).fold.maxResultLength, Infinity);
    assert.match(refusal({ maxResultLength: 5 }), /maxResultLength/);
  });
});

suite('a role that finds none of its tools', () => {
  /** What is said when an agent is made. */
  function warnings(options: Partial<AgentOptions> | Partial<AgentToolOptions>): string[] {
    const texts: string[] = [];
    make({ ...options, onWarning: (text: string) => texts.push(text) });
    return texts;
  }

  test('says so when the agent is made, with what it looked for', () => {
    const roles = { lost: { tools: ['mcp:nowhere', 'pay'] }, off: { groups: ['mcp:gone'] } };
    for (const options of [{ roles }, { fold: foldOf({ groups: [named], roles }) }]) {
      const [text = '', ...others] = warnings({ ...options, role: 'lost' });
      assert.match(text, /"lost" names tools, but no available tool matches mcp:nowhere, pay\. /);
      assert.deepEqual(others, []);
      assert.match(warnings({ ...options, role: 'off' })[0] ?? '', /matches mcp:gone\./);
    }
    assert.match(warnings({ role: 'coder' })[0] ?? '', /"coder" .* and \d+ more\./);
  });

  test('says nothing where it finds some, wants none, or is not the one in use', () => {
    const roles = { lost: { tools: ['mcp:nowhere'] }, found: { tools: ['mcp:a', 'mcp:nowhere'] } };
    for (const role of [undefined, 'chat', 'distill', 'found', 'admin'])
      assert.deepEqual(warnings({ groups: [named], roles, role }), [], role);
  });

  test('waits for groups that name their tools only when they load', () => {
    const unnamed: SdkToolGroup = { groupId: 'mcp:later', loader: async () => [] };
    const looks = (tools: readonly string[], more: object = {}) =>
      warnings({
        groups: [unnamed],
        strategy: 'eager',
        roles: { r: { tools, ...more } },
        role: 'r',
      });
    for (const glob of ['mcp:later', 'mcp:later/x', 'later__*', '*'])
      assert.deepEqual(looks([glob]), [], glob);
    assert.equal(looks(['mcp:other', 'x']).length, 1);
    assert.equal(looks(['mcp:later'], { groups: ['mcp:other'] }).length, 1);
    const bare = { ...unnamed, prefix: false };
    const options = { groups: [bare], roles: { r: { tools: ['x'] } }, role: 'r' };
    assert.deepEqual(warnings({ ...options, strategy: 'eager' }), []);
    // One that cannot be used has none.
    const down = { ...unnamed, unavailable: { reason: 'down' } };
    assert.equal(warnings({ ...options, groups: [down] }).length, 1);
  });

  test('has them where a group comes later', () => {
    const agent = make({ roles: { r: { tools: ['mcp:a'] } }, role: 'r' });
    agent.fold.update([named]);
    assert.deepEqual(allowed(agent, 'r'), ['a__x']);
  });
});
