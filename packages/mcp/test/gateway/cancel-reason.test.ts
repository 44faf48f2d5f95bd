import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Parts, serveHttp } from './raw-server.test-support.ts';
import { callIn, openClient, openGateway } from './scene.test-support.ts';

const limited = { timeout: 60_000 };

const inputSchema = { type: 'object' };

for (const mode of ['bridge', 'eager', 'passthrough'] as const)
  for (const era of ['legacy', 'modern'] as const)
    test(
      `a server gets the reason of a cancellation: ${mode}, ${era}`,
      limited,
      async (context) => {
        const begun = Promise.withResolvers<void>();
        const reason = Promise.withResolvers<unknown>();
        const parts: Parts = {
          capabilities: { tools: {} },
          handle: async ({ method, signal }) => {
            if (method === 'tools/list') return { tools: [{ name: 'hang', inputSchema }] };
            signal.addEventListener('abort', () => reason.resolve(signal.reason));
            begun.resolve();
            await reason.promise;
            return {};
          },
        };
        const { url, close } = await serveHttp('legacy', () => parts);
        context.after(close);
        const fixture = { kind: 'http', url, headers: new Map(), secrets: [] } as const;
        const gateway = openGateway(context, { fixture }, { mode });
        const client = await openClient(context, gateway, 'stdio', { era });
        const { id } = client.start('tools/call', callIn(mode, 'hang', {}));
        await begun.promise;
        client.cancel(id, 'The user pressed stop.');
        assert.equal(await reason.promise, 'The user pressed stop.');
      },
    );
