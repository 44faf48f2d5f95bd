import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createAgent } from '@toolfold/agent/internal/agent/agent.ts';
import { exportSession } from '@toolfold/agent/internal/sessions/export-session.ts';
import { importSession } from '@toolfold/agent/internal/sessions/import-session.ts';
import {
  createSession,
  openSession,
  type Session,
} from '@toolfold/agent/internal/sessions/session.ts';
import { memoryStore } from '@toolfold/agent/internal/sqlite/sqlite-store.ts';
import { startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { sessionMarkdown } from '../../src/stored-sessions/export.ts';

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const PDF = Buffer.from('%PDF-1.4\n/Type /Page\n').toString('base64');

test('an exported session has its images and files, and goes on with them where it is imported', async () => {
  await using server = await startModelServer({ script: () => ({ text: 'A dot.' }) });
  const model = createAnthropic({ apiKey: 'none', baseURL: server.baseUrl('anthropic') })(
    'claude-sonnet-4-5',
  );
  const say = async (
    session: Session,
    content: Parameters<ReturnType<typeof createAgent>['send']>[0],
  ) => {
    for await (const event of createAgent({ model, session }).send(content))
      if (event.type === 'end') assert.equal(event.reason, 'done');
  };
  const here = memoryStore();
  const session = await createSession(here);
  await say(session, [
    { type: 'text', text: 'What is this?' },
    { type: 'file', data: PNG, mediaType: 'image/png', filename: 'shot.png' },
    { type: 'file', data: PDF, mediaType: 'application/pdf', filename: 'a.pdf' },
  ]);
  const lines: string[] = [];
  for await (const line of exportSession(session)) lines.push(line);
  const there = memoryStore();
  const copy = await openSession(there, await importSession(there, lines));
  await say(copy, 'And now?');
  const last = server.requests.at(-1)?.raw ?? '';
  assert.ok(last.includes(PNG) && last.includes(PDF));
  const markdown = sessionMarkdown(copy.record, copy.entries);
  assert.match(markdown, /What is this\?\n+\[image\/png, \d+ bytes: shot\.png\]/);
  assert.match(markdown, /\[application\/pdf, \d+ bytes: a\.pdf\]/);
  assert.ok(!markdown.includes(PNG) && !markdown.includes(PDF));
});
