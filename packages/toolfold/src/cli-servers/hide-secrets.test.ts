// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax of configuration files
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { VariableNames, withoutKnownValues, withoutSecrets } from './hide-secrets.ts';
import type { PortableEntry } from './merge.ts';

/** Secrets of many forms. None of them is a word that could stand elsewhere. */
const secrets: Readonly<Record<string, string>> = {
  'a GitHub token': 'ghp_0123456789abcdefABCDEF',
  'an OpenAI key': 'sk-proj-abcdefghijklmnop',
  'a UUID': '9b2f7c1e-3d4a-4f6b-8a1c-5e7d9f0b2a4c',
  'a JWT': 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.abc123def456ghi7',
  'a hash': 'd41d8cd98f00b204e9800998ecf8427e',
};
const short: Readonly<Record<string, string>> = {
  ...secrets,
  'a password': 'hunter2!',
  'characters of patterns': "a$&b$1c$'d",
};

/** The places where a secret can stand, with an entry for it. */
const anywhere: Readonly<Record<string, (secret: string) => PortableEntry>> = {
  'env under any name': (secret) => ({ command: 'x', env: { MY_VALUE: secret } }),
  'header under any name': (secret) => ({ url: 'http://h.test', headers: { 'X-Tenant': secret } }),
  'path of a url': (secret) => ({ url: `https://h.test/v1/${secret}/mcp` }),
  'an argument': (secret) => ({ command: 'x', args: ['serve', secret] }),
  'a default': (secret) => ({ command: 'x', env: { VALUE: `\${MY_VALUE:-${secret}}` } }),
};
const named: Readonly<Record<string, (secret: string) => PortableEntry>> = {
  env: (secret) => ({ command: 'x', env: { GITHUB_TOKEN: secret } }),
  header: (secret) => ({ url: 'http://h.test', headers: { 'X-API-Key': secret } }),
  bearer: (secret) => ({ url: 'http://h.test', headers: { Authorization: `Bearer ${secret}` } }),
  'behind a flag': (secret) => ({ command: 'x', args: ['--api-key', secret] }),
  'in a flag': (secret) => ({ command: 'x', args: ['-y', `--token=${secret}`] }),
  'a variable of docker': (secret) => ({
    command: 'docker',
    args: ['run', '-e', `API_KEY=${secret}`],
  }),
  'a header as an argument': (secret) => ({
    command: 'x',
    args: ['https://h.test', '--header', `Authorization: Bearer ${secret}`],
  }),
  'beside a variable': (secret) => ({
    command: 'x',
    args: ['${HOME}/data', `--token=${secret}`],
    env: { PATH_TO: '${HOME}/x' },
  }),
  'a default under a secret place': (secret) => ({
    command: 'x',
    env: { API_KEY: `\${OTHER:-${secret}}` },
  }),
  'a default in a flag': (secret) => ({
    command: 'x',
    args: [`--token=\${OTHER:-${secret}}`],
  }),
  'a default in the query of a url': (secret) => ({
    url: `https://h.test/mcp?key=\${OTHER:-${secret}}`,
  }),
  'a default in the password of a url': (secret) => ({
    url: `https://user:\${OTHER:-${secret}}@h.test/mcp`,
  }),
};

/** The entry with its variables replaced by the values that they stand for. */
function filled(entry: PortableEntry, names: VariableNames): unknown {
  const values = new Map(names.values().map(([value, name]) => [`\${${name}}`, value]));
  return JSON.parse(JSON.stringify(entry), (_, value) => {
    if (typeof value !== 'string') return value;
    return value.replace(/\$\{[^{}]*\}/g, (variable) => values.get(variable) ?? variable);
  });
}

describe('a secret is replaced by a variable that stands for it', () => {
  const cases = [
    ...Object.entries(anywhere).map((place) => [place, secrets] as const),
    ...Object.entries(named).map((place) => [place, short] as const),
  ];
  for (const [[place, make], values] of cases) {
    for (const [kind, secret] of Object.entries(values)) {
      test(`${kind}: ${place}`, () => {
        const names = new VariableNames({});
        const entry = make(secret);
        const hidden = withoutSecrets(entry, 'my server', names);
        assert.ok(!JSON.stringify(hidden).includes(JSON.stringify(secret).slice(1, -1)));
        if (!place.includes('default')) assert.deepEqual(filled(hidden, names), entry);
      });
    }
  }
});

test('secrets inside addresses, JSON and commands', () => {
  const cases: [PortableEntry, string[]][] = [
    [{ command: 'x', env: { DATABASE_URL: 'postgres://me:pa55word@h.test/x' } }, ['pa55word']],
    [{ command: 'x', args: ['postgres://me:pa55word@h.test/x'] }, ['pa55word']],
    [{ url: 'https://h.test/mcp?api_key=k-1234567&page=2' }, ['k-1234567']],
    [{ url: 'https://h.test/mcp?api_key=a%2Fb%3Dc1234' }, ['a%2Fb%3Dc1234', 'a/b=c1234']],
    [{ command: 'x', args: ['{"apiKey":"k-1234567","n":1}'] }, ['k-1234567']],
    [
      { command: 'sh', args: ['-c', 'API_KEY=k-1234567 server --token t-7654321'] },
      ['k-1234567', 't-7654321'],
    ],
    [{ command: 'x', env: { OPTS: 'host=h;password=pa55word;' } }, ['pa55word']],
  ];
  for (const [entry, planted] of cases) {
    const names = new VariableNames({});
    const hidden = withoutSecrets(entry, 's', names);
    for (const secret of planted) assert.ok(!JSON.stringify(hidden).includes(secret), secret);
    assert.deepEqual(filled(hidden, names), entry);
  }
});

test('the rest of a command line stays, and short options and fragments hold secrets', () => {
  const cases: readonly [PortableEntry, PortableEntry][] = [
    [
      { command: 'sh', args: ['-c', 'API_KEY=k-123456 exec node server.js'] },
      { command: 'sh', args: ['-c', 'API_KEY=${API_KEY} exec node server.js'] },
    ],
    [
      { command: 'bash', args: ['-lc', "API_KEY='two words' TOKEN=t-123456 node s.js; echo ok"] },
      { command: 'bash', args: ['-lc', "API_KEY='${API_KEY}' TOKEN=${TOKEN} node s.js; echo ok"] },
    ],
    [
      { command: 'sh', args: ['-c', 'curl -H "Authorization: Bearer k-123456" https://h.test'] },
      {
        command: 'sh',
        args: ['-c', 'curl -H "Authorization: Bearer ${S_AUTHORIZATION}" https://h.test'],
      },
    ],
    [
      { command: 'sh', args: ['-c', 'API_KEY=$KEY exec node server.js'] },
      { command: 'sh', args: ['-c', 'API_KEY=$KEY exec node server.js'] },
    ],
    [
      { command: 'db', args: ['-p', 'hunter2pass'] },
      { command: 'db', args: ['-p', '${S_PASSWORD}'] },
    ],
    [
      { command: 'db', args: ['-u', 'me', '-p', 'swordfish'] },
      { command: 'db', args: ['-u', 'me', '-p', '${S_PASSWORD}'] },
    ],
    [
      { command: 'db', args: ['-u', 'me', '-phunter2!'] },
      { command: 'db', args: ['-u', 'me', '-p${S_PASSWORD}'] },
    ],
    [
      { command: 'x', args: ['-u', 'me:swordfish'] },
      { command: 'x', args: ['-u', 'me:${S_PASSWORD}'] },
    ],
    [
      { command: 'x', args: ['-k', 'a1b2c3d4e5'] },
      { command: 'x', args: ['-k', '${S_KEY}'] },
    ],
    [
      { url: 'https://h.test/mcp#access_token=k-123456&x=1' },
      { url: 'https://h.test/mcp#access_token=${S_ACCESS_TOKEN}&x=1' },
    ],
    [{ url: 'https://h.test/mcp#k3y4567' }, { url: 'https://h.test/mcp#${S_TOKEN}' }],
  ];
  for (const [entry, expected] of cases) {
    const names = new VariableNames({});
    assert.deepEqual(withoutSecrets(entry, 's', names), expected);
    assert.deepEqual(filled(expected, names), entry);
  }
});

test('what is no secret stays', () => {
  const entries: PortableEntry[] = [
    { command: 'npx', args: ['-y', '@scope/server-sequential-thinking@2025.12.18'] },
    {
      command: '/opt/node-v22.18.0-linux-x64/bin/node',
      args: ['/home/u/9b2f7c1e3d4a4f6b8a1c/x.js'],
    },
    { command: 'C:\\Users\\u\\9b2f7c1e3d4a4f6b8a1c\\x.exe' },
    { command: 'docker', args: ['run', 'ghcr.io/o/x@sha256:d41d8cd98f00b204e9800998ecf8427e'] },
    { command: 'x', env: { LOG_LEVEL: 'debug', REGION: 'eu-west-1', MAX_TOKENS: '4096' } },
    { command: 'x', env: { API_KEY: '${API_KEY}', URL: 'https://${USER}:${PASS}@h.test/' } },
    { url: 'https://${HOST}/mcp', headers: { Authorization: 'Bearer ${env:TOKEN}' } },
    { command: 'x', env: { REGION: '${REGION:-eu-west-1}' } },
    { command: 'npx', args: ['-p', '@scope/server-x2', 'server'] },
    { command: 'npx', args: ['-p', 'mcp-server2', 'server'] },
    { command: 'docker', args: ['run', '-p', '8080:80', '-u', '1000:1000', '-t', 'image'] },
    { command: 'docker', args: ['run', '-u', 'me', '-p', '127.0.0.1:8080:80'] },
    { command: 'node', args: ['-p', 'process.version'] },
    { url: 'https://h.test/docs#section-two' },
  ];
  for (const entry of entries)
    assert.deepEqual(withoutSecrets(entry, 's', new VariableNames({})), entry);
});

test('one name stands for one value', () => {
  const names = new VariableNames({ API_KEY: 'set already', PATH: '/bin' });
  const name = (value: string, wanted: string, server = 'srv') =>
    names.nameFor(value, wanted, server);
  assert.equal(name('one', 'TOKEN'), 'TOKEN');
  assert.equal(name('one', 'TOKEN'), 'TOKEN');
  assert.equal(name('two', 'TOKEN'), 'SRV_TOKEN');
  assert.equal(name('three', 'TOKEN'), 'SRV_TOKEN_2');
  assert.equal(name('four', 'TOKEN', 'other one'), 'OTHER_ONE_TOKEN');
  // A variable of another value is set: it must not be sent to this server.
  assert.equal(name('mine', 'API_KEY'), 'SRV_API_KEY');
  assert.equal(name('set already', 'API_KEY', 'b'), 'API_KEY');
  assert.equal(name('v', 'é!', '日本'), 'VALUE');
  assert.equal(name('w', '9-lives', 'x'), 'VALUE_9_LIVES');
});

test('a secret of one entry is hidden in the others', () => {
  const names = new VariableNames({});
  withoutSecrets({ command: 'x', env: { API_KEY: 'a plain sentence' } }, 's', names);
  const other = { command: 'y', args: ['a plain sentence', '${X}'], cwd: '/a plain sentence' };
  assert.deepEqual(withoutKnownValues(other, names), {
    command: 'y',
    args: ['${API_KEY}', '${X}'],
    cwd: '/${API_KEY}',
  });
});
