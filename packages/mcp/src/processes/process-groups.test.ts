import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { test } from 'node:test';

const groups = new URL('./process-groups.ts', import.meta.url).href;

/** A server that ignores a closed stdin and SIGTERM. */
const stubborn = (port: number): string =>
  `process.on('SIGTERM', () => {}); process.on('SIGINT', () => {});
   require('net').connect(${port}, '127.0.0.1').on('close', () => process.exit());`;

/** A host that starts such a server and then does `rest`. */
const host = (port: number, rest: string, before = ''): string =>
  `${before}
   import { spawn } from 'node:child_process';
   import { guardGroup } from '${groups}';
   const server = spawn(process.execPath, ['-e', ${JSON.stringify(stubborn(port))}],
     { detached: true, stdio: 'ignore' });
   guardGroup(server.pid);
   process.stdin.once('data', () => { ${rest} });`;

for (const [what, rest, end, before] of [
  ['a signal it does not handle', "process.kill(process.pid, 'SIGINT')", { signal: 'SIGINT' }],
  ['SIGQUIT', "process.kill(process.pid, 'SIGQUIT')", { signal: 'SIGQUIT' }],
  ['SIGHUP', "process.kill(process.pid, 'SIGHUP')", { signal: 'SIGHUP' }],
  ['a signal of its own', "process.kill(process.pid, 'SIGUSR2')", { signal: 'SIGUSR2' }],
  ['process.exit', 'process.exit(5)', { code: 5 }],
  ['an uncaught error', "throw new Error('x')", { code: 1 }],
  [
    'a signal it handles',
    "process.on('SIGTERM', () => process.exit(9)); process.kill(process.pid, 'SIGTERM')",
    { code: 9 },
  ],
  [
    'a signal it handles once, since before it started them',
    "process.kill(process.pid, 'SIGINT')",
    { code: 9 },
    "process.once('SIGINT', () => setImmediate(() => process.exit(9)));",
  ],
] as const) {
  test(`promise 40: servers end with a host that ends by ${what}`, {
    timeout: 30_000,
  }, async (context) => {
    const watch = createServer().listen(0, '127.0.0.1');
    context.after(() => watch.close());
    await once(watch, 'listening');
    const { port } = watch.address() as AddressInfo;
    const child = spawn(process.execPath, ['--input-type=module', '-e', host(port, rest, before)], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const exit = once(child, 'exit');
    const [socket] = (await once(watch, 'connection')) as [Socket];
    const gone = once(
      socket.resume().on('error', () => {}),
      'close',
    );
    child.stdin.write('go\n');
    const [code, signal] = await exit;
    assert.deepEqual({ code, signal }, { code: null, signal: null, ...end });
    await gone;
  });
}
