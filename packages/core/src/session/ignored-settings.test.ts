import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { type FakeGroup, fakeGroup } from '@toolfold/testing/internal/doubles/fake-group.ts';
import { inlineTools, simpleTools } from '../../test/conversation.test-support.ts';
import type { Tool } from '../tool/tool.ts';
import { looseGlobs } from '../values/glob.ts';
import { createToolLayer } from './layer.ts';
import type { SessionOptions, ToolLayerOptions } from './options.ts';

/** Waits until the checks, whose code is loaded with the first one, have run. */
async function settled(): Promise<void> {
  await import('./ignored-settings.ts');
  for (let turns = 0; turns < 5; turns++) await setImmediate();
}

/** The warnings of two sessions with two requests each. */
async function warningsOf(
  options: ToolLayerOptions,
  session: SessionOptions = {},
): Promise<string[]> {
  const warnings: string[] = [];
  const layer = createToolLayer({ ...options, onWarning: (text) => warnings.push(text) });
  for (let sessions = 0; sessions < 2; sessions++) {
    const made = layer.session(session);
    made.present([]);
    made.present([{ role: 'user' }]);
  }
  await settled();
  return warnings;
}

const group = (groupId: string, ...names: string[]): FakeGroup =>
  fakeGroup({ groupId, tools: simpleTools(...names) });
const unnamed = (groupId: string, ...names: string[]): FakeGroup =>
  fakeGroup({ groupId, tools: simpleTools(...names), names: false });
const marked = (exposure: 'deferred' | 'inline'): Tool[] =>
  simpleTools('a').map((tool) => ({ ...tool, exposure }));

suite('promise 63: a strategy that was asked for and defers nothing', () => {
  const silent: Record<string, ToolLayerOptions> = {
    auto: { tools: inlineTools('a') },
    'auto, with a mark': { tools: marked('deferred') },
    eager: { tools: simpleTools('a'), strategy: 'eager' },
    'own tools': { tools: simpleTools('a'), strategy: 'dispatch' },
    'a group': { groups: [group('mcp:a', 'x')], strategy: 'bridge' },
    'a group that lists nothing': {
      groups: [unnamed('mcp:a', 'x')],
      strategy: 'native',
      exposure: { 'mcp:b': 'inline', b__x: 'inline' },
      tools: [],
    },
    'a role without deferred tools': {
      tools: [...simpleTools('a'), ...inlineTools('b')],
      strategy: 'dispatch',
      roles: { small: { tools: ['b'] } },
    },
  };
  for (const [name, options] of Object.entries(silent)) {
    test(`promise 63: says nothing: ${name}`, async () => {
      const role = options.roles ? { role: 'small' } : {};
      const warnings = await warningsOf(options, role);
      assert.deepEqual(
        warnings.filter((text) => !/no toolNames|glob/.test(text)),
        [],
      );
    });
  }

  for (const strategy of ['lazy', 'inject', 'dispatch', 'bridge', 'native'] as const) {
    test(`promise 63: is told once, with the remedy: ${strategy}`, async () => {
      for (const tools of [[], inlineTools('a', 'b')]) {
        const [warning, ...more] = await warningsOf({ tools, strategy });
        assert.match(
          warning ?? '',
          new RegExp(`"${strategy}" was asked for, and nothing is deferred`),
        );
        assert.match(warning ?? '', tools.length === 0 ? /no tools/ : /all 2 tools stay declared/);
        assert.match(warning ?? '', /explain\(\)/);
        assert.deepEqual(more, []);
      }
    });
  }

  test('promise 63: a mark that eager ignores', async () => {
    const [warning, ...more] = await warningsOf({ tools: marked('deferred'), strategy: false });
    assert.match(warning ?? '', /"a" is marked as deferred, and the strategy "eager" declares/);
    assert.deepEqual(more, []);
    const ruled = { tools: marked('deferred'), exposure: { a: 'inline' } } as const;
    assert.deepEqual(await warningsOf({ ...ruled, strategy: 'eager' }), []);
    assert.deepEqual(await warningsOf({ tools: marked('inline'), strategy: 'eager' }), []);
  });
});

suite('promise 63: globs that match no tool', () => {
  const told = (warnings: readonly string[]) =>
    warnings.flatMap(
      (text) => /^the glob "(.*)" in (.*) matches no tool\. /.exec(text)?.slice(1) ?? [],
    );

  test('promise 63: are told once, wherever they stand', async () => {
    const options = {
      tools: simpleTools('find'),
      groups: [group('mcp:a', 'x')],
      exposure: { fnd: 'inline', find: 'deferred', 'mcp:a/*': 'deferred', 'mcp:b/*': 'hidden' },
      roles: { one: { tools: ['a__*', 'a__y'] }, two: { tools: false }, three: {} },
    } as const;
    const session = { only: ['find', 'fin'], without: ['mcp:c', '*x'] };
    assert.deepEqual(told(await warningsOf(options, session)), [
      ...['fnd', 'exposure'],
      ...['mcp:b/*', 'exposure'],
      ...['a__y', 'the role "one"'],
      ...['fin', 'only'],
      ...['mcp:c', 'without'],
    ]);
  });

  test('promise 63: are judged when each group that they could match has listed its tools', async () => {
    const warnings: string[] = [];
    const groups = [unnamed('mcp:a', 'x'), group('mcp:b', 'y')];
    const layer = createToolLayer({
      groups,
      exposure: { a__x: 'inline', a__z: 'inline', b__z: 'inline' },
      onWarning: (text) => warnings.push(text),
    });
    layer.session().present([]);
    await settled();
    assert.deepEqual(told(warnings), ['b__z', 'exposure']);
    await layer.session().prepare([]);
    const session = layer.session({ strategy: 'eager' });
    await session.prepare([]);
    session.present([]);
    await settled();
    assert.deepEqual(told(warnings), ['b__z', 'exposure', 'a__z', 'exposure']);
  });

  test('promise 63: say nothing where they may match nothing', async () => {
    const roles = { built_in: { tools: looseGlobs(['mcp:nobody/*']) } };
    const options = { tools: simpleTools('a'), roles, exposure: { '*': 'inline' } } as const;
    assert.deepEqual(await warningsOf(options, { without: looseGlobs(['memory*']) }), []);
  });
});

test('promise 63: nobody wants warnings: nothing is checked', async () => {
  for (const onWarning of [false, undefined] as const) {
    const layer = createToolLayer({ strategy: 'dispatch', onWarning, exposure: { x: 'inline' } });
    layer.session().present([]);
  }
  await settled();
});
