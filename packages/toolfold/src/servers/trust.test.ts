// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax of configuration files
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JsonSource } from '@toolfold/config/internal/json-source.ts';
import type { ClientPlace } from '@toolfold/mcp/internal/clients/places.ts';
import { declared, filledConfig } from '@toolfold/mcp/internal/config/read-config.ts';
import { entryText, trustQuestion } from './trust.ts';

const env = { SECRET_KEY: 'k-12345678' };
const file = '/p/.mcp.json';

function place(id: string): ClientPlace {
  return {
    id,
    file,
    scope: 'project',
    format: id === 'opencode' || id === 'zed' ? id : 'json',
  } as ClientPlace;
}

const LISTS: Readonly<Record<string, string>> = { opencode: 'mcp', zed: 'context_servers' };

/** What is asked about an entry, and what is done with it after a yes. */
function both(id: string, entry: object): { readonly asked: string; readonly done: string } {
  const text = JSON.stringify({ [LISTS[id] ?? 'mcpServers']: { s: entry } });
  const config = declared(new JsonSource(file, text), place(id), '/p', []);
  const [server] = config.servers;
  assert.ok(server);
  const asked = entryText({ file, hash: server.hash, server } as never);
  return { asked, done: filledConfig(config, { env }).servers.get('s')?.kind ?? 'none' };
}

const commands = [{}, { command: 'node', args: ['server.js'] }];
const urls = ['url', 'serverUrl', 'httpUrl', 'uri'].map((key) => ({
  [key]: 'http://127.0.0.1:9/x',
}));
const types = [
  undefined,
  'http',
  'HTTP',
  'sse',
  'stdio',
  'streamable-http',
  'local',
  'remote',
  'ws',
];

for (const id of [
  'claude-code',
  'gemini-cli',
  'cline',
  'zed',
  'opencode',
  'goose',
  'codex',
  'continue',
  'vs-code',
  'mcp',
])
  test(`promise 78: what is asked about an entry is what is done, ${id}`, () => {
    for (const command of commands)
      for (const url of [{}, ...urls])
        for (const type of types)
          for (const key of ['type', 'transport', 'transportType']) {
            const list = id === 'opencode' && 'command' in command;
            const program = list ? { command: ['node', 'server.js'] } : command;
            const entry = { ...program, ...url, ...(type && { [key]: type }) };
            const { asked, done } = both(id, entry);
            const isRead = !('uri' in url) || id === 'goose';
            const what = `${JSON.stringify(entry)}: ${asked} / ${done}`;
            if (done === 'stdio') assert.match(asked, /^s starts node server\.js$/, what);
            else if (done === 'unusable') assert.match(asked, /^s is not started: /, what);
            else assert.match(asked, /^s contacts http:\/\/127\.0\.0\.1:9\/x$/, what);
            if ('command' in command && Object.keys(url).length > 0 && isRead)
              assert.equal(done, 'unusable', what);
          }
  });

test('the question shows the host, padding and invisible characters', () => {
  const contacts = (url: string) => both('mcp', { url }).asked.replace('s contacts ', '');
  assert.match(contacts('https://a.test/x?y'), /^"https:\/\/a\.test\/x\?y"$/);
  for (const url of [
    'https://good.example@127.0.0.1:8/x',
    'https:good.example@127.0.0.1:8',
    'https:\\\\127.0.0.1:8/good.example',
    ' https://good.example:443@127.0.0.1:8/x',
  ])
    assert.match(contacts(url), /^127\.0\.0\.1:8( as the user good\.example)?, by the address /);
  const { asked } = both('mcp', { command: 'sh', args: ['-c', `ls${' '.repeat(800)}; rm x`] });
  assert.match(asked, /ls‹800 blank characters›; rm x/);
});

test('a variable inside another is refused, and the question names both', () => {
  const entry = { command: 'x', env: { A: '${ZZ:-${SECRET_KEY}}' } };
  const { asked, done } = both('mcp', entry);
  assert.deepEqual([asked, done], ['s starts x (variables: A, ZZ, SECRET_KEY)', 'unusable']);
});

/** Entries with the secret SECRET-1234, which no question shows. */
const withSecret: readonly object[] = [
  { command: 'x', args: ['--api-key', 'SECRET-1234'] },
  { command: 'x', args: ['--api-key=SECRET-1234'] },
  { command: 'x', args: ['-p', 'SECRET-1234'] },
  { command: 'x', args: ['-u', 'me', '-pSECRET-1234'] },
  { command: 'x', args: ['-e', 'API_KEY=SECRET-1234'] },
  { command: 'x', args: ['--header', 'Authorization: Bearer SECRET-1234'] },
  { command: 'sh', args: ['-c', 'API_KEY=SECRET-1234 exec node server.js'] },
  { command: 'sh', args: ['-c', 'curl -H "X-Token: SECRET-1234" h.test'] },
  { command: 'x', args: ['postgres://me:SECRET-1234@h.test/db'] },
  { command: 'x', args: ['--token', '${TOKEN:-SECRET-1234}'] },
  { url: 'https://h.test/mcp?api_key=SECRET-1234' },
  { url: 'https://h.test/mcp#token=SECRET-1234' },
  { url: 'https://me:SECRET-1234@h.test/mcp' },
  { url: 'https://h.test/mcp?key=${TOKEN:-SECRET-1234}' },
];

for (const entry of withSecret)
  test(`the question hides a secret: ${JSON.stringify(entry)}`, () => {
    const { asked } = both('mcp', entry);
    assert.doesNotMatch(asked, /SECRET/);
    assert.match(asked, /redacted|\$\{TOKEN\}/);
  });

/** Entries that run EVIL. A name that sounds secret does not hide it from whoever is asked. */
const withProgram: readonly object[] = [
  { command: 'sh', args: ['-c', 'TOKEN=x; EVIL --now'] },
  { command: 'sh', args: ['-c', 'TOKEN=EVIL1234 sh -c "EVIL1234 | sh"'] },
  { command: 'sh', args: ['-c', 'API_KEY="$(EVIL1234 x)" node'] },
  { command: 'sh', args: ['--', 'API_KEY=x EVIL --now'] },
  { command: 'git', args: ['-c', 'credential.helper=!EVIL1234'] },
  { command: 'git', args: ['-c', 'credential.helper=/tmp/EVIL1234'] },
  { command: 'node', args: ['-p', "require('EVIL1234')"] },
  { command: 'node', args: ['-e', 'token=EVIL1234(); x'] },
  { command: 'sh', args: ['-c', '${A_TOKEN:-EVIL | sh}'] },
];

for (const entry of withProgram)
  test(`the question shows what a program may run: ${JSON.stringify(entry)}`, () => {
    assert.match(both('mcp', entry).asked, /EVIL/);
  });

test('the question names the folder once', () => {
  const { server } = { server: { name: 's', entry: { command: 'x' } } };
  const question = trustQuestion(
    [{ file: '/p/.cursor/mcp.json', hash: 'h', server } as never],
    '/p',
  );
  assert.match(question, /^Not trusted yet in \/p, from \.cursor\/mcp\.json:\n/);
});
