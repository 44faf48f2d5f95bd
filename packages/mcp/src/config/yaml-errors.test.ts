import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { readConfig } from './read-config.ts';

/** Mistakes, with what stands before the message: the file, and the position only where it is that of the file. */
const cases: readonly (readonly [file: string, text: string, place: string, said: RegExp])[] = [
  ['a.yaml', 'mcpServers: []\n\n\ntoolfold:\n  stratgy: lazy\n', '', /Did you mean "strategy"/],
  ['a.yaml', 'a: 1\ntoolfold:\n  exposure:\n    "*": hiden\n', '', /hidden/],
  ['a.yaml', '\ntolfold: {}\n', '', /Did you mean "toolfold"/],
  ['a.yaml', 'a: 1\nb: [\n', ':3:1', /It is not YAML/],
  ['a.toml', 'a = 1\n[toolfold]\nstratgy = "lazy"\n', '', /Did you mean "strategy"/],
  ['a.toml', 'a = 1\nb = [\n', ':3:1', /It is not TOML/],
  ['a.json', '{\n  "toolfold": { "stratgy": "lazy" } }', ':2:17', /Did you mean "strategy"/],
];

for (const [name, text, place, said] of cases)
  test(`an error names the right line or none: ${name}, ${JSON.stringify(text)}`, async (context) => {
    const folder = await mkdtemp(join(tmpdir(), 'toolfold-'));
    context.after(() => rm(folder, { recursive: true, force: true }));
    const file = join(folder, name);
    await writeFile(file, text);
    const error: unknown = await readConfig(file, { env: {}, home: folder }).catch((e) => e);
    assert.ok(error instanceof ToolfoldError, String(error));
    assert.ok(error.message.startsWith(`${file}${place}: `), error.message);
    assert.match(`${error.message} ${error.hint}`, said);
  });
