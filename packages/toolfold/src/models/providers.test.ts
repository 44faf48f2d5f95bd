import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type DirectorySources, ModelDirectory } from './model-directory.ts';
import { checkProviders, endpointOf, LOCAL_PORTS, WELL_KNOWN } from './providers.ts';

const FILE = 'toolfold.json';
const KEYS = Object.fromEntries(
  Object.entries(WELL_KNOWN).map(([name, { key }]) => [key, `key-of-${name}`]),
);
const ACME = { address: 'https://llm.acme.example.com/v1' };

async function open(
  context: TestContext,
  { env = {}, ...sources }: Partial<DirectorySources> = {},
): Promise<ModelDirectory> {
  const folder = await mkdtemp(join(tmpdir(), 'toolfold-'));
  context.after(() => rm(folder, { recursive: true }));
  const home = { XDG_DATA_HOME: folder, TOOLFOLD_LOCAL_PORTS: '' };
  return ModelDirectory.open({
    named: undefined,
    file: FILE,
    ...sources,
    env: { ...home, ...env },
  });
}

test('the base URL and the key for any provider apply to the first provider only', async (context) => {
  const env = { ACME_API_KEY: 'key-of-acme', TOOLFOLD_API_KEY: 'key-of-first' };
  const baseUrl = 'http://127.0.0.1:9/v1';
  const directory = await open(context, { named: 'local/boss', baseUrl, env });
  assert.equal((await directory.load('local/other/model')).key, 'key-of-first');
  await assert.rejects(directory.load('acme/small'), {
    code: 'invalid-option',
    message: /address of acme/,
  });
  await assert.rejects(directory.load('groq/x'), { message: /No API key.*GROQ_API_KEY\.$/ });
  const unnamed = await open(context, { env });
  await assert.rejects(unnamed.load('acme/small'), { message: /address of acme/ });
  await assert.rejects(unnamed.load('xai/x'), { message: /XAI_API_KEY\.$/ });
});

test('each key goes to the address of its own provider', () => {
  const env = { ...KEYS, TOOLFOLD_API_KEY: 'any' };
  const providers = { acme: ACME, ollama: { address: 'https://ollama.example.com' } };
  const names = [
    ...Object.keys(WELL_KNOWN),
    ...Object.keys(providers),
    'lmstudio',
    'local-77',
    'x',
  ];
  for (const isFirst of [true, false])
    for (const provider of names) {
      const { address, keys } = endpointOf(provider, { env, providers, isFirst });
      for (const [name, known] of Object.entries(WELL_KNOWN)) {
        assert.equal(keys.includes(known.key), provider === name, provider);
        assert.equal(address === known.address, provider === name, provider);
      }
      assert.ok(isFirst || !keys.includes('TOOLFOLD_API_KEY'));
    }
  for (const name of [...Object.keys(LOCAL_PORTS), 'local-77']) {
    const { keys, needsKey } = endpointOf(name, { env, isFirst: true });
    assert.deepEqual([keys, needsKey], [[], false], 'no key is sent to a port of this computer');
  }
  const acme = endpointOf('acme', { env, providers, isFirst: true });
  assert.deepEqual(acme.keys, ['ACME_API_KEY']);
  // The package of the provider would send the key of its own variable.
  for (const protocol of ['anthropic', 'openai'] as const) {
    const own = { acme: { ...ACME, protocol } };
    assert.equal(endpointOf('acme', { env, providers: own, isFirst: true }).needsKey, true);
  }
});

test('a configuration names no key of another provider, and no well-known provider', () => {
  const refused = {
    'a well-known name': { anthropic: ACME },
    'its key': { acme: { ...ACME, key: 'ANTHROPIC_API_KEY' } },
    'its key by another spelling': { Anthropic: ACME },
    'the key of the first model': { acme: { ...ACME, key: 'TOOLFOLD_API_KEY' } },
    'a name that makes this key': { toolfold: ACME },
    'the key of its neighbour': { acme: ACME, other: { ...ACME, key: 'ACME_API_KEY' } },
    'a name that makes that key': { 'a-b': ACME, a_b: ACME },
    'a slash': { 'acme/eu': ACME },
    'a dot': { 'openai.responses': ACME },
  };
  for (const [what, providers] of Object.entries(refused))
    assert.throws(
      () => checkProviders(providers, FILE),
      {
        code: 'invalid-config',
        message: /^toolfold\.json: the provider .* of toolfold\.providers/,
      },
      what,
    );
  checkProviders({ acme: ACME, eu: { ...ACME, key: 'ACME_EU_API_KEY' }, ollama: ACME }, FILE);
});

test('the table of providers names its sources', () => {
  assert.equal(Object.keys(WELL_KNOWN).length, 8);
  for (const { address, key, source, date } of Object.values(WELL_KNOWN)) {
    assert.match(address, /^https:\/\/[\w./-]+[^/]$/);
    assert.match(key, /^[A-Z]+_API_KEY$/);
    assert.match(`${source} ${date}`, /^https:\/\/\S+ \d{4}-\d\d-\d\d$/);
  }
});
