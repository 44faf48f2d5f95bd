import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { simpleTools } from '../../test/conversation.test-support.ts';
import { ToolfoldError } from '../errors.ts';
import { measure } from '../estimate.ts';
import { createToolLayer } from './layer.ts';

function isRefused(option: string): (error: unknown) => boolean {
  return (error) =>
    error instanceof ToolfoldError &&
    error.code === 'invalid-option' &&
    error.message.includes(`"${option}"`) &&
    error.hint.length > 0;
}

const group = { groupId: 'mcp:a', toolNames: ['x'], loader: async () => simpleTools('x') };

const layers: readonly (readonly [option: string, options: object])[] = [
  ['groups', { groups: {} }],
  ['groups', { groups: null }],
  ['groups[1]', { groups: [group, null] }],
  ['groups[0].groupId', { groups: [{ ...group, groupId: undefined }] }],
  ['groups[0].groupId', { groups: [{ ...group, groupId: '' }] }],
  ['groups.mcp:a.loader', { groups: [{ groupId: 'mcp:a' }] }],
  ['groups.mcp:a.loader', { groups: [{ ...group, loader: [] }] }],
  ['groups.mcp:a.toolNames', { groups: [{ ...group, toolNames: 'x' }] }],
  ['groups.mcp:a.toolNames', { groups: [{ ...group, toolNames: ['x', 1] }] }],
  ['groups.mcp:a.toolSummaries', { groups: [{ ...group, toolSummaries: ['x'] }] }],
  ['groups.mcp:a.description', { groups: [{ ...group, description: 1 }] }],
  ['groups.mcp:a.schemaTokens', { groups: [{ ...group, schemaTokens: Number.NaN }] }],
  ['groups.mcp:a.prefix', { groups: [{ ...group, prefix: 'a' }] }],
  ['groups.mcp:a.trusted', { groups: [{ ...group, trusted: 'yes' }] }],
  ['groups.mcp:a.exposure', { groups: [{ ...group, exposure: 'visible' }] }],
  ['groups.mcp:a.unavailable', { groups: [{ ...group, unavailable: 'down' }] }],
  ['tools', { tools: 'x' }],
  ['tools', { tools: simpleTools('has space') }],
  ['tools', { tools: simpleTools('x'.repeat(65)) }],
  ['tools', { tools: [null] }],
  ['catalog.budget', { catalog: { budget: Number.NaN } }],
  ['catalog.budget', { catalog: { budget: -1 } }],
  ['catalog.budget', { catalog: { budget: '9' } }],
  ['countTokens', { countTokens: 4 }],
  ['search', { search: {} }],
  ['search', { search: { index: () => {} } }],
  ['search', { search: 'words' }],
  ['limits.load', { limits: { load: 0 } }],
  ['limits.search', { limits: { search: Number.NaN } }],
  ['limits', { limits: { loads: 1 } }],
  ['catalog', { catalog: { hint: true } }],
  ['auto', { auto: { price: 'unknown' } }],
  ['auto.prices', { auto: { prices: 'cheap' } }],
  ['exposure.mcp:a', { exposure: { 'mcp:a': 'visible' } }],
  ['exposure', { exposure: ['inline'] }],
  ['roles.a', { roles: { a: { tools: 'x' } } }],
  ['roles.a', { roles: { a: { tools: [1] } } }],
  ['roles.a', { roles: { a: { tools: true } } }],
  ['roles.a', { roles: { a: { groups: 'mcp:a' } } }],
  ['roles.a', { roles: { a: null } }],
  ['roles.a', { roles: { a: { tools: ['x', ' '] } } }],
  ['roles.a', { roles: { a: { groups: [''] } } }],
  // Without `tools` it could use everything.
  ['roles.a', { roles: { a: { tool: ['x'] } } }],
  ['roles', { roles: { '': {} } }],
  ['roles', { roles: [{}] }],
  ['exposure', { exposure: { '': 'hidden' } }],
  ['catalog', { catalog: 'short' }],
  ['catalog.header', { catalog: { header: 1 } }],
  ['catalog.hints', { catalog: { hints: 'no' } }],
  ['limits', { limits: 5 }],
  ['patience', { patience: '5' }],
  ['strategy', { strategy: 5 }],
  ['onCall', { onCall: true }],
  ['onWarning', { onWarning: 'log' }],
];

const state = { strategy: 'dispatch', fingerprint: '0' };
const sessions: readonly (readonly [option: string, options: object])[] = [
  ['contextWindow', { contextWindow: Number.NaN }],
  ['contextWindow', { contextWindow: 0 }],
  ['contextWindow', { contextWindow: -1 }],
  ['only', { only: 'x' }],
  ['only', { only: [1] }],
  ['without', { without: { x: true } }],
  // A blank glob would remove nothing.
  ['without', { without: ['x', ''] }],
  ['state', { state: 'x' }],
  ['state', { state }],
  ['state', { state: { ...state, expandedGroups: [] } }],
  ['state', { state: { ...state, expandedGroups: { 'mcp:a': 'x' } } }],
  ['state', { state: { ...state, expandedGroups: { 'mcp:a': [1] } } }],
];

suite('options that do not match their types', () => {
  for (const [option, options] of layers) {
    test(`of a layer are refused: ${option} in ${JSON.stringify(options).slice(0, 60)}`, () => {
      assert.throws(() => createToolLayer(options), isRefused(option));
    });
  }

  test('of a group are refused in an update, which then changes nothing', () => {
    const layer = createToolLayer({ groups: [group] });
    const odd = [{ groupId: 'mcp:b', loader: 'x' }] as never;
    assert.throws(() => layer.update(odd), isRefused('groups.mcp:b.loader'));
    assert.throws(() => layer.session().update(odd), isRefused('groups.mcp:b.loader'));
    assert.equal(layer.addressOf('a__x').groupId, 'mcp:a');
  });

  for (const [option, options] of sessions) {
    test(`of a session are refused: ${JSON.stringify(options)}`, () => {
      assert.throws(() => createToolLayer().session(options), isRefused(option));
    });
  }

  test('of a measurement are refused', async () => {
    await assert.rejects(
      measure(createToolLayer(), { contextWindow: 0 }),
      isRefused('contextWindow'),
    );
  });

  test('promise 21: a list under a key that roles do not have is refused: without a list a role has all', () => {
    for (const key of ['tool', 'Tools', 'allow', 'only'])
      assert.throws(
        () => createToolLayer({ roles: { a: { [key]: ['x'] } } }),
        isRefused('roles.a'),
      );
  });

  test('unusual but valid ones are accepted', () => {
    const layer = createToolLayer({
      tools: simpleTools('a-B_9'),
      catalog: { budget: Number.POSITIVE_INFINITY },
      limits: { load: Number.POSITIVE_INFINITY },
      roles: {
        none: { tools: false },
        empty: { tools: [], groups: [] },
        all: {},
        more: { tools: undefined, model: 'a/b', maxRounds: 3 } as object,
      },
      exposure: {},
    });
    const sound = { ...state, expandedGroups: { 'mcp:a': null, 'mcp:b': ['x'] } };
    layer.session({ role: 'none', state: sound, contextWindow: Number.POSITIVE_INFINITY });
  });
});
