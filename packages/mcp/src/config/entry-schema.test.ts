import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ServerEntry } from './config.ts';
import { parseConfig } from './read-config.ts';

const env = {
  ID: 'my-client',
  SECRET: 'hunter2-hunter2',
  KEY: 'pem-pem-pem',
  PORT: '7777',
  EMPTY: '',
};

function entryOf(oauth: unknown, rest: object = {}): ServerEntry {
  const text = JSON.stringify({
    mcpServers: { a: { url: 'https://example.com/mcp', ...rest, oauth } },
  });
  return parseConfig('c.json', text, { env }).servers.get('a') ?? assert.fail();
}

test('all keys, through variables', () => {
  const entry = entryOf({
    grant: 'client-credentials',
    clientId: `\${ID}`,
    clientSecret: `\${SECRET}`,
    scopes: ['read', `\${env:ID}`],
    redirectPort: `\${PORT}`,
    clientMetadataUrl: 'https://example.com/client.json',
    issuer: 'https://login.example.com',
  });
  assert.ok(entry.kind === 'http', JSON.stringify(entry));
  assert.deepEqual(JSON.parse(JSON.stringify(entry.oauth)), {
    grant: 'client-credentials',
    clientId: 'my-client',
    clientSecret: 'hunter2-hunter2',
    scopes: ['read', 'my-client'],
    redirectPort: 7777,
    clientMetadataUrl: 'https://example.com/client.json',
    issuer: 'https://login.example.com',
  });
  assert.ok(entry.secrets.includes('hunter2-hunter2'));
});

test('defaults, keys of other clients, and no key at all', () => {
  const entry = entryOf({ enabled: true, authorizationUrl: 'https://example.com/authorize' });
  assert.ok(entry.kind === 'http');
  assert.equal(entry.oauth?.grant, 'authorization-code');
  assert.deepEqual(entry.oauth?.scopes, []);
  const without = entryOf(undefined);
  assert.ok(without.kind === 'http' && !('oauth' in without));
});

test('a private key is a secret of the entry', () => {
  const oauth = { grant: 'client-credentials', clientId: 'x', privateKey: `\${KEY}` };
  const entry = entryOf({ ...oauth, algorithm: 'ES256' });
  assert.ok(entry.kind === 'http' && entry.secrets.includes('pem-pem-pem'));
  assert.equal(entry.oauth?.algorithm, 'ES256');
});

describe('a mistake makes the entry unusable, and no value is shown', () => {
  const id = { clientId: 'x' };
  const own = { grant: 'client-credentials' };
  const cases: readonly (readonly [
    name: string,
    oauth: unknown,
    reason: RegExp,
    remedy: RegExp,
  ])[] = [
    ['not an object', 'hunter2', /"oauth" should be an object but is a string/, /Correct "oauth"/],
    [
      'a literal secret',
      { ...id, clientSecret: 'hunter2' },
      /clientSecret" does not come/,
      /\$\{NAME\}/,
    ],
    [
      'a secret by default',
      { ...id, clientSecret: `\${NO:-hunter2}` },
      /does not come/,
      /without a default/,
    ],
    [
      'a partly literal secret',
      { ...id, clientSecret: `hunter2\${ID}` },
      /does not come/,
      /variable/,
    ],
    ['a literal key', { ...id, privateKey: 'hunter2' }, /privateKey" does not come/, /\$\{NAME\}/],
    ['a variable that is not set', { ...id, clientSecret: `\${NO}` }, /NO is not set/, /Set NO/],
    [
      'an empty secret',
      { ...id, clientSecret: `\${EMPTY}` },
      /clientSecret" .* is empty/,
      /Correct/,
    ],
    ['a secret without id', { clientSecret: `\${SECRET}` }, /has no "clientId"/, /Add "clientId"/],
    ['no id', own, /has no "clientId"/, /Add "clientId"/],
    ['no proof', { ...own, ...id }, /no "clientSecret" and no "privateKey"/, /Add one of them/],
    [
      'an unknown grant',
      { grant: 'hunter2' },
      /grant" is not a known grant/,
      /"authorization-code"/,
    ],
    ['scopes as text', { scopes: 'a hunter2' }, /scopes" should be a list/, /Correct/],
    [
      'two scopes in one text',
      { scopes: ['a hunter2'] },
      /scopes\[0\]" is not one scope/,
      /own string/,
    ],
    [
      'a scope that is a number',
      { scopes: ['a', 7] },
      /scopes\[1\]" should be a string/,
      /Correct/,
    ],
    ['port 0', { redirectPort: 0 }, /redirectPort" is not a port/, /1 to 65,535/],
    ['a large port', { redirectPort: '70000' }, /redirectPort" is not a port/, /1 to 65,535/],
    [
      'a document without TLS',
      { clientMetadataUrl: 'http://x.example.com/a' },
      /not an https/,
      /Correct/,
    ],
    [
      'an issuer without TLS',
      { issuer: 'http://x.example.com' },
      /issuer" is not an https/,
      /Correct/,
    ],
  ];
  for (const [name, oauth, reason, remedy] of cases) {
    test(name, () => {
      const entry = entryOf(oauth);
      assert.ok(entry.kind === 'unusable', JSON.stringify(entry));
      assert.match(entry.reason, reason);
      assert.match(entry.remedy, remedy);
      assert.doesNotMatch(JSON.stringify(entry), /hunter2/);
    });
  }
});
