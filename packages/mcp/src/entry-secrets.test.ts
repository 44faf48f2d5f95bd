import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonValue } from '@toolfold/core/internal/values/json.ts';
import { readServerEntry } from './config/server-entry.ts';
import { redact } from './redact.ts';

const SECRET = 'p@ss/w0rd "x"+é&1';

/** The secrets of an entry, with these variables in the environment. */
function secretsOf(entry: JsonValue, env: Record<string, string> = {}): readonly string[] {
  const read = readServerEntry(entry, {
    env,
    workspaceFolder: '/work',
    root: '/',
    home: '/h',
    inputs: new Map([['key', SECRET]]),
  });
  assert.ok(read.kind !== 'unusable', JSON.stringify(read));
  return read.secrets;
}

const places: readonly (readonly [string, JsonValue, Record<string, string>?])[] = [
  ['a variable of env', { command: 'c', env: { ANY_SECRET: SECRET } }],
  ['a flag with =', { command: 'c', args: [`--api-key=${SECRET}`] }],
  ['a flag and its value', { command: 'c', args: ['--access-token', SECRET] }],
  ['a variable among the arguments', { command: 'c', args: ['-e', `API_KEY=${SECRET}`] }],
  ['a variable in a flag', { command: 'c', args: [`--env=API_KEY=${SECRET}`] }],
  ['a header among the arguments', { command: 'c', args: ['--header', `X-Token: ${SECRET}`] }],
  ['an argument in JSON', { command: 'c', args: [JSON.stringify({ a: [{ apiKey: SECRET }] })] }],
  ['a variable filled into an argument', { command: 'c', args: [`\${X_KEY}`] }, { X_KEY: SECRET }],
  ['a variable filled into the command', { command: `/opt/\${X_KEY}/c` }, { X_KEY: SECRET }],
  ['an input', { command: 'c', args: [`\${input:key}`] }],
  [
    'a header',
    { url: 'https://example.com/', headers: { 'X-Odd': `Bearer \${X}` } },
    { X: SECRET.slice(0, 9) },
  ],
  ['the password of a URL', { url: `https://me:${encodeURIComponent(SECRET)}@example.com/` }],
  ['the user of a URL', { url: `https://${encodeURIComponent(SECRET)}@example.com/` }],
  ['the query of a URL', { url: `https://example.com/?k=${encodeURIComponent(SECRET)}` }],
  ['a URL among the arguments', { command: 'c', args: [`x://u:${encodeURIComponent(SECRET)}@h/`] }],
];

for (const [place, entry, env] of places) {
  test(`a secret is hidden in every form: ${place}`, () => {
    const secret = place === 'a header' ? SECRET.slice(0, 9) : SECRET;
    const secrets = secretsOf(entry, env);
    const json = JSON.stringify(secret).slice(1, -1);
    const url = encodeURIComponent(secret);
    const forms = [
      ...[secret, url, url.replace(/%../g, (code) => code.toLowerCase())],
      ...[json, JSON.stringify(json).slice(1, -1), Buffer.from(secret).toString('hex')],
    ];
    for (const form of forms) {
      assert.equal(redact(`before ${form} after`, secrets), 'before [redacted] after', form);
    }
    for (const before of ['', 'a', 'ab', 'abc:']) {
      const encoded = Buffer.from(`${before}${secret}!`).toString('base64url');
      // Characters at the edges are shared with the neighbours. Four characters of a token do not reveal it.
      assert.ok(redact(encoded, secrets).replace('[redacted]', '').length < before.length * 2 + 8);
    }
  });
}

test('names and values that are public stay readable', () => {
  const entry = {
    command: '/usr/bin/node',
    args: ['server.js', '--port', '8080', '--mode=production', '--max-tokens=4096', '--verbose'],
    env: {
      ...{
        NODE_ENV: 'production',
        DEBUG: 'true',
        PORT: '8080',
        LANG: 'en_US.UTF-8',
        HOME: '/home/me',
      },
      ...{
        MAX_TOKENS: '100000',
        VERSION: '2025-11-25',
        MODE: 'readonly',
        KEY: '1',
        AUTH_TYPE: 'basic',
      },
    },
  };
  assert.deepEqual(secretsOf(entry), []);
  const url = 'https://example.com/v1/mcp?mode=fast&version=2';
  const headers = {
    Accept: 'application/json',
    'User-Agent': 'toolfold/1.0',
    'X-Readonly': 'true',
  };
  assert.deepEqual(secretsOf({ url, headers }), []);
});

test('values under other names stay readable, because the model needs them in errors', () => {
  const entry = {
    command: 'notes-server',
    args: [`\${NOTES}/2025`, '--workspace', 'acme-research-4', '--log=/var/log/notes-4.log'],
    env: {
      NOTES_DIR: '/home/me/notes-2025',
      TEAM: 'acme-research-4',
      PARTS: 'region=eu-central-1;table=notes_v2',
      JSON: '{"folder":"/home/me/notes-2025"}',
    },
  };
  const secrets = secretsOf(entry, { NOTES: '/home/me/notes-2025' });
  const error =
    "ENOENT: no such file '/home/me/notes-2025/a.md' of acme-research-4 in eu-central-1";
  assert.equal(redact(error, secrets), error);
  assert.deepEqual(secrets, []);
});

test('what is secret in a value under another name is hidden', () => {
  const basic = Buffer.from('me:swordfish-1').toString('base64');
  const env = {
    A: 'use ghp_abcdefghij0123456789 here',
    B: 'Bearer swordfish-2',
    C: `Basic ${basic}`,
    D: 'postgres://me:swordfish-3@db/notes?tag=swordfish-4',
    E: 'Server=db;Password=swordfish-5;Table=notes_v2',
    F: '{"folder":"/notes","apiKey":"swordfish-6"}',
  };
  const secrets = secretsOf({ command: 'c', env });
  const said = [1, 2, 3, 4, 5, 6].map((n) => `swordfish-${n}`).join(' ');
  assert.equal(redact(said, secrets), Array(6).fill('[redacted]').join(' '));
  assert.equal(redact('ghp_abcdefghij0123456789', secrets), '[redacted]');
  assert.equal(redact('/notes notes_v2', secrets), '/notes notes_v2');
});

test('known tokens are hidden everywhere', () => {
  const secrets = secretsOf({ command: 'c', args: ['run', 'ghp_abcdefghij0123456789', '--x'] });
  assert.equal(redact('got ghp_abcdefghij0123456789', secrets), 'got [redacted]');
  const agent = { 'User-Agent': 'app sk-abcdefghij0123456789' };
  const named = secretsOf({ url: 'https://example.com/', headers: agent });
  assert.equal(redact('app sk-abcdefghij0123456789', named), 'app [redacted]');
  const path = secretsOf({ url: 'https://example.com/s/abcdef0123456789ab/mcp' });
  assert.equal(redact('at /s/abcdef0123456789ab/mcp', path), 'at /s/[redacted]/mcp');
  const basic = `Basic ${Buffer.from('me:open-sesame-1').toString('base64')}`;
  const header = secretsOf({ url: 'https://example.com/', headers: { Authorization: basic } });
  assert.equal(redact('no user with open-sesame-1', header), 'no user with [redacted]');
});

test('the words of a shell command are arguments', () => {
  const script = `API_KEY='hunter2-a' exec server --token hunter2-b --port 80 x://u:hunter2-c@h/`;
  const secrets = secretsOf({ command: 'sh', args: ['-c', script] });
  const text = redact('hunter2-a, hunter2-b and hunter2-c', secrets);
  assert.equal(text, '[redacted], [redacted] and [redacted]');
});

test('parts of a value are hidden separately', () => {
  const headers = {
    Authorization: 'Bearer swordfish',
    Cookie: 'session=abcdefgh1; theme=dark',
  };
  const web = secretsOf({ url: 'https://example.com/', headers });
  assert.equal(redact('swordfish, abcdefgh1, dark', web), '[redacted], [redacted], dark');
  const env = { DATABASE: 'host=db.example.com port=5432 password=swordfish' };
  const database = secretsOf({ command: 'c', env });
  assert.equal(redact('no swordfish at 5432', database), 'no [redacted] at 5432');
  const account = { GOOGLE: JSON.stringify({ private_key: 'begin\nMIIEvgIBADANBg\nend' }) };
  const google = secretsOf({ command: 'c', env: account });
  assert.equal(redact('line MIIEvgIBADANBg', google), 'line [redacted]');
});

test('an unknown variable is named without its default', () => {
  const entry = { command: `\${MY VAR:-hunter2-hunter2}` };
  const read = readServerEntry(entry, {
    env: {},
    workspaceFolder: '/',
    root: '/',
    home: '/h',
    inputs: new Map(),
  });
  assert.ok(read.kind === 'unusable');
  assert.match(read.reason, /^\$\{MY VAR\} is not a variable/);
});

test('a short value is hidden under a secret name', () => {
  const secrets = secretsOf({ command: 'c', args: ['--pin', '4711'], env: { PASS: 'abcd' } });
  assert.equal(redact('abcd and 4711', secrets), '[redacted] and [redacted]');
});

test('a lone surrogate in the environment causes no failure', () => {
  const lone = 'key-\ud800-0123';
  const secrets = secretsOf(
    { command: 'c', args: [`\${KEY}`], env: { Y: `\${KEY}` } },
    { KEY: lone },
  );
  assert.equal(
    redact(`not ${lone} but ${lone.toWellFormed()}`, secrets),
    'not [redacted] but [redacted]',
  );
});

test('an entry that cannot be sent or started fails with a reason that shows no value', () => {
  const cases: [JsonValue, RegExp][] = [
    [{ command: 'c', args: ['hunter2\0'] }, /"args\[0\]" has a NUL character/],
    [{ command: 'hunter2\0' }, /"command" has a NUL/],
    [{ command: 'c', cwd: 'hunter2\0' }, /"cwd" has a NUL/],
    [{ command: 'c', env: { A: 'hunter2\0' } }, /"env\.A" has a NUL/],
    [{ command: 'c', env: { 'A=B': 'hunter2' } }, /"env" has a name that no variable can have/],
    [{ command: 'c', env: { '': 'hunter2' } }, /"env" has a name/],
    [{ command: `\${X:-}` }, /"command" should be a program to start but is empty/],
    [
      { url: 'https://example.com/', headers: { A: 'hunter2\n\ud800' } },
      /header "A" has characters/,
    ],
    [{ url: 'https://example.com/', headers: { 'A B': 'hunter2' } }, /header "A B" has characters/],
    [{ url: 'file:///hunter2' }, /not an http or https address/],
  ];
  for (const [entry, expected] of cases) {
    const read = readServerEntry(entry, {
      env: {},
      workspaceFolder: '/',
      root: '/',
      home: '/h',
      inputs: new Map(),
    });
    assert.ok(read.kind === 'unusable');
    assert.match(read.reason, expected);
    assert.doesNotMatch(JSON.stringify(read), /hunter2/);
  }
});
