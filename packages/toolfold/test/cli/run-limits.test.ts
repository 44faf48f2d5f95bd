import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSubagents, type SubagentOptions } from '@toolfold/agent/internal/tasks/tool.ts';
import { MAX_DEPTH, MAX_TIMEOUT, WIDE } from '@toolfold/config/internal/settings/agents.ts';
import { parseConfig } from '@toolfold/mcp/internal/config/read-config.ts';

/** The code of the thrown error. Undefined if nothing is thrown. */
function codeOf(act: () => unknown): string | undefined {
  try {
    act();
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : assert.fail();
  }
  return;
}

test('a file may set for subagents what the agent accepts; other values are refused with a position', () => {
  const ranges: [keyof SubagentOptions, number, number][] = [
    ['concurrency', 1, WIDE.concurrency],
    ['timeout', 1, MAX_TIMEOUT],
    ['depth', 1, MAX_DEPTH],
    ['resultBytes', 10_000, 10_000_000],
  ];
  for (const [key, least, most] of ranges) {
    for (const value of [least - 1, least, most, most + 1]) {
      const isFine = value >= least && value <= most;
      const subagents = { wide: true, [key]: value };
      const text = JSON.stringify({ toolfold: { subagents } });
      const read = codeOf(() => parseConfig('c.json', text, { env: {} }));
      const made = codeOf(() => createSubagents(subagents));
      assert.equal(read, isFine ? undefined : 'invalid-config', `${key} ${value}`);
      assert.equal(made, isFine ? undefined : 'invalid-option', `${key} ${value}`);
    }
  }
});
