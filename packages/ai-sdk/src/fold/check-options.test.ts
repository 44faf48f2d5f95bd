import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { ToolfoldSettings } from '@toolfold/config/internal/settings/settings.ts';
import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { OTHERS_SETTINGS, type ToolLayerOptions } from '@toolfold/core/internal/session/options.ts';
import type { KnownOptions } from '@toolfold/core/internal/values/known-options.ts';
import { startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
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

test('rows about files of results have both lists of media types', () => {
  const row = { provider: 'local.*', model: '*', inResult: [], inMessage: ['image/png'] };
  createFold({ resultFiles: [row] });
  for (const given of [row, [{ ...row, inResult: undefined }], [null], 'all'])
    assert.throws(() => createFold({ resultFiles: given as never }), /resultFiles/);
});
