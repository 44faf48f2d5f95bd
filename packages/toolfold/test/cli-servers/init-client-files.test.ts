// test: slow
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax of configuration files
import assert from 'node:assert/strict';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { clientPlaces } from '@toolfold/mcp/internal/clients/places.ts';
import type { InitReport } from '../../src/cli-servers/init.ts';
import { scene } from './init.test-support.ts';

const SECRET = 'ghp_0123456789abcdefABCDEF';
const quotedNames = ['a "quoted\\" näme', '__proto__', 'constructor', 'a/b.c', '日本 🔧', "it's"];
const json = (value: unknown): string => JSON.stringify(value, null, 2);

/** A file of a client, and what is expected of it. */
interface Trouble {
  /** The text of the file. `key` is the client's key of servers. */
  readonly text?: (key: string) => string;
  /** Makes something else than a file with a text. */
  readonly make?: (file: string) => Promise<unknown>;
  readonly code: number;
  /** The names of the client's servers in the merged file. */
  readonly servers: readonly string[];
  /** What the text says about the file. */
  readonly says: RegExp;
  readonly check?: (merged: Record<string, Record<string, unknown>>, report: InitReport) => void;
}

const simple = (key: string): string => json({ [key]: { a: { command: 'x', args: ['1'] } } });
const broken = (says: RegExp) => ({ code: 3, servers: [], says });

const troubles: Readonly<Record<string, Trouble>> = {
  none: { text: simple, code: 0, servers: ['a'], says: / a\n/ },
  'a byte order mark': {
    text: (key) => `\uFEFF${simple(key)}`,
    ...{ code: 0, servers: ['a'], says: / a\n/ },
  },
  'comments and trailing commas': {
    text: (key) => `// c\n{ "${key}": { /* d */ "a": { "command": "x", "args": ["1",], }, }, }`,
    ...{ code: 0, servers: ['a'], says: / a\n/ },
  },
  'lines of Windows': {
    text: (key) => simple(key).replaceAll('\n', '\r\n'),
    ...{ code: 0, servers: ['a'], says: / a\n/ },
  },
  'a disabled server': {
    text: (key) => json({ [key]: { a: { command: 'x', disabled: true }, b: { command: 'y' } } }),
    ...{ code: 0, servers: ['a', 'b'], says: / a \(disabled\), b\n/ },
    check: ({ a, b }) => assert.deepEqual([a?.disabled, b?.disabled], [true, undefined]),
  },
  'names to quote': {
    text: (key) =>
      json({ [key]: Object.fromEntries(quotedNames.map((name) => [name, { command: 'x' }])) }),
    ...{ code: 0, servers: quotedNames, says: /a 'quoted\\' näme/ },
  },
  'a secret': {
    text: (key) => json({ [key]: { a: { command: 'x', env: { GITHUB_TOKEN: SECRET } } } }),
    ...{
      code: 0,
      servers: ['a'],
      says: /Set these variables[\s\S]*GITHUB_TOKEN {2}for a; its value/,
    },
    check: ({ a }, { variables }) => {
      assert.deepEqual(a?.env, { GITHUB_TOKEN: '${GITHUB_TOKEN}' });
      assert.deepEqual(
        variables.map(({ name, isSet, servers, files }) => [name, isSet, servers, files.length]),
        [['GITHUB_TOKEN', false, ['a'], 1]],
      );
    },
  },
  variables: {
    text: (key) =>
      json({ [key]: { a: { command: '${HOME}/x', env: { A: '${A_TOKEN}', B: '${B:-c}' } } } }),
    ...{ code: 0, servers: ['a'], says: /A_TOKEN {2}for a\n/ },
    check: ({ a }) =>
      assert.deepEqual(a, { command: '${HOME}/x', env: { A: '${A_TOKEN}', B: '${B:-c}' } }),
  },
  'keys of the client': {
    text: (key) => json({ [key]: { a: { command: 'x', excludeTools: ['t'], autoApprove: [] } } }),
    ...{ code: 0, servers: ['a'], says: /mcp:a\/t: hidden, as a client has it/ },
    check: ({ a }) => assert.deepEqual(a, { command: 'x' }),
  },
  'wrong entries': {
    text: (key) =>
      json({
        [key]: {
          a: 3,
          b: { args: [] },
          c: { command: 'x', env: { P: 1 } },
          d: { url: SECRET },
          f: { command: 'x', disabled: 'yes' },
          ' ': { command: 'x' },
          e: { command: 'x' },
        },
      }),
    ...{ code: 3, servers: ['e'], says: /a of .* is left out: its entry should be an object/ },
  },
  'an empty file': { text: () => '', code: 0, servers: [], says: / none\n/ },
  'other settings only': { text: () => '{"theme":"x"}', code: 0, servers: [], says: / none\n/ },
  'half a file': {
    text: (key) => `{ "${key}": { "a": { "command": "${SECRET}"`,
    ...broken(/cannot be read: .*:1:\d+: Not valid JSON/),
  },
  'a list': {
    text: () => `["${SECRET}"]`,
    ...broken(/The file holds an array\. Expected an object/),
  },
  'a list of servers': {
    text: (key) => `{ "${key}": ["${SECRET}"] }`,
    ...broken(/The servers are an array/),
  },
  'a key that stands twice': {
    text: (key) => `{ "${key}": { "a": { "command": "x", "command": "${SECRET}" } } }`,
    ...broken(/The key "command" stands twice/),
  },
  'deep nesting': { text: () => '['.repeat(5000), ...broken(/nested too deeply|Not valid JSON/) },
  'a folder': { make: (file) => mkdir(file), ...broken(/cannot be read: it is a folder/) },
  'a link to itself': { make: (file) => symlink(file, file), ...broken(/cannot be read: ELOOP/) },
};

const options = { cwd: '/', home: '/h', platform: process.platform, env: {} } as const;
const read = clientPlaces(options).filter(
  ({ id, format }) =>
    !['codex', 'goose', 'continue'].includes(format) && !['toolfold', 'mcp'].includes(id),
);

for (const [index, { client, id, scope, format }] of clientPlaces(options).entries()) {
  if (!read.some((place) => place.id === id)) continue;
  describe(`${client}, file of the ${scope}`, () => {
    for (const [title, trouble] of Object.entries(troubles)) {
      test(title, async (context) => {
        const { places, project, init } = await scene(context, {
          'mcp.json': { mcpServers: { good: { command: 'good' } } },
        });
        const file = places[index]?.file ?? '';
        await mkdir(dirname(file), { recursive: true });
        const key =
          { zed: 'context_servers', opencode: 'mcp' }[format as string] ??
          (id === 'vs-code' ? 'servers' : 'mcpServers');
        if (trouble.make) await trouble.make(file);
        else await writeFile(file, trouble.text?.(key) ?? '');

        const shown = await init([]);
        assert.equal(shown.code, trouble.code, shown.stdout + shown.stderr);
        assert.match(shown.stdout, trouble.says);
        const written = await init(['--write', '--json']);
        assert.equal(written.code, trouble.code);
        const text = await readFile(join(project, 'toolfold.json'), 'utf8');
        const merged: { mcpServers: Record<string, Record<string, unknown>> } = JSON.parse(text);
        assert.deepEqual(
          Object.keys(merged.mcpServers).sort(),
          [...trouble.servers, 'good'].sort(),
        );
        trouble.check?.(merged.mcpServers, JSON.parse(written.stdout));
        for (const output of [shown.stdout, shown.stderr, written.stdout, written.stderr, text])
          assert.ok(!output.includes(SECRET));
        // A second run finds everything in place.
        const again = await init(['--write']);
        assert.match(again.stdout, /already has all of these servers/);
        assert.equal(await readFile(join(project, 'toolfold.json'), 'utf8'), text);
      });
    }
  });
}
