import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inspect } from 'node:util';
import { exportSession } from '@toolfold/agent/internal/sessions/export-session.ts';
import { openSession } from '@toolfold/agent/internal/sessions/session.ts';
import { memoryStore } from '@toolfold/agent/internal/sqlite/sqlite-store.ts';
import { collect } from '@toolfold/agent/test/agent.test-support.ts';
import { agentIn } from '@toolfold/agent/test/log/session-talk.test-support.ts';
import type { SdkToolGroup } from '@toolfold/ai-sdk';
import { DISPATCH } from '@toolfold/ai-sdk/test/scenarios.test-support.ts';
import { hideSecrets } from '@toolfold/mcp/internal/redact.ts';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { Keys } from '../../src/models/model.ts';
import { sessionMarkdown } from '../../src/stored-sessions/export.ts';

/** What is known as a key, and each form in which it may come back. */
const KINDS: Readonly<Record<string, { readonly hide: (text: string) => string; echo: string }>> = {
  'a key that was given': { hide: hideSecrets(['sk-live-0123456789']), echo: 'sk-live-0123456789' },
  'a key with odd characters, as in an address': {
    hide: hideSecrets(['p@ss/w0rd+é&"1']),
    echo: encodeURIComponent('p@ss/w0rd+é&"1'),
  },
  'a key in base64': {
    hide: hideSecrets(['sk-live-0123456789']),
    echo: Buffer.from('sk-live-0123456789').toString('base64'),
  },
  'a variable of the environment': {
    hide: new Keys({ ACME_TOKEN: 'tok-0123456789' }).hide,
    echo: 'tok-0123456789',
  },
  'the password of Basic credentials': {
    hide: new Keys({ PROXY_AUTH: `Basic ${Buffer.from('me:open-sesame-1').toString('base64')}` })
      .hide,
    echo: 'open-sesame-1',
  },
};

/** How a text comes in from outside. Each echoes the key. */
type Door = (echo: string) => { readonly group: SdkToolGroup; readonly script: Reply[] };
const call = { calls: [DISPATCH.call('work__get', { n: 1 })] };
const groupOf = (execute: () => unknown): SdkToolGroup => ({
  groupId: 'mcp:work',
  toolNames: ['get'],
  loader: async () => [
    {
      name: 'get',
      inputSchema: { type: 'object', properties: { n: { type: 'number' } } },
      execute: async () => execute(),
    },
  ],
});
const DOORS: Readonly<Record<string, Door>> = {
  'a result': (echo) => ({
    group: groupOf(() => ({ lines: [`got ${echo}`], [echo]: { deep: [echo] } })),
    script: [call, { text: 'Ok.' }],
  }),
  'a text': (echo) => ({ group: groupOf(() => `got ${echo}.`), script: [call, { text: 'Ok.' }] }),
  'an error of a tool': (echo) => ({
    group: groupOf(() => {
      throw new Error(`wrong ${echo}`, { cause: new Error(echo) });
    }),
    script: [call, { text: 'Ok.' }],
  }),
  'an error of a loader': (echo) => ({
    group: {
      groupId: 'mcp:work',
      toolNames: ['get'],
      loader: async () => {
        throw new Error(`no login with ${echo}`);
      },
    },
    script: [call, { text: 'Ok.' }],
  }),
  'an error of the provider': (echo) => ({
    group: groupOf(() => 1),
    script: [{ error: { status: 401, body: `the key ${echo} is wrong` } }],
  }),
};

describe('a key that comes back leaves by no door', () => {
  for (const [door, open] of Object.entries(DOORS))
    for (const [kind, { hide, echo }] of Object.entries(KINDS))
      test(`${door}: ${kind}`, async () => {
        const { group, script } = open(echo);
        await using server = await startModelServer({ script });
        const store = memoryStore();
        const agent = await agentIn(store, server, {
          fold: { strategy: 'dispatch', groups: [group], hide, onWarning: false },
          agent: { approvals: { mode: 'never' }, settings: { maxRetries: 0 } },
        });
        const events = await collect(agent.send('Go.'));
        const session = await openSession(store, 's');
        const lines: string[] = [];
        for await (const line of exportSession(session)) lines.push(line);
        const places = {
          events: inspect(events, { depth: 20 }),
          json: JSON.stringify(events),
          wire: server.requests.map(({ raw }) => raw).join('\n'),
          entries: JSON.stringify(session.entries),
          messages: JSON.stringify(agent.messages),
          export: lines.join('\n'),
          transcript: sessionMarkdown(session.record, session.entries),
        };
        assert.ok(`${places.events}${places.wire}`.includes('[redacted]'), 'nothing was hidden');
        for (const [place, text] of Object.entries(places))
          assert.ok(
            !text.includes(echo),
            `${place}: ${text.slice(text.indexOf(echo) - 200).slice(0, 400)}`,
          );
      });
});
