// test: slow
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { ServerEntry } from '../../src/index.ts';
import type { RawClient } from './raw-client.test-support.ts';
import { openClient, openGateway } from './scene.test-support.ts';

const limited = { timeout: 120_000 };
const NAMES = ['ada', 'bob'] as const;

const program = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-filesystem/dist/index.js',
);

for (const era of ['legacy', 'modern'] as const)
  for (const way of ['stdio', 'http'] as const)
    test(
      `promise 71: over ${way}, no ${era} client works in the folders of another`,
      limited,
      async (context) => {
        const folder = await realpath(await mkdtemp(join(tmpdir(), 'toolfold-')));
        context.after(() => rm(folder, { recursive: true }));
        for (const name of ['own', ...NAMES]) await mkdir(join(folder, name));
        const fs: ServerEntry = {
          ...{ kind: 'stdio', command: process.execPath, env: new Map(), secrets: [] },
          args: [program, join(folder, 'own')],
        };
        const gateway = openGateway(context, { fs }, { mode: 'eager' });
        const clients = await Promise.all(
          NAMES.map((name) =>
            openClient(context, gateway, way, {
              ...{ era, capabilities: { roots: {} } },
              answer: () => ({ roots: [{ uri: pathToFileURL(join(folder, name)).href, name }] }),
            }),
          ),
        );
        const allowed = async (client: RawClient): Promise<string> => {
          const params = { name: 'fs__list_allowed_directories', arguments: {} };
          const { result } = await client.complete('tools/call', params);
          return JSON.stringify(result);
        };
        const works = async (at: number): Promise<void> => {
          const client = clients[at] ?? assert.fail();
          for (;;) {
            const text = await allowed(client);
            assert.ok(!text.includes(join(folder, NAMES[1 - at] ?? '')), text);
            // A client of 2026-07-28 cannot be asked when the server starts, which then keeps its own folders.
            const expected = era === 'legacy' ? NAMES[at] : 'own';
            // A server may answer before it has taken the folders.
            if (text.includes(join(folder, expected ?? ''))) return;
          }
        };
        await Promise.all([works(0), works(1)]);
        await Promise.all([works(1), works(0), works(1), works(0)]);
      },
    );
