import assert from 'node:assert/strict';
import { test } from 'node:test';
import { entrySecrets } from '@toolfold/mcp/internal/entry-secrets.ts';
import { secretsIn, shownText } from './secret-places.ts';

const NAMES = ['pw', 'pwd', 'psw', 'pass', 'passwd', 'auth', 'cred', 'creds', 'sig', 'tok'];

const basic = (value: string): string => Buffer.from(`me:${value}`).toString('base64');

/** Arguments that hold a secret, in every spelling, by what they are. `found`: what is hidden, if not the secret. */
const places: readonly (readonly [
  make: (secret: string) => readonly string[],
  found?: (secret: string) => string,
])[] = [
  [(s) => ['-Command', `$env:API_KEY='${s}'; node server.js`]],
  [(s) => ['-NoProfile', '-Command', `& { $Env:X_TOKEN="${s}"; npx x }`]],
  [(s) => ['-c', `$env:API_KEY = "${s}"; node server.js`]],
  [(s) => ['-Command', `\${env:API_KEY}='${s}'; node server.js`]],
  [(s) => [`$env:API_KEY='${s}';node`]],
  [(s) => ['-Command', `[Environment]::SetEnvironmentVariable('API_KEY','${s}'); x`]],
  [(s) => ['-Command', `[Environment]::SetEnvironmentVariable("API_KEY", "${s}"); x`]],
  [(s) => ['/c', `set X_TOKEN=${s}&& node server.js`]],
  [(s) => ['/C', `set "X_TOKEN=${s}" && node server.js`]],
  [(s) => ['/c', `setx API_KEY ${s} && node server.js`]],
  [(s) => ['-c', `export API_KEY=${s}; exec server`]],
  [(s) => [`Bearer ${s}`]],
  [(s) => [`cfg=password: ${s}`]],
  [(s) => ['-Command', `Set-Item Env:GH_TOKEN ${s}; node x`]],
  [(s) => ['-Command', `New-Item -Path Env:GH_TOKEN -Value '${s}'; node x`]],
  [(s) => ['-c', `set -x API_TOKEN ${s}; node x`]],
  [(s) => ['-c', `set -gx API_TOKEN '${s}'; node x`]],
  [(s) => ['-c', `setenv API_TOKEN ${s}; node x`]],
  [(s) => ['-c', `import os; os.environ['API_KEY']='${s}'; main()`]],
  [(s) => ['-c', `mysql -p${s}1 db`], (s) => `${s}1`],
  [(s) => ['--k', s]],
  [(s) => [`--k=${s}`]],
  [(s) => [`k=${s}`]],
  [(s) => [`https://h.test/mcp?k=${s}`]],
  ...NAMES.flatMap((name): (typeof places)[number][] => [
    [(s) => [`--${name}`, s]],
    [(s) => [`-${name}`, s]],
    [(s) => [`--${name}=${s}`]],
    [(s) => [`${name}=${s}`]],
    [(s) => [`https://h.test/mcp?a=1&${name}=${s}`]],
    [(s) => [`{"${name}":"${s}"}`]],
    [(s) => ['--config', `{ "a": [{ "${name}": "${s}" }] }`]],
    [(s) => [`--config={"${name}": "${s}"}`]],
  ]),
  [(s) => ['--header', `Authorization: Basic ${basic(s)}`], basic],
  [(s) => ['-H', `Basic ${basic(s)}`], basic],
  [(s) => [basic(s)], basic],
];

const texts = (args: readonly string[]): string[] =>
  args.flatMap((arg, at) =>
    secretsIn(arg, { key: 'args', name: String(at), args }).map(({ text }) => text),
  );

for (const secret of ['Hidden7value', 'swordfish'])
  for (const [make, found = (s: string) => s] of places)
    test(`init, trust and messages hide the secret in ${JSON.stringify(make(secret))}`, () => {
      const [args, hidden] = [make(secret), found(secret)];
      const shown = args.map((arg, at) => shownText(arg, { key: 'args', name: String(at), args }));
      assert.ok(texts(args).includes(hidden), JSON.stringify(texts(args)));
      assert.ok(!shown.join(' ').includes(hidden), shown.join(' '));
      assert.ok(entrySecrets({ args }).includes(hidden));
    });

for (const key of ['command', 'cwd', 'envFile'] as const)
  test(`a secret in "${key}" is found and hidden`, () => {
    const place = { key, name: key };
    for (const text of ['token=Hidden7value', '/srv/x?token=Hidden7value']) {
      assert.deepEqual(
        secretsIn(text, place).map(({ text }) => text),
        ['Hidden7value'],
      );
      assert.doesNotMatch(shownText(text, place), /Hidden7/);
    }
    assert.deepEqual(secretsIn('/home/me/work-2025/server', place), []);
  });

test('private keys and webhooks are hidden, and nothing that a shell runs with them', () => {
  const body = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC';
  const keys = [
    `-----BEGIN PRIVATE KEY-----\n${body}\n${body}\n-----END PRIVATE KEY-----`,
    `-----BEGIN RSA PRIVATE KEY-----\\n${body}\\n-----END RSA PRIVATE KEY-----`,
    `-----BEGIN PRIVATE KEY-----${body}`,
  ];
  for (const key of keys) {
    assert.deepEqual(texts([key]), [key]);
    const place = { key: 'args', name: '0', args: [key] } as const;
    assert.equal(shownText(key, place), '[redacted]');
    assert.match(shownText(`${key}; EVIL x`, place), /EVIL x/);
    assert.match(shownText(`${key}\n/tmp/EVIL`, place), /EVIL/);
  }
  const hook = ['https:', '', 'hooks.slack.com', 'services', 'T0ABC/B0ABC/x'].join('/');
  assert.deepEqual(texts([hook]), ['T0ABC/B0ABC/x']);
});

test('short options hide what looks like a key', () => {
  for (const args of [['-p', 'Hidden7value'], ['-p=Hidden7value'], ['-k', 'Hidden7value']])
    assert.deepEqual(texts(args), ['Hidden7value']);
});

test('what is no secret stays readable', () => {
  for (const args of [
    ['-sk', 'https://h.test'],
    ['-k', 'run'],
    ['--top-k', '1000'],
    ['{"k":5,"top_k":"1000"}'],
    ['-Command', "$env:MODE='fast'; node server.js"],
    ['-Command', "[Environment]::SetEnvironmentVariable('MODE','fast'); x"],
    ['/c', 'set MODE=fast&& node server.js'],
    ['run', '-p', '8080:80', '-e', 'API_KEY', 'image'],
    ['-p', 'typescript', 'tsc'],
    ['filesystem', 'postgres', 'sequential', 'everything', 'database'],
  ])
    assert.deepEqual(texts(args), [], JSON.stringify(args));
});
