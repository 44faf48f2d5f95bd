import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatLogin, issuerOf, parseLogin, type StoredLogin } from './login-store.ts';

const owner = { server: 'vault', url: 'https://mcp.example.com/mcp' };
const issuers = ['https://a.example.com', 'https://b.example.com'];
const issuer = fc.constantFrom(...issuers);

/** A part of a login, or any other value. */
const or = (part: fc.Arbitrary<unknown>) =>
  fc.oneof(
    { weight: 4, arbitrary: part },
    { weight: 1, arbitrary: fc.jsonValue() },
    { weight: 1, arbitrary: fc.constant(undefined) },
  );

const file = fc.record({
  version: or(fc.constant(1)),
  server: or(fc.constant(owner.server)),
  url: or(fc.constant(owner.url)),
  client: or(fc.record({ client_id: fc.string(), issuer })),
  tokens: or(
    fc.record({
      access_token: fc.string(),
      token_type: fc.constant('Bearer'),
      refresh_token: or(fc.string()),
      expires_in: or(fc.nat()),
      issuer,
    }),
  ),
  receivedAt: or(fc.nat()),
  discovery: or(fc.record({ authorizationServerUrl: issuer })),
});

test('any file is a login of this server and of one issuer, or a problem in words', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        file.map((value) => JSON.stringify(value)),
        fc.string(),
      ),
      (text) => {
        const parsed = parseLogin(text, owner);
        if ('problem' in parsed) {
          assert.match(parsed.problem, /^(its file|it was) /);
          return;
        }
        const { tokens, client, discovery } = parsed.login;
        if (tokens === undefined) return;
        assert.equal(typeof tokens.access_token, 'string');
        assert.equal(client?.issuer, tokens.issuer);
        assert.equal(discovery && issuerOf(discovery), tokens.issuer);
      },
    ),
    { numRuns: 2000, seed: 1 },
  );
});

test('a login is read as it was written', () => {
  const [first = ''] = issuers;
  const login: StoredLogin = {
    client: { client_id: 'c', issuer: first },
    tokens: { access_token: 'a', token_type: 'Bearer', expires_in: 60, issuer: first },
    receivedAt: 7,
    discovery: { authorizationServerUrl: first },
    pending: { url: 'https://x.example.com', state: 's', codeVerifier: 'v', redirectUrl: 'r' },
  };
  assert.deepEqual(parseLogin(formatLogin(login, owner), owner), { login });
  assert.deepEqual(parseLogin(formatLogin({}, owner), owner), { login: {} });
});
