import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import type { Session } from '@toolfold/agent/internal/sessions/session.ts';
import type { AgentFlags } from '../terminal/flags.ts';
import { quoted, wayBackTo } from './settings.ts';

const ID = '0a1b2c3d-0000-4000-8000-000000000000';
const GIVEN = 'anthropic/a';
const LOCAL = 'http://127.0.0.1:8080/v1';

interface Row {
  readonly flags: AgentFlags;
  /** The model that is used now, and the one that the session has kept. */
  readonly now?: string;
  readonly kept?: string;
  /** That of the environment or the role. */
  readonly usual?: string;
}

function command({ flags, usual, ...row }: Row): string {
  const { now = flags.model ?? usual, kept = now } = row;
  const entries = kept === undefined ? [] : [{ kind: 'settings', body: { model: kept } }];
  return wayBackTo('chat -r', {
    session: { id: ID, entries } as unknown as Session,
    flags,
    set: { modelName: () => usual },
    settings: { modelOf: () => now, role: null },
  });
}

test('the command back has what the session does not keep itself', () => {
  const address = `--base-url ${LOCAL}`;
  const rows: readonly (readonly [Row, string])[] = [
    [{ flags: {} }, ''],
    // The session keeps them.
    [{ flags: { model: GIVEN, role: 'chat', strategy: 'eager', routing: 'off' } }, ''],
    [{ flags: { model: GIVEN }, kept: 'openai/b' }, ` --model ${GIVEN}`],
    [{ flags: {}, now: 'openai/b', kept: GIVEN }, ' --model openai/b'],
    // The address is that of the first provider, which another default may be.
    [{ flags: { model: GIVEN, baseUrl: LOCAL } }, ` --model ${GIVEN} ${address}`],
    [{ flags: { baseUrl: LOCAL }, usual: GIVEN }, ` --model ${GIVEN} ${address}`],
    [
      { flags: { model: GIVEN, baseUrl: LOCAL }, now: 'anthropic/b' },
      ` --model anthropic/b ${address}`,
    ],
    [{ flags: { model: GIVEN, baseUrl: LOCAL }, now: 'openai/b' }, ''],
    [{ flags: { config: 'mcp.json' } }, ' --config mcp.json'],
    [{ flags: { config: "my $(touch x)'s.json" } }, ` --config 'my $(touch x)'\\''s.json'`],
    [{ flags: { instructions: true, subagents: true } }, ' --subagents'],
    [
      { flags: { instructions: false, subagents: false, cache: 'off', maxRounds: 3 } },
      ' --cache off --max-rounds 3 --no-instructions --no-subagents',
    ],
    // What is allowed is said anew.
    [{ flags: { allow: ['*'], wait: 3 } }, ''],
    [
      { flags: { model: GIVEN, baseUrl: 'https://me:secret@example.org/v1?key=secret#secret' } },
      ` --model ${GIVEN} --base-url https://example.org/v1`,
    ],
  ];
  for (const [row, expected] of rows)
    assert.equal(command(row), `toolfold chat -r 0a1b2c3d${expected}`, JSON.stringify(row));
});

test('a shell reads each word as it is', { skip: process.platform === 'win32' }, () => {
  for (const word of [
    '',
    'a b',
    "it's",
    '$HOME',
    '`id`',
    'a\nb',
    '*',
    '~',
    '"',
    '\\',
    '!x',
    '-r',
  ]) {
    const read = execFileSync('sh', ['-c', `printf %s ${quoted(word)}`], { encoding: 'utf8' });
    assert.equal(read, word);
  }
});
