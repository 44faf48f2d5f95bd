import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio';
import { parseConfig } from '../config/read-config.ts';
import { inheritedEnvironment } from './inherited-environment.ts';

const env = {
  HOME: '/home/me',
  LOGNAME: 'me',
  PATH: '/bin',
  SHELL: '/bin/sh',
  TERM: 'xterm',
  USER: 'me',
  LANG: 'de_DE.UTF-8',
  LC_ALL: 'C',
  TZ: 'Asia/Tokyo',
  TMPDIR: '/tmp/mine',
  XDG_CACHE_HOME: '/cache',
  NODE_EXTRA_CA_CERTS: '/ca.pem',
  SSL_CERT_FILE: '/ca.pem',
  HTTPS_PROXY: 'http://127.0.0.1:3128',
  http_proxy: 'http://127.0.0.1:3128',
  NO_PROXY: 'localhost',
  TOOLFOLD_SERVING: '0123456789abcdef',
  AWS_PROFILE: 'work',
  AWS_SECRET_ACCESS_KEY: 'abcdefghijkl0123',
  GITHUB_TOKEN: 'ghp_0123456789',
  LC_EVIL: '() { :; }; echo',
  EMPTY: undefined,
};
const { AWS_PROFILE, AWS_SECRET_ACCESS_KEY, GITHUB_TOKEN, LC_EVIL, EMPTY, ...inherited } = env;

test('servers inherit language, time zone, folders, certificates and proxies, and no keys', () => {
  assert.deepEqual(inheritedEnvironment(undefined, env), inherited);
});

test('servers inherit what the SDK passes on', () => {
  const theirs = Object.keys(getDefaultEnvironment()).filter(() => process.platform !== 'win32');
  const ours = Object.keys(inheritedEnvironment());
  assert.deepEqual(
    theirs.filter((name) => !ours.includes(name)),
    [],
  );
});

test('passEnv passes on names, and beginnings with *', () => {
  const cases: readonly (readonly [readonly string[], object])[] = [
    [['AWS_PROFILE'], { AWS_PROFILE }],
    [['AWS_*'], { AWS_PROFILE, AWS_SECRET_ACCESS_KEY }],
    [['GITHUB_TOKEN', 'ABSENT', 'EMPTY'], { GITHUB_TOKEN }],
    [['AWS'], {}],
  ];
  for (const [names, expected] of cases) {
    assert.deepEqual(inheritedEnvironment(names, env), { ...inherited, ...expected });
  }
});

test('a passed value under a secret name is a secret of the entry', () => {
  const text = JSON.stringify({
    mcpServers: { a: { command: 'x', passEnv: ['AWS_*'] }, b: { command: 'x', passEnv: 'AWS_*' } },
  });
  const { servers } = parseConfig('c.json', text, { env });
  const [a, b] = [servers.get('a'), servers.get('b')];
  assert.ok(a?.kind === 'stdio' && b?.kind === 'unusable');
  assert.deepEqual(a.passEnv, ['AWS_*']);
  assert.ok(a.secrets.includes(AWS_SECRET_ACCESS_KEY), String(a.secrets));
  assert.ok(!a.secrets.includes(AWS_PROFILE));
  assert.match(b.reason, /"passEnv" should be a list of strings/);
});
