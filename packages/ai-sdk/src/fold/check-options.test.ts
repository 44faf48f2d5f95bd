import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { anthropic } from '@ai-sdk/anthropic';
import type { ToolfoldSettings } from '@toolfold/config/internal/settings/settings.ts';
import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { OTHERS_SETTINGS, type ToolLayerOptions } from '@toolfold/core/internal/session/options.ts';
import type { KnownOptions } from '@toolfold/core/internal/values/known-options.ts';
import { startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { dynamicTool, jsonSchema, tool } from 'ai';
import { z } from 'zod';
import { ENDPOINTS, modelOn } from '../../test/endpoints.test-support.ts';
import { createFold, type SdkToolGroup } from '../index.ts';

/** The settings of a file that a layer does not have. The compiler checks the list. */
const settings: KnownOptions<Omit<ToolfoldSettings, keyof ToolLayerOptions>> = Object.fromEntries(
  OTHERS_SETTINGS.map((name) => [name, true]),
) as Record<(typeof OTHERS_SETTINGS)[number], true>;

const group: SdkToolGroup = { groupId: 'mcp:a', toolNames: [], loader: async () => ({}) };

/** Matches the whole text of an error. */
function isRefused(text: RegExp): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof ToolfoldError && error.code === 'invalid-option', String(error));
    assert.match(error.message, text);
    return true;
  };
}

suite('the options of a fold', () => {
  test('an unknown option of createFold is refused, with the nearest known option', () => {
    const odd = (options: object) => () => createFold(options);
    assert.throws(odd({ group: [] }), isRefused(/^createFold\(\) has no option "group".*"groups"/));
    assert.throws(odd({ tool: {} }), isRefused(/"tool".*"tools"/));
    assert.throws(odd({ onRequests: () => {} }), isRefused(/"onRequests".*"onRequest"/));
    assert.throws(odd({ zzz: 1 }), isRefused(/"zzz".* capabilities, .* frameResults, /));
  });

  test('a whole block of settings can be spread', () => {
    createFold({ ...settings, routing: 'off', maxResultLength: 500, cache: false } as never);
  });

  test('a setting of the cache is checked, for every view', async () => {
    await using server = await startModelServer({ script: [] });
    const model = modelOn(server, ENDPOINTS[0] ?? assert.fail());
    const fold = createFold({ groups: [group] });
    for (const cache of ['auto', false, {}, { ttl: '1h' }, { key: 'a', ttl: '5m' }])
      fold.with(model, { cache } as never);
    for (const cache of [
      true,
      null,
      'none',
      [],
      { ttl: '2h' },
      { key: ' ' },
      { ttl: '5m', time: 1 },
    ]) {
      assert.throws(() => createFold({ cache } as never), isRefused(/option "?cache/));
      assert.throws(() => fold.with(model, { cache } as never), isRefused(/option "?cache/));
    }
  });

  test('an unknown option of fold.with is refused, for every view', async () => {
    await using server = await startModelServer({ script: [] });
    const model = modelOn(server, ENDPOINTS[0] ?? assert.fail());
    const fold = createFold({ groups: [group] });
    const options = { roles: 'x' } as never;
    const refused = isRefused(/^fold\.with\(\) has no option "roles".*"role"/);
    assert.throws(() => fold.with(model, options), refused);
    assert.throws(() => fold.with(model, { parent: options }), refused);
    assert.throws(() => createFold({ strategy: false }).with(model, options), refused);
    assert.throws(() => fold.explain(model, options), refused);
    await assert.rejects(fold.state(model, [], options), refused);
    fold.with(model, { role: undefined, zzz: undefined } as never);
  });

  test('an observer has no other functions than its two', async () => {
    await using server = await startModelServer({ script: [] });
    const model = modelOn(server, ENDPOINTS[0] ?? assert.fail());
    const fold = createFold({ groups: [group] });
    for (const one of [{}, { started() {} }, { settled: undefined }])
      for (const observers of [one, [one]]) fold.with(model, { observers });
    for (const one of [{ nope() {} }, { started: 1 }, null, 'x'] as never[])
      for (const observers of [one, [one]])
        assert.throws(() => fold.with(model, { observers } as never), isRefused(/observers/));
  });

  test('a missing or invalid model is refused with a message', async () => {
    const fold = createFold({ groups: [group] });
    for (const model of [undefined, null, {}, 4, () => {}] as never[]) {
      const refused = isRefused(
        /^(No model is given|The model is .* not a model)\. Pass a language/,
      );
      assert.throws(() => fold.with(model), refused);
      assert.throws(() => createFold({ strategy: false }).with(model), refused);
      assert.throws(() => fold.explain(model), refused);
      assert.throws(() => fold.bridgeNames(model), refused);
      await assert.rejects(fold.state(model), refused);
    }
  });

  test('an invalid group is refused, with its name', () => {
    const odd = [{ ...group, loader: 'x' }] as never;
    const refused = isRefused(/"groups\.mcp:a\.loader"/);
    assert.throws(() => createFold({ groups: odd }), refused);
    assert.throws(() => createFold().update(odd), refused);
    assert.throws(() => createFold({ groups: {} as never }), isRefused(/"groups".*a list/));
  });
});

const inputSchema = z.object({});
const find = tool({ inputSchema, execute: async () => 'found' });
const OPTIONS: readonly (readonly [options: object, text: RegExp])[] = [
  [{ tools: { a: 1 } }, /"tools\.a".*a tool, such as `tool\(/],
  // The AI SDK fails here with a TypeError of its own.
  [{ tools: { find, a: undefined } }, /"tools\.a".*leave out the name/],
  [{ tools: { a: null } }, /"tools\.a"/],
  [{ tools: [find] }, /"tools".*an object of tools by name/],
  [{ tools: 'find' }, /"tools".*an object of tools by name/],
  [{ tools: { a: { inputSchema: 'x' } } }, /"tools\.a\.inputSchema".*a schema of zod/],
  [{ tools: { a: { inputSchema: { type: 'object' } } } }, /"tools\.a\.inputSchema".*jsonSchema/],
  [{ tools: { a: { inputSchema, execute: 'x' } } }, /"tools\.a\.execute".*a function/],
  [{ capabilities: 1 }, /"capabilities".*a list/],
  [{ capabilities: [{ provider: '*' }] }, /"capabilities".*a list/],
  [{ prices: {} }, /"prices".*a list/],
  [{ frameResults: 'yes' }, /"frameResults".*true or false/],
  [{ onRequest: 'log' }, /"onRequest".*a function/],
  [{ limits: { zz: 1 } }, /The option "limits" has no option "zz"/],
  [{ catalog: { hint: true } }, /"catalog" has no option "hint"\. Did you mean "hints"/],
  [{ auto: { price: 'unknown' } }, /"auto" has no option "price"\. Did you mean "prices"/],
];

suite('a mistake of the host', () => {
  for (const [options, text] of OPTIONS)
    test(`is refused with the option and what it expects: ${text.source}`, () => {
      assert.throws(() => createFold(options as never), isRefused(text));
    });

  test('is not to have odd but valid tools', () => {
    class Own {
      readonly inputSchema = inputSchema;
      async execute(): Promise<string> {
        return 'found';
      }
    }
    const tools = {
      find,
      own: new Own(),
      late: { inputSchema: () => jsonSchema({ type: 'object' }) },
      none: {},
      plain: dynamicTool({ inputSchema: jsonSchema({ type: 'object' }), execute: async () => 1 }),
      web: anthropic.tools.webSearch_20250305(),
    };
    assert.equal(createFold({ tools: tools as never }).explain('a/b').tools.length, 6);
  });

  test('is refused by fold.with too', async () => {
    await using server = await startModelServer({ script: [] });
    const model = modelOn(server, ENDPOINTS[0] ?? assert.fail());
    const fold = createFold({ tools: { find } });
    assert.throws(() => fold.with(model, null as never), isRefused(/fold\.with\(\) are no object/));
    for (const [key, value] of [
      ['onRequest', 1],
      ['images', 'yes'],
    ] as const)
      assert.throws(
        () => fold.with(model, { [key]: value } as never),
        isRefused(/a function|true/),
      );
  });
});

test('rows about files of results have both lists of media types', () => {
  const row = { provider: 'local.*', model: '*', inResult: [], inMessage: ['image/png'] };
  createFold({ resultFiles: [row] });
  for (const given of [row, [{ ...row, inResult: undefined }], [null], 'all'])
    assert.throws(() => createFold({ resultFiles: given as never }), /resultFiles/);
});
