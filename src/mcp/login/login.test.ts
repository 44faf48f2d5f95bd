import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { login } from './index.ts';
import { browse, startOAuthServer } from './oauth-server.test-support.ts';

test('first try', { timeout: 30000 }, async (context) => {
  const server = await startOAuthServer(context);
  const folder = await mkdtemp(join(tmpdir(), 'toolfold-'));
  context.after(() => rm(folder, { recursive: true }));
  const result = await login(
    'vault',
    { kind: 'http', url: server.url, headers: new Map(), secrets: [] },
    {
      folder,
      onUrl: async (url) => {
        void browse(url).then((r) => console.log(r));
      },
    },
  );
  console.log(
    result,
    server.requests.map(
      (r) => `${r.on} ${r.method} ${r.path.slice(0, 60)} ${r.body.slice(0, 100)}`,
    ),
  );
  assert.equal(result.tools, 2);
});
