import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { generateText, isStepCount, type LanguageModel, type ToolSet, tool } from 'ai';
import { z } from 'zod';
import { createFold, type FoldOptions, type SdkToolGroup } from '../../src/index.ts';
import { ENDPOINTS, modelOn } from '../endpoints.test-support.ts';

const remove = tool({ inputSchema: z.object({}), execute: async () => 'deleted' });
const tools = { delete_file: remove };
const group = (groupId: string, toolNames: string[], more: object = {}): SdkToolGroup => ({
  groupId,
  toolNames,
  loader: async () => Object.fromEntries(['find', 'wipe'].map((name) => [name, remove])),
  ...more,
});
const crm = group('crm', ['find', 'wipe']);
const live = (...groups: SdkToolGroup[]) => ({ groups, onChange: () => () => {} });
const endpoint = ENDPOINTS[0] ?? assert.fail();

/** Never called: the compiler checks it. */
function typed(model: LanguageModel): void {
  const fold = createFold({ tools, groups: [crm] });
  fold.with(model, {
    toolApproval: {
      delete_file: 'user-approval',
      crm__wipe: () => 'denied',
      load_tools: { type: 'approved' },
    },
  });
  // @ts-expect-error its calls are those of other tools
  fold.with(model, { toolApproval: { deferred_tool_call: 'user-approval' } });
  // @ts-expect-error no tool has this name
  fold.with(model, { toolApproval: { delet_file: 'user-approval' } });
  const wide: ToolSet = tools;
  createFold({ tools: wide }).with(model, { toolApproval: { delet_file: 'user-approval' } });
}

/** The warnings of a fold that makes one request with these names in `toolApproval`. */
async function warningsOf(
  options: Pick<FoldOptions<ToolSet>, 'tools' | 'groups' | 'names'>,
  ...names: string[]
): Promise<string[]> {
  await using server = await startModelServer({ script: () => ({ text: 'Hi.' }) });
  const warnings: string[] = [];
  const onWarning = (text: string) => void warnings.push(text);
  const fold = createFold<ToolSet>({ tools, ...options, onWarning });
  const toolApproval = Object.fromEntries(names.map((name) => [name, 'user-approval'] as const));
  for (let times = 0; times < 2; times++) {
    const fields = fold.with(modelOn(server, endpoint), { toolApproval });
    await generateText({ ...fields, prompt: 'Go.' });
  }
  return warnings;
}

function isRefused(text: RegExp): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof ToolfoldError && error.code === 'invalid-option', String(error));
    assert.match(error.message, text);
    return true;
  };
}

describe('the names in toolApproval', () => {
  test('promise 51: a name that no tool has is refused: the tool that was meant would run unasked', async () => {
    const near = isRefused(
      /names "delet_file", and there is no such tool\. Did you mean "delete_file"\?/,
    );
    await assert.rejects(warningsOf({}, 'delet_file'), near);
    await assert.rejects(warningsOf({ groups: [crm] }, 'delete_file', 'delet_file'), near);
    await assert.rejects(warningsOf({ groups: live(crm) }, 'delet_file'), near);
    const bare = isRefused(/names "wipe".* Did you mean "crm__wipe"\?/);
    await assert.rejects(warningsOf({ groups: [crm] }, 'wipe'), bare);
    await assert.rejects(warningsOf({}, 'toString'), isRefused(/names "toString"/));
    // A hidden property would be read.
    await using server = await startModelServer({ script: [] });
    const hidden = Object.defineProperty({}, 'delet_file', { value: 'denied' });
    const fold = createFold<ToolSet>({ tools });
    assert.throws(() => fold.with(modelOn(server, endpoint), { toolApproval: hidden }), near);
    assert.equal(typeof typed, 'function');
  });

  test('promise 51: a glob is refused, whatever it matches', async () => {
    for (const groups of [[crm], live(crm), live(group('own', ['find'], { prefix: false })), []])
      for (const glob of ['crm__*', '*', 'crm__wip?', 'delete_*', '*__*', 'mcp:crm/*'])
        await assert.rejects(
          warningsOf({ groups }, 'delete_file', glob),
          isRefused(
            /there is no such tool\. It takes no globs: name each tool, or give a function/,
          ),
        );
    const odd = isRefused(/names "crm__wipe"|names "mcp:crm\/wipe__"/);
    for (const name of ['crm__wipe ', 'mcp:crm/wipe__'])
      await assert.rejects(warningsOf({ groups: [crm] }, name), odd);
  });

  test('promise 51: the name of a dispatcher is refused: its calls are those of other tools', async () => {
    const through = isRefused(/a call through it is a call of the tool that it names\. Name that/);
    for (const groups of [[crm], live(crm), []])
      for (const name of ['deferred_tool_call', 'tool_call'])
        await assert.rejects(warningsOf({ groups }, 'delete_file', name), through, name);
    const names = { deferred_tool_call: 'use_tool' };
    await assert.rejects(warningsOf({ groups: [crm], names }, 'use_tool'), through);
    const renamed = { tools: { deferred_tool_call: remove }, groups: [crm], names };
    assert.deepEqual(await warningsOf(renamed, 'deferred_tool_call'), []);
  });

  test('promise 51: what an object inherits is no setting, so it is refused', async () => {
    await using server = await startModelServer({ script: [] });
    const fold = createFold<ToolSet>({ tools });
    class Settings {
      delete_file(): string {
        return 'denied';
      }
    }
    const inherited = { delete_file: 'denied' };
    for (const toolApproval of [
      Object.create(inherited),
      Object.create(Object.assign(Object.create(null), inherited)),
      Object.assign(Object.create(inherited), { delete_file: 'approved' }),
      new Settings(),
    ])
      assert.throws(
        () => fold.with(modelOn(server, endpoint), { toolApproval }),
        isRefused(/"toolApproval".*a plain object/),
      );
    const bare = Object.assign(Object.create(null), inherited);
    fold.with(modelOn(server, endpoint), { toolApproval: bare });
  });

  test('promise 51: what is no setting is refused', async () => {
    await using server = await startModelServer({ script: [] });
    const fold = createFold({ tools });
    for (const toolApproval of ['user-approval', true, null, ['delete_file'], new Map()] as never[])
      assert.throws(
        () => fold.with(modelOn(server, endpoint), { toolApproval }),
        isRefused(/"toolApproval".*a function, or a plain object/),
      );
  });

  test('the names of own tools, groups, bridge tools and names without a setting are accepted', async () => {
    const names = ['delete_file', 'crm__wipe', 'load_tools', 'tool_search', 'request_tool'];
    assert.deepEqual(await warningsOf({ groups: [crm] }, ...names), []);
    const renamed = { groups: [crm], names: { load_tools: 'show_tools' } };
    assert.deepEqual(await warningsOf(renamed, 'show_tools'), []);
    await using server = await startModelServer({ script: [] });
    const fold = createFold<ToolSet>({ tools });
    fold.with(modelOn(server, endpoint), { toolApproval: { delet_file: undefined } });
  });

  test('promise 63: a name that a later tool may have is reported once, when it can be judged', async () => {
    const [first, ...more] = await warningsOf({ groups: live(crm) }, 'crm__wpie');
    assert.match(first ?? '', /the name "crm__wpie" in `toolApproval` matches no tool/);
    assert.deepEqual(more, []);
    const [near] = await warningsOf({ groups: [crm] }, 'crm__wip');
    assert.match(near ?? '', /matches no tool\. Did you mean "crm__wipe"\?/);
    const [other] = await warningsOf({}, 'mail__send');
    assert.match(other ?? '', /"mail__send" in `toolApproval` matches no tool\. Correct it/);
    // Its group has listed no names yet.
    const open = { ...crm, toolNames: [] };
    const unjudged = (await warningsOf({ groups: [open] }, 'crm__wipe')).filter((text) =>
      text.includes('toolApproval'),
    );
    assert.deepEqual(unjudged, []);
    const bare = live(group('own', ['find'], { prefix: false }));
    const [late] = await warningsOf({ groups: bare }, 'send');
    assert.match(late ?? '', /"send" in `toolApproval` matches no tool/);
  });
});

describe('a toolApproval behind the spread fields', () => {
  const call = { name: 'delete_file', arguments: {} };
  const inside = (name: string) => ({
    name: 'deferred_tool_call',
    arguments: { tool_name: name, arguments: {} },
  });
  const settings = {
    'by name': (name: string, status: string) => ({ [name]: status }),
    'a function': (_: string, status: string) => () => status,
  };
  for (const [form, setting] of Object.entries(settings))
    for (const strategy of ['eager', 'dispatch', false] as const)
      for (const name of ['delete_file', 'crm__wipe'])
        test(`promise 51: it decides about ${name}: ${form}, ${strategy}`, async () => {
          const used = strategy === 'dispatch' ? inside(name) : { ...call, name };
          for (const status of ['user-approval', 'denied']) {
            await using server = await startModelServer({
              script: () => ({ calls: [used] }),
            });
            let runs = 0;
            const execute = async () => `${++runs}`;
            const counted = tool({ inputSchema: z.object({}), execute });
            const loader = async () => ({ wipe: counted });
            const fold = createFold<ToolSet>({
              tools: { delete_file: counted },
              groups: [{ groupId: 'crm', toolNames: ['wipe'], loader }],
              strategy,
            });
            const { content } = await generateText({
              ...fold.with(modelOn(server, endpoint)),
              toolApproval: setting(name, status) as never,
              prompt: 'Go.',
              stopWhen: isStepCount(1),
            });
            assert.equal(runs, 0, status);
            const requests = content.filter(({ type }) => type === 'tool-approval-request');
            assert.equal(requests.length, 1, JSON.stringify(content));
          }
        });
});
