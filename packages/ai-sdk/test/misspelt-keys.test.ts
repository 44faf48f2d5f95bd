import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { jsonSchema, tool } from 'ai';
import { createFold, type SdkToolGroup } from '../src/index.ts';
import { GROUP_KEYS, LIST_KEYS, SDK_KEYS } from '../src/tool-set/tool-keys.ts';

const schema = jsonSchema({ type: 'object' });
const own = { inputSchema: schema, execute: async () => 1 };
const listed = { name: 'find', inputSchema: { type: 'object' }, execute: async () => 1 };
const group: SdkToolGroup = { groupId: 'crm', toolNames: ['find'], loader: async () => [listed] };

/** The name with each letter left out, doubled, and swapped with the next. */
function slips(name: string): string[] {
  const made = [...name].flatMap((letter, at) => {
    const [before, after] = [name.slice(0, at), name.slice(at + 1)];
    const swapped = after === '' ? [] : [before + after[0] + letter + after.slice(1)];
    return [before + after, before + letter + letter + after, ...swapped];
  });
  return [...new Set(made)].filter((slip) => slip !== name);
}

function errorOf(options: object): ToolfoldError | undefined {
  try {
    createFold({ onWarning: false, ...options } as never);
  } catch (error) {
    assert.ok(error instanceof ToolfoldError);
    return error;
  }
  return;
}

/** Whether the tool of a loader is usable, and the warnings. */
async function load(tools: unknown): Promise<{ isThere: boolean; warnings: string[] }> {
  const warnings: string[] = [];
  const fold = createFold({
    strategy: 'eager',
    groups: [{ ...group, loader: async () => tools as never }],
    onWarning: (text) => warnings.push(String(text)),
  });
  const session = fold.layer.session();
  await session.prepare([]);
  return { isThere: session.loadedTool('crm__find') !== undefined, warnings };
}

const long = (keys: object) => Object.keys(keys).filter((key) => key.length > 3);

describe('a key with one letter left out, doubled or swapped', () => {
  for (const key of long(SDK_KEYS))
    test(`of an own tool: ${key}`, () => {
      for (const slip of slips(key)) {
        const error = errorOf({ tools: { find: { ...own, [slip]: true } } });
        assert.equal(error?.code, 'invalid-option', slip);
        assert.match(error.hint ?? '', /^Did you mean "/);
      }
    });

  for (const key of long(GROUP_KEYS))
    test(`of a group: ${key}`, () => {
      for (const slip of slips(key)) {
        const groups = [{ ...group, [slip]: true }];
        assert.equal(errorOf({ groups })?.code, 'invalid-option', slip);
        assert.throws(() => createFold().update(groups), { code: 'invalid-option' });
      }
    });

  for (const [kind, keys] of [
    ['list', LIST_KEYS],
    ['map', SDK_KEYS],
  ] as const)
    for (const key of long(keys))
      test(`of a tool in the ${kind} of a loader: ${key}`, async () => {
        for (const slip of slips(key)) {
          const bad = { ...(kind === 'list' ? listed : own), [slip]: true };
          const { isThere, warnings } = await load(kind === 'list' ? [bad] : { find: bad });
          assert.equal(isThere, false, slip);
          assert.equal(warnings.filter((text) => text.includes(`"${slip}"`)).length, 1);
        }
      });
});

const WRONG: readonly (readonly [key: string, value: unknown])[] = [
  ...[['needsApproval', 'yes'] as const, ['needsApproval', 1] as const],
  ...[['execute', 'run'] as const, ['toModelOutput', {}] as const],
  ...[['exposure', 'hiden'] as const, ['exposure', true] as const],
];

describe('a wrong value of a known key', () => {
  const ofMaps = [
    ['deferLoading', 'yes'],
    ['strict', 'no'],
    ['exposure', 'hidden'],
  ] as const;
  for (const [key, value] of [...WRONG, ...ofMaps])
    test(`of a map: ${key} is ${JSON.stringify(value)}`, async () => {
      const find = { ...own, [key]: value };
      assert.equal(errorOf({ tools: { find } })?.code, 'invalid-option');
      const { isThere, warnings } = await load({ find });
      assert.equal(isThere, false);
      assert.equal(warnings.filter((text) => text.includes(`"${key}"`)).length, 1);
    });

  for (const [key, value] of WRONG)
    test(`of a list: ${key} is ${JSON.stringify(value)}`, async () => {
      const { isThere, warnings } = await load([{ ...listed, [key]: value }]);
      assert.equal(isThere, false);
      assert.equal(warnings.filter((text) => text.includes(`"${key}"`)).length, 1);
    });
});

describe('keys that are not refused', () => {
  const others = ['_meta', '_type', 'icons', 'tags', 'beta', 'version', 'parameters', 'serverName'];

  test('unknown ones that resemble none', async () => {
    for (const key of [...others, 'annotationsUrl', 'inputs']) {
      assert.equal(errorOf({ tools: { find: { ...own, [key]: 1 } } }), undefined, key);
      assert.equal(errorOf({ groups: [{ ...group, [key]: 1 }] }), undefined, key);
      assert.equal((await load([{ ...listed, [key]: 1 }])).isThere, true, key);
      assert.equal((await load({ find: { ...own, [key]: 1 } })).isThere, true, key);
    }
  });

  test('those of the other kind of tool, and misspelt ones without a value', async () => {
    for (const key of ['title', 'metadata', 'outputSchema'])
      assert.equal((await load([{ ...listed, [key]: {} }])).isThere, true, key);
    for (const key of ['name', 'annotations', 'meta'])
      assert.equal(errorOf({ tools: { find: { ...own, [key]: {} } } }), undefined, key);
    assert.equal(errorOf({ tools: { find: { ...own, needsAproval: undefined } } }), undefined);
  });

  test('all fields of the AI SDK, with its own functions and those of providers', () => {
    const find = tool({
      ...{ description: () => 'Finds.', title: 'Find', strict: true, metadata: { a: 1 } },
      ...{ inputSchema: schema, outputSchema: schema, contextSchema: schema, deferLoading: false },
      ...{ inputExamples: [{ input: {} }], providerOptions: {}, needsApproval: async () => true },
      ...{ onInputStart() {}, onInputDelta() {}, onInputAvailable() {} },
      execute: async () => 1,
      toModelOutput: () => ({ type: 'text', value: '' }),
    } as never);
    assert.equal(errorOf({ tools: { find } }), undefined);
    const args = { id: 'openai.web_search', args: {}, supportsDeferredResults: true };
    const web = { type: 'provider', isProviderExecuted: true, inputSchema: schema, ...args };
    assert.equal(errorOf({ tools: { web } }), undefined);
  });
});
