import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Command } from 'commander';
import { auditCommand } from './audit.ts';

interface Outcome {
  readonly out: string;
  readonly code: number | undefined;
}

async function audit(context: TestContext, lines: unknown[], ...flags: string[]): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'toolfold-'));
  context.after(() => rm(folder, { recursive: true }));
  const file = join(folder, 'requests.jsonl');
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  await writeFile(file, text.join('\n'));
  let out = '';
  let code: number | undefined;
  const command = auditCommand({
    terminal: {
      out: (written) => {
        out += written;
      },
      note: () => {},
      style: (_style, written) => written,
      isInteractive: false,
      overwrite: () => {},
    },
    signal: new AbortController().signal,
    exitWith: (given) => {
      code = given;
    },
  });
  await new Command().addCommand(command).parseAsync(['audit', file, ...flags], { from: 'user' });
  return { out, code };
}

const request = (...texts: string[]): object => ({
  provider: 'anthropic',
  url: '/v1/messages',
  body: {
    model: 'm',
    tools: [{ name: 'a' }],
    messages: texts.map((content) => ({ role: 'user', content })),
  },
});

test('a prefix that held: 0', async (context) => {
  const { out, code } = await audit(context, [request('a'), '', request('a', 'b')]);
  assert.equal(code, 0);
  assert.match(out, /held/);
});

test('a prefix that broke: 1, and where', async (context) => {
  const { out, code } = await audit(context, [request('a', 'b'), request('x', 'b')], '--json');
  assert.equal(code, 1);
  const report = JSON.parse(out);
  assert.equal(report.held, false);
  assert.match(report.requests[1].first.block, /messages\[0\]/);
});

test('unreadable lines are told by number', async (context) => {
  const cases: [unknown, RegExp][] = [
    ['{', /requests\.jsonl:2 is not a recorded request/],
    [{ provider: 'anthropic' }, /:2 .*no "body"/],
    [{ provider: 'other', body: {} }, /:2 .*"provider"/],
    ['5', /:2 /],
  ];
  for (const [line, expected] of cases) {
    await assert.rejects(audit(context, [request('a'), line]), {
      code: 'invalid-option',
      message: expected,
    });
  }
  await assert.rejects(audit(context, ['', '']), { message: /has no requests/ });
});
