import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { startOAuthServer } from '@toolfold/mcp/test/login/oauth-server.test-support.ts';
import { limited, scene } from './run.test-support.ts';

suite('run with a server that needs a login', () => {
  test(
    'asks before the turn on a terminal, and says it in a line elsewhere',
    limited,
    async (context) => {
      const { url } = await startOAuthServer(context);
      const server = () => ({ url });
      const { ask, answering, model } = await scene(context, () => ({ text: 'Yes.' }), {}, server);
      const asked = await answering(['n'], 'Hello');
      assert.match(
        asked.stderr,
        /The server files cannot be used: it needs a login\.\n {2}http:.*\n/m,
      );
      assert.match(asked.stderr, /Log in to files now\? y: yes, n: not now > /m);
      assert.match(asked.stderr, /files stays without a login\. Run: toolfold login files$/m);
      assert.doesNotMatch(asked.stderr, /files is not ready/);
      const told = await ask('Hello');
      assert.match(
        told.stderr,
        /^files is not ready: it needs a login\. Run: toolfold login files$/m,
      );
      assert.doesNotMatch(told.stderr, /Log in to files/);
      assert.deepEqual([asked.code, told.code, model.requests.length], [0, 0, 2]);
    },
  );
});
