import assert from 'node:assert/strict';
import { describe, mock, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { anthropic as provider } from '@ai-sdk/anthropic';
import { startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { generateText, isStepCount, type ToolSet, tool, toolSearch } from 'ai';
import { z } from 'zod';
import { createFold, type FoldOptions, type WithOptions } from '../src/index.ts';
import { ENDPOINTS, type Endpoint, modelOn } from './endpoints.test-support.ts';

const endpoint = ENDPOINTS[0] as Endpoint;
const inputSchema = z.object({ name: z.string() });
const execute = async () => 'found';
const find = tool({ inputSchema, execute });
const calls = [{ name: 'find', arguments: { name: 'Ada' } }];

async function settled(): Promise<void> {
  await import('@toolfold/core/internal/session/ignored-settings.ts');
  for (let turns = 0; turns < 5; turns++) await setImmediate();
}

interface Told extends Pick<FoldOptions<ToolSet>, 'strategy' | 'exposure' | 'groups' | 'roles'> {
  readonly tools?: ToolSet;
  readonly with?: WithOptions;
  /** How the app uses the fields. */
  readonly use?: (fields: object) => object;
  readonly modelId?: string;
}

/** The warnings of one generation with a call of `find`, and of a second one. */
async function warningsOf({ with: view, use, modelId, ...options }: Told): Promise<string[]> {
  const warnings: string[] = [];
  await using server = await startModelServer({ script: () => ({ calls }) });
  const onWarning = (text: string) => warnings.push(text);
  const fold = createFold<ToolSet>({ tools: { find }, ...options, onWarning });
  const used = modelOn(server, endpoint, modelId);
  for (let times = 0; times < 2; times++) {
    const fields = fold.with(used, view);
    const given = use ? use(fields) : fields;
    await generateText({ ...given, prompt: 'Go.', stopWhen: isStepCount(1) } as never);
  }
  await settled();
  return warnings;
}

const RULES: readonly {
  readonly name: string;
  readonly text: RegExp;
  readonly appears: readonly Told[];
  readonly silent: readonly Told[];
}[] = [
  {
    name: 'a strategy that defers nothing',
    text: /"dispatch" was asked for, and nothing is deferred: all 1 tool stay declared|there are no tools/,
    appears: [
      { strategy: 'dispatch', exposure: { '*': 'inline' } },
      { strategy: 'dispatch', tools: { find: tool({ inputSchema, execute, strict: true }) } },
    ],
    silent: [{ strategy: 'dispatch' }, {}, { strategy: 'eager' }],
  },
  {
    name: 'a mark that eager ignores',
    text: /"find" is marked as deferred/,
    appears: [
      { strategy: 'eager', tools: { find: tool({ inputSchema, execute, deferLoading: true }) } },
    ],
    silent: [
      { strategy: 'eager', tools: { find: tool({ inputSchema, execute, deferLoading: false }) } },
      { tools: { find: tool({ inputSchema, execute, deferLoading: true }) } },
    ],
  },
  {
    name: 'a glob that matches no tool',
    text: /the glob "fnid" in (exposure|the role "r"|only|without) matches no tool/,
    appears: [
      { exposure: { fnid: 'inline' } },
      { roles: { r: { tools: ['fnid', 'find'] } }, with: { role: 'r' } },
      { with: { only: ['find', 'fnid'] } },
      { with: { without: ['fnid'] } },
    ],
    silent: [
      { exposure: { find: 'inline' } },
      {
        // The provider's own tools have no schema here, but names.
        tools: { find, web: provider.tools.webSearch_20250305() as ToolSet[string] },
        roles: { r: { tools: ['web', 'find'] } },
        with: { role: 'r' },
      },
    ],
  },
  {
    name: 'native that is replaced',
    text: /"native" was asked for, and "dispatch" is used: no way .*claude-3-haiku/,
    appears: [{ strategy: 'native', modelId: 'claude-3-haiku' }],
    silent: [
      { strategy: 'native', modelId: 'claude-opus-5-5' },
      { strategy: 'auto', modelId: 'claude-3-haiku' },
    ],
  },
  {
    name: "the SDK's own search",
    text: /"search" is the AI SDK's toolSearch\(\), which finds nothing here/,
    appears: [{ tools: { find, search: toolSearch() } }],
    silent: [{ tools: { find, search: find } }],
  },
  {
    name: 'a toolApproval of the fold that is not in use',
    text: /`toolApproval` of `fold.with` is not in use/,
    appears: [
      {
        with: { hooks: { beforeToolCall: () => undefined } },
        use: ({ toolApproval: _, ...fields }: { toolApproval?: unknown }) => fields,
      },
      {
        with: { toolApproval: { find: 'approved' } },
        use: (fields) => ({ ...fields, toolApproval: () => 'not-applicable' }),
      },
    ],
    silent: [
      { with: { hooks: { beforeToolCall: () => undefined } } },
      { use: ({ toolApproval: _, ...fields }: { toolApproval?: unknown }) => fields },
    ],
  },
];

describe('promise 63: settings that have no effect', () => {
  for (const { name, text, appears, silent } of RULES) {
    test(`promise 63: ${name}: told once for each view or fold`, async () => {
      for (const told of appears) {
        const warnings = (await warningsOf(told)).filter((one) => text.test(one));
        const isOfFields = /toolApproval/.test(String(text));
        assert.equal(warnings.length, isOfFields ? 2 : 1, JSON.stringify(told));
      }
    });

    test(`promise 63: ${name}: not told where it has an effect`, async () => {
      for (const told of silent)
        assert.deepEqual(
          (await warningsOf(told)).filter((one) => text.test(one)),
          [],
          JSON.stringify(told),
        );
    });
  }

  test('promise 63: a model that was given after the fields is reported at the first call of a tool', async () => {
    const other = async (isLast: boolean) => {
      await using server = await startModelServer({ script: [{ calls }, { text: 'Hi.' }] });
      const warnings: string[] = [];
      const fold = createFold({ tools: { find }, onWarning: (text) => warnings.push(text) });
      const plain = modelOn(server, endpoint);
      const fields = fold.with(plain);
      const first: object = { model: plain };
      const given = isLast ? { ...fields, model: plain } : { ...first, ...fields };
      await generateText({ ...given, prompt: 'Go.', stopWhen: isStepCount(2) });
      return warnings;
    };
    const [warning, ...more] = await other(true);
    assert.match(warning ?? '', /find was called by a model that Toolfold does not see/);
    assert.match(warning ?? '', /spread its fields last/);
    assert.deepEqual(more, []);
    assert.deepEqual(await other(false), []);
  });

  test('promise 63: a model from prepareStep that Toolfold does not see is reported at the first call of a tool', async () => {
    // Other tests of the process have seen the usual ids.
    let count = 0;
    const own = () => calls.map((call) => ({ ...call, id: `prepared-${++count}` }));
    await using server = await startModelServer({ script: () => ({ calls: own() }) });
    const warnings: string[] = [];
    const onWarning = (text: string) => void warnings.push(text);
    const fold = createFold({ tools: { find }, strategy: 'dispatch', onWarning });
    const plain = modelOn(server, endpoint);
    const prepareStep = ({ stepNumber }: { stepNumber: number }) =>
      stepNumber === 0 ? {} : { model: plain };
    const settings = { ...fold.with(plain), prompt: 'Go.', stopWhen: isStepCount(3) };
    await generateText({ ...settings, prepareStep });
    assert.equal(warnings.length, 1, warnings.join('\n'));
    assert.match(warnings[0] ?? '', /find was called by a model that Toolfold does not see/);
    assert.match(warnings[0] ?? '', /From `prepareStep`, return the `model` of another/);
  });

  test('promise 63: a tool that toolChoice names and nobody has is reported once, with the nearest name', async () => {
    const choices = async (toolName: string, strategy: 'eager' | 'dispatch') => {
      await using server = await startModelServer({
        script: () => ({ text: 'Hi.' }),
        strict: false,
      });
      const warnings: string[] = [];
      const onWarning = (text: string) => void warnings.push(text);
      const fold = createFold<ToolSet>({ tools: { find_file: find }, strategy, onWarning });
      const fields = fold.with(modelOn(server, endpoint));
      const toolChoice = { type: 'tool', toolName } as const;
      for (let times = 0; times < 2; times++)
        // The scripted model writes a text, which the AI SDK reports.
        await assert.rejects(generateText({ ...fields, prompt: 'Go.', toolChoice }), {
          name: 'AI_ToolChoiceViolationError',
        });
      return warnings.filter((text) => text.includes('toolChoice'));
    };
    for (const strategy of ['eager', 'dispatch'] as const) {
      const [first, ...more] = await choices('fnd_file', strategy);
      assert.match(first ?? '', /names "fnd_file", and there is no such tool.*"find_file"\?/);
      assert.deepEqual(more, []);
      assert.deepEqual(await choices('find_file', strategy), []);
    }
    assert.deepEqual(await choices('load_tools', 'dispatch'), []);
  });

  test('promise 63: a tool that code calls, and the model of another view, are no such model', async () => {
    await using server = await startModelServer({ script: [{ calls }, { text: 'Hi.' }] });
    const warnings: string[] = [];
    const fold = createFold({ tools: { find }, onWarning: (text) => warnings.push(text) });
    const fields = fold.with(modelOn(server, endpoint));
    await fields.tools.find.execute?.({ name: 'Ada' }, { toolCallId: '1', messages: [] } as never);
    const other = fold.with(modelOn(server, endpoint));
    const prepareStep = () => ({ model: other.model });
    await generateText({ ...fields, prompt: 'Go.', stopWhen: isStepCount(2), prepareStep });
    assert.deepEqual(warnings, []);
  });

  test('promise 63: one option collects warnings, or silences them; without it they go to the console', async () => {
    const { mock: written } = mock.method(console, 'warn', () => {});
    try {
      createFold({ tools: { find, search: toolSearch() } });
      assert.match(String(written.calls[0]?.arguments[0]), /^toolfold: "search" is/);
      createFold({ tools: { find, search: toolSearch() }, onWarning: false });
      assert.equal(written.callCount(), 1);
    } finally {
      mock.restoreAll();
    }
    assert.throws(() => createFold({ onWarning: true as never }), /onWarning/);
  });
});
