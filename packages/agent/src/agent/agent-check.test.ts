import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createFold } from '@toolfold/ai-sdk';
import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import type { LanguageModel } from 'ai';
import type { AgentHooks } from '../events/events.ts';
import type { AgentFold, AgentOptions } from '../options/options.ts';
import type { WorkerOptions } from '../subagents/child.ts';
import { createSubagents, type Subagents } from '../tasks/tool.ts';
import { createAgent, createWorker } from './agent.ts';
import { checkMoneyBudget } from './agent-check.ts';

const model: LanguageModel = 'anthropic/claude-sonnet-4-5';

function foldOf(tools: object = {}): AgentFold {
  return createFold({ tools } as Parameters<typeof createFold>[0]) as unknown as AgentFold;
}

const subagents = createSubagents();
const fold = foldOf(subagents.tools);

/** What is thrown, which must be for the host to mend. */
function refusal(make: () => unknown): string {
  try {
    make();
  } catch (error) {
    assert.ok(error instanceof ToolfoldError, String(error));
    assert.equal(error.code, 'invalid-option');
    return error.message;
  }
  return assert.fail('nothing was thrown');
}

function agent(options: object): () => unknown {
  return () => createAgent({ model, fold, ...options } as AgentOptions);
}

const notMade: readonly unknown[] = [
  true,
  null,
  {},
  { roles: ['a'] },
  { tools: subagents.tools },
  { options: {} },
  { tools: {}, options: {} },
  { tools: null, options: {} },
  { tools: subagents.tools, options: null },
  [],
];

suite('options of an agent', () => {
  test('what is no model or no fold is refused in words', () => {
    for (const wrong of [undefined, null, {}, () => {}])
      assert.match(refusal(agent({ model: wrong })), /"model".*a language model of the AI SDK/);
    // Without a fold an agent makes one.
    for (const wrong of [null, {}, () => {}])
      assert.match(refusal(agent({ fold: wrong })), /"fold".*`createFold\(\)`/);
  });

  test('subagents are those that createSubagents made, over a fold that has their tool', () => {
    assert.doesNotThrow(agent({ subagents }));
    assert.doesNotThrow(agent({}));
    for (const wrong of notMade)
      assert.match(refusal(agent({ subagents: wrong })), /"subagents".*createSubagents/);
    assert.match(refusal(agent({ subagents, fold: foldOf() })), /createFold\(\{ tools/);
  });

  test("the fold's tool of that name is this one and no other", () => {
    // Made twice with what shows in the tool alike, it is the same tool.
    const alike = createSubagents({ budget: { tokens: 5 } });
    assert.doesNotThrow(agent({ subagents: alike }));
    const described = { ...subagents.tools.subagents, description: 'Other.' };
    for (const other of [
      createSubagents({ wide: true }).tools,
      createSubagents({ roles: ['a'] }).tools,
      { subagents: described },
    ]) {
      const text = refusal(agent({ subagents, fold: foldOf(other) }));
      assert.match(text, /the fold has another tool of that name/);
    }
  });

  test('an agent with hooks on calls has to say which its subagents have', () => {
    const hook = () => undefined;
    const own: readonly AgentHooks[] = [{ beforeToolCall: hook }, { afterToolCall: [hook] }];
    for (const hooks of own) {
      assert.match(refusal(agent({ subagents, hooks })), /"subagents\.hooks".*ToolCall/);
      for (const given of [{}, hooks])
        assert.doesNotThrow(agent({ hooks, subagents: createSubagents({ hooks: given }) }));
      assert.doesNotThrow(agent({ hooks }));
    }
    assert.doesNotThrow(agent({ subagents, hooks: { transformSystemPrompt: String } }));
  });

  test('roles of subagents are roles of the agent', () => {
    const team = createSubagents({ roles: ['toString'] });
    const over = { fold: foldOf(team.tools), subagents: team };
    assert.match(refusal(agent(over)), /"subagents\.roles".*"toString" is none/);
    const fold = createFold({ tools: { ...team.tools }, roles: { toString: {} } });
    assert.doesNotThrow(agent({ ...over, fold }));
  });

  test('a function for the engine of subagents has to make one', () => {
    const made = (engine: unknown) =>
      agent({ subagents: createSubagents({ engine: () => engine as never }) });
    assert.doesNotThrow(made({ start: () => {} }));
    for (const wrong of [undefined, null, {}, { start: true }, Promise.resolve()])
      assert.match(refusal(made(wrong)), /"subagents\.engine".*function `start`/);
  });

  test('a request is sent again so many times', () => {
    const retries = (maxRetries: unknown) =>
      agent({ settings: { maxRetries: maxRetries as number } });
    for (const right of [undefined, 0, 5]) assert.doesNotThrow(retries(right));
    for (const wrong of [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '2', null])
      assert.match(refusal(retries(wrong)), /"settings\.maxRetries".*whole number/);
  });

  test('what is left undefined is left out', () => {
    const none = undefined;
    const options = { role: none, roles: none, instructions: none, approvals: none, models: none };
    assert.doesNotThrow(agent({ ...options, hooks: none, settings: none, messages: none }));
    const made = createSubagents({ roles: none, budget: none, engine: none, model: none });
    assert.doesNotThrow(agent({ ...options, subagents: made, models: { m: { price: none } } }));
  });

  test('a price says what a million tokens read and written cost', () => {
    const priced = (price: unknown) => agent({ models: { m: { price } } });
    assert.doesNotThrow(priced({ input: 0, output: 5 }));
    assert.doesNotThrow(priced({ input: 1, output: 5, cacheRead: 0.1, cacheWrite: undefined }));
    for (const [price, name] of [
      [null, ''],
      [5, ''],
      [[1, 2], ''],
      [{}, '.input'],
      [{ input: 1 }, '.output'],
      [{ output: 1 }, '.input'],
      [{ input: -1, output: 1 }, '.input'],
      [{ input: 1, output: '5' }, '.output'],
      [{ input: Number.NaN, output: 5 }, '.input'],
      [{ input: 1, output: Number.POSITIVE_INFINITY }, '.output'],
      [{ input: 1, output: 5, cacheRead: -1 }, '.cacheRead'],
      [{ input: 1, output: 5, cacheWrite: '1' }, '.cacheWrite'],
      [{ input: 1, output: 5, cacheread: 1 }, '.cacheread'],
    ] as const)
      assert.ok(refusal(priced(price)).includes(`"models.m.price${name}"`), String(name));
  });

  test('rounds are whole numbers, of the agent, of models and of roles', () => {
    for (const maxRounds of [0, 1.5, '5', null]) {
      for (const [options, name] of [
        [{ maxRounds }, 'maxRounds'],
        [{ models: { m: { maxRounds } } }, 'models.m.maxRounds'],
        [{ roles: { r: { maxRounds } } }, 'roles.r.maxRounds'],
      ] as const)
        assert.ok(refusal(agent(options)).includes(`"${name}"`));
    }
  });

  test('a budget in money needs a price', () => {
    const price = { input: 1, output: 5 };
    const check = (subagents: Subagents | undefined, known?: typeof price) => () =>
      checkMoneyBudget({ model, fold, ...(subagents ? { subagents } : {}) }, 'a/b', known);
    const inMoney = createSubagents({ budget: { cost: 1 } });
    assert.match(refusal(check(inMoney)), /"subagents\.budget\.cost".*models\['a\/b'\]\.price/);
    assert.doesNotThrow(check(inMoney, price));
    assert.doesNotThrow(check(createSubagents({ budget: { tokens: 1 } })));
    // Whose children have models of their own is told by what they cost.
    assert.doesNotThrow(check(createSubagents({ budget: { cost: 1 }, model: () => model })));
    assert.doesNotThrow(check(undefined));
  });
});

suite('options of a worker', () => {
  const worker = (options: unknown) => () => createWorker(options as WorkerOptions);

  test('are subagents, a fold with their tool, and a model', () => {
    assert.doesNotThrow(worker({ subagents, fold, model }));
    assert.doesNotThrow(worker({ subagents, fold, model, inherited: { routing: 'off' } }));
    for (const wrong of [...notMade, undefined])
      assert.match(refusal(worker({ subagents: wrong, fold, model })), /createSubagents/);
    for (const wrong of [undefined, null, {}, { layer: {} }, 'fold'])
      assert.match(refusal(worker({ subagents, fold: wrong, model })), /"fold".*createFold/);
    for (const wrong of [undefined, null, '', 5, () => model])
      assert.match(refusal(worker({ subagents, fold, model: wrong })), /"model"/);
    for (const wrong of [null, 'roles', []])
      assert.match(refusal(worker({ subagents, fold, model, inherited: wrong })), /"inherited"/);
    for (const wrong of [undefined, null, 'all']) assert.match(refusal(worker(wrong)), /"options"/);
    const other = foldOf(createSubagents({ wide: true }).tools);
    assert.match(refusal(worker({ subagents, fold: other, model })), /another tool of that name/);
  });
});
