import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import type { RequestPermissionRequest, RequestPermissionResponse } from '@agentclientprotocol/sdk';
import { home } from '../../test/cli/process.test-support.ts';
import { loadConfig } from '../servers/configured-servers.ts';
import { offerTrust, type TrustOffer } from './client-servers.ts';

type Outcome = RequestPermissionResponse['outcome'];
const selected = (optionId: string): Outcome => ({ outcome: 'selected', optionId });

/** What an editor answers to the question about the folder, and what follows. */
const rows: readonly (readonly [
  title: string,
  answer: () => Promise<Outcome>,
  starts: boolean,
  isKept: boolean,
])[] = [
  ['no', async () => selected('reject'), false, false],
  ['a cancel', async () => ({ outcome: 'cancelled' }), false, false],
  ['an unknown option', async () => selected('yes'), false, false],
  ['an editor that cannot ask', async () => assert.fail('it cannot ask'), false, false],
  ['once', async () => selected('once'), true, false],
  ['always', async () => selected('always'), true, true],
];

suite('entries of a project start in an editor only after an explicit answer', () => {
  for (const [title, answer, starts, isKept] of rows)
    test(`promise 78: ${title}`, async (context) => {
      const before = { home: process.env.HOME, data: process.env.XDG_DATA_HOME };
      const folder = await home(context);
      process.env.HOME = await home(context);
      delete process.env.XDG_DATA_HOME;
      context.after(() => {
        process.env.HOME = before.home;
        if (before.data !== undefined) process.env.XDG_DATA_HOME = before.data;
      });
      const servers = { mcpServers: { files: { command: 'none', args: ['```'] } } };
      await writeFile(join(folder, '.mcp.json'), JSON.stringify(servers));
      const load = () => loadConfig(undefined, { note: () => {} }, folder);
      const { untrusted } = await load();
      assert.equal(untrusted.length, 1);
      const asked: RequestPermissionRequest[] = [];
      const updates: string[][] = [];
      const askPermission = async (request: RequestPermissionRequest) => {
        asked.push(request);
        return { outcome: await answer() };
      };
      const update = async ({ servers }: { servers: ReadonlyMap<string, unknown> }) => {
        updates.push([...servers.keys()]);
      };
      await offerTrust({
        ...{ id: 'session', folder, note: () => {} },
        host: { client: { askPermission }, flags: {}, signal: new AbortController().signal },
        opened: { set: { untrusted, settings: {} }, pool: { update } },
        add: (configured: ReadonlyMap<string, object>) =>
          new Map([...configured, ['of-the-editor', {}]]),
      } as unknown as TrustOffer);
      assert.deepEqual(updates, starts ? [['files', 'of-the-editor']] : []);
      assert.equal((await load()).untrusted.length, isKept ? 0 : 1);
      const kinds = asked[0]?.options.map(({ kind }) => kind);
      assert.deepEqual(kinds, ['reject_once', 'allow_once', 'allow_always']);
      assert.match(
        JSON.stringify(asked[0]?.toolCall.content),
        /"````\\nNot trusted .*files starts none/,
      );
    });
});
