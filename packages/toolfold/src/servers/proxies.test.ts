// test: slow
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { suite, type TestContext, test } from 'node:test';
import { WebServer } from '@toolfold/mcp/test/chaos/web-server.test-support.ts';
import { home, run } from '../../test/cli/process.test-support.ts';
import { configOf } from '../../test/servers/scripted-server.test-support.ts';

const limited = { timeout: 60_000 };

/** A proxy that leads every address to this port, and the addresses that were asked for. */
async function proxyTo(context: TestContext, port: number) {
  const asked: string[] = [];
  const server = createServer().on('connect', (request, socket) => {
    asked.push(request.url ?? '');
    const target = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(target).pipe(socket);
    });
    for (const end of [socket, target]) end.on('error', () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { asked, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

suite('proxies', () => {
  for (const variable of ['HTTP_PROXY', 'http_proxy']) {
    test(
      `${variable}: servers elsewhere through it, those of this computer directly`,
      limited,
      async (context) => {
        const web = await WebServer.begin(context);
        const { asked, address } = await proxyTo(context, web.port);
        const servers = {
          far: { url: 'http://mcp.example.test/mcp' },
          near: { url: web.entry().url },
          local: { url: `http://localhost:${web.port}/mcp` },
        };
        const folder = await home(context, { 'c.json': configOf(servers) });
        const env = { [variable]: address };
        const flags = ['--config', 'c.json', '--timeout', '60'];
        const { code, stderr } = await run(folder, ['list', ...flags], { env });
        assert.equal(code, 0, stderr);
        assert.deepEqual(new Set(asked), new Set(['mcp.example.test:80']));
        assert.equal((await run(folder, ['call', 'far.a', '{}', ...flags], { env })).code, 0);
      },
    );
  }

  test('NO_PROXY names more', limited, async (context) => {
    const web = await WebServer.begin(context);
    const { asked, address } = await proxyTo(context, web.port);
    const servers = { far: { url: 'http://mcp.example.test/mcp' } };
    const folder = await home(context, { 'c.json': configOf(servers) });
    const env = { HTTP_PROXY: address, NO_PROXY: 'example.org, .example.test' };
    const { code } = await run(folder, ['list', '--config', 'c.json'], { env });
    assert.deepEqual([code, asked], [3, []]);
  });

  test('what is no proxy: 2, and the value is not shown', limited, async (context) => {
    const servers = { far: { url: 'http://mcp.example.test/mcp' } };
    const folder = await home(context, { 'c.json': configOf(servers) });
    const env = { HTTPS_PROXY: 'user:s3cret@proxy' };
    const { code, stderr } = await run(folder, ['list', '--config', 'c.json'], { env });
    assert.equal(code, 2, stderr);
    assert.match(stderr, /HTTP_PROXY or HTTPS_PROXY does not name a proxy/);
    assert.doesNotMatch(stderr, /s3cret/);
  });
});
