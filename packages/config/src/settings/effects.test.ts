import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isRecord, ownProperties } from '@toolfold/core/internal/values/json.ts';
import { EFFECTS, effectsOf } from './effects.ts';
import { fileSchema } from './read-settings.ts';
import type { ToolfoldSettings } from './settings.ts';

/** The paths of all settings in the schema. */
function pathsIn(schema: unknown, path = ''): string[] {
  if (!isRecord(schema)) return [];
  const { anyOf, oneOf, allOf, properties, additionalProperties, items } = ownProperties(schema);
  const branches = [anyOf, oneOf, allOf].flatMap((list) => (Array.isArray(list) ? list : []));
  const members = Object.entries(ownProperties(properties)).flatMap(([key, member]) => {
    const inside = path === '' ? key : `${path}.${key}`;
    return [inside, ...pathsIn(member, inside)];
  });
  const named = isRecord(additionalProperties)
    ? [`${path}.*`, ...pathsIn(additionalProperties, `${path}.*`)]
    : [];
  const listed = pathsIn(items, `${path}[]`);
  return [...branches.flatMap((one) => pathsIn(one, path)), ...members, ...named, ...listed];
}

test('the table of effects has each setting of the schema and no other', () => {
  const block = ownProperties(ownProperties(fileSchema()).properties).toolfold;
  const paths = new Set(pathsIn(block));
  assert.ok(paths.size > 50);
  assert.deepEqual(Object.keys(EFFECTS).sort(), [...paths].sort());
});

/** A block and what must be said of it. `undefined`: nothing. */
const blocks: readonly (readonly [ToolfoldSettings, RegExp | undefined])[] = [
  [
    { providers: { acme: { address: 'http://127.0.0.1:9911/v1', key: 'GITHUB_TOKEN' } } },
    /GITHUB_TOKEN to http:\/\/127\.0\.0\.1:9911\/v1, for models that begin with "acme\/"/,
  ],
  [{ providers: { git: { address: 'https://h.test' } } }, /GIT_API_KEY to https:\/\/h\.test/],
  [{ approvals: { mode: 'never' } }, /run every call of a tool without asking/],
  [{ approvals: { mode: 'annotations' } }, /only read without asking/],
  [{ approvals: { mode: 'always', allow: [] } }, undefined],
  [{ approvals: { allow: ['*', 'git__x'] } }, /without asking you: "\*", "git__x"/],
  [{ approvals: { allow: [{ tool: 'rm', arguments: { path: '/tmp*' } }] } }, /"rm" with .*tmp\*/],
  [{ approvals: { allow: [{ tools: { 'a"b': 'f' } }] } }, /: "a\\"b"$/],
  [{ exposure: { 'git__*': 'inline' } }, /show the tools "git__\*"/],
  [{ exposure: { 'git__*': 'hidden' } }, undefined],
  [{ catalog: { header: 'Obey me' } }, /model reads: "Obey me"/],
  [{ cache: { key: 'abc', ttl: '1h' } }, /send "abc" to the provider/],
  [{ models: { m: { cache: { key: 'abc' } } } }, /send "abc" to the provider/],
  [{ roles: { r: { tools: ['*'], model: 'acme/x' } } }, /"r" these tools: "\*".*model "acme\/x"/],
  [{ roles: { r: { groups: ['mcp:git'] } } }, /tools: all, of these groups: "mcp:git"/],
  [{ roles: { r: { tools: false } } }, /tools: none/],
  [{ roles: { r: { maxRounds: 1000 } } }, /allow 1000 rounds/],
  [{ models: { m: { maxRounds: 1000 } } }, /allow 1000 rounds/],
  [{ models: { m: { images: true } } }, /images to the model "m"/],
  [{ models: { m: { price: { input: 0, output: 0 } } } }, /"m", also for budgets.*"input":0/],
  [{ projectInstructions: true }, /AGENTS\.md/],
  [{ projectInstructions: false }, undefined],
  [{ maxRounds: 500 }, /500 rounds/],
  [{ maxRounds: 5, maxRequests: 5, maxTokens: 5 }, undefined],
  [{ maxRequests: 1000 }, /1000 requests/],
  [{ maxTokens: 100_000_000 }, /100000000 tokens/],
  [{ titles: true }, /sessions to the model for titles/],
  [{ titles: 'acme/x' }, /sessions to the model "acme\/x"/],
  [{ subagents: true }, /start subagents$/],
  [{ subagents: { depth: 4 } }, /start subagents, with \{"depth":4\}/],
  [{ subagents: false, titles: false }, undefined],
  [{ servers: { s: { trusted: true } } }, /believe what the server "s" says/],
  [{ servers: { s: { sampling: true } } }, /server "s" use your model/],
  [{ servers: { s: { sampling: { maxCalls: 99 } } } }, /"maxCalls":99/],
  [{ servers: { s: { trusted: false, sampling: false } } }, undefined],
  [{ serve: { check: false } }, /unchecked/],
  [{ serve: { check: true, mode: 'eager' }, currency: 'EUR', notify: 'off' }, undefined],
];

for (const [settings, expected] of blocks)
  test(`what settings do is said: ${JSON.stringify(settings)}`, () => {
    const { effects, others } = effectsOf(settings);
    if (expected === undefined) assert.deepEqual(effects, []);
    else assert.match(effects.join('\n'), expected);
    assert.deepEqual(others, expected === undefined ? Object.keys(settings) : []);
  });
