import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { auditPrefix, formatAuditReport } from '../../src/audit/audit-prefix.ts';
import type { AuditableRequest } from '../../src/audit/blocks.ts';

const mark = { cache_control: { type: 'ephemeral' } };
const part = { type: 'text', text: 'Go.' };
const anthropic = (content: object, more: object = {}): AuditableRequest => ({
  provider: 'anthropic',
  body: { model: 'claude-opus-5-5', messages: [{ role: 'user', content: [content] }], ...more },
});
const chat = (model: string, content: object = part): AuditableRequest => ({
  provider: 'openai-chat',
  body: { model, messages: [{ role: 'user', content: [content] }] },
});

const NEVER = /The cache was never asked for: .* none of 2 requests has one.*\nRemedy: /;
const SOME = /The cache was asked for in 1 of 2 requests: /;

/** Rows: what, the requests, how many have to ask and do, and what the report says. */
const ROWS: [
  what: string,
  AuditableRequest[],
  [requests: number, asked: number] | undefined,
  RegExp?,
][] = [
  ['no request asks', [anthropic(part), anthropic(part)], [2, 0], NEVER],
  ['one asks by a block', [anthropic(part), anthropic({ ...part, ...mark })], [2, 1], SOME],
  ['one asks at the top level', [anthropic(part), anthropic(part, mark)], [2, 1], SOME],
  ['all ask', [anthropic(part, mark), anthropic(part, mark)], [2, 2]],
  [
    'a mark of null asks for nothing',
    [anthropic(part), anthropic(part, { cache_control: null })],
    [2, 0],
    NEVER,
  ],
  ['a provider that caches by itself', [chat('gpt-5'), chat('gpt-5')], undefined],
  [
    'Claude through a gateway',
    [chat('anthropic/claude-opus-5-5'), chat('anthropic/claude-opus-5-5')],
    [2, 0],
    NEVER,
  ],
  [
    'a tool with a parameter of that name',
    [
      anthropic(part, {
        tools: [{ name: 't', input_schema: { type: 'object', properties: mark } }],
      }),
      anthropic(part),
    ],
    [2, 0],
    NEVER,
  ],
];

suite('the auditor says whether the cache was asked for', () => {
  for (const [what, requests, asking, words] of ROWS) {
    test(what, () => {
      const report = auditPrefix(requests);
      assert.deepEqual(report.asking && [report.asking.requests, report.asking.asked], asking);
      const text = formatAuditReport(report);
      if (words) assert.match(text, words);
      else assert.doesNotMatch(text, /asked for/);
    });
  }
});
