/**
 * A server of the tests of processes: `node server.test-support.ts <port> <kind> <silent methods>`. It
 * holds a socket to the test and reports there what it gets.
 */
import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';

const [port = '', kind = '', ...silent] = process.argv.slice(2);

/** The kinds of servers, with the lines that say that all their processes run. */
export const KINDS: Readonly<Record<string, readonly string[]>> = {
  plain: ['plain'],
  stubborn: ['stubborn'],
  'with a child in its group': ['with a child in its group', 'child'],
  'with a child that left its group': ['with a child that left its group', 'child'],
  nested: ['nested', 'with a child that left its group', 'child'],
};

if (process.argv[1] === import.meta.filename) run();

function run(): void {
  const socket = connect(Number(port), '127.0.0.1');
  // Ends with its test.
  socket.on('error', () => {}).on('close', () => process.exit());
  const report = (text: string): void => void socket.write(`${text}\n`);
  report(kind);
  if (kind === 'child') {
    process.on('SIGTERM', () => {});
    return;
  }
  if (kind === 'stubborn') process.on('SIGTERM', () => report('SIGTERM'));
  if (kind.startsWith('with a child')) {
    const detached = kind.endsWith('left its group');
    const args = [import.meta.filename, port, 'child'];
    spawn(process.execPath, args, { detached, stdio: 'ignore' }).unref();
  }
  if (kind === 'nested') void startInner();
  const lines = createInterface({ input: process.stdin });
  lines.on('line', (line) => {
    const { id, method } = JSON.parse(line);
    report(method);
    if (!silent.includes(method)) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: {} }));
  });
  lines.on('close', () => {
    report('end of input');
    if (kind !== 'stubborn') process.exit();
  });
}

async function startInner(): Promise<void> {
  const { openServer } = await import('./host.test-support.ts');
  const { transport } = await openServer(port, 'with a child that left its group', []);
  await transport.start();
}
