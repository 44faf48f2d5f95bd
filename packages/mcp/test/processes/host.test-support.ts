/**
 * A host of the tests of processes: `node host.test-support.ts <port> <kind> <moment>`. It starts a
 * server, sends it requests and then does what the test writes to its stdin. The server does not answer
 * the method with the name of the moment.
 */
import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createServerMark, hostMark } from '../../src/processes/marked-processes.ts';
import { startSupervisor } from '../../src/processes/process-groups.ts';
import type { OpenTransport } from '../../src/transport/open-transport.ts';
import { openTransport } from '../../src/transport/transport.ts';

const server = join(import.meta.dirname, 'server.test-support.ts');

/** Prepares a server of this kind. It answers all methods but the `silent` ones. */
export function openServer(
  port: string,
  kind: string,
  silent: readonly string[],
): Promise<OpenTransport> {
  const args = [server, port, kind, ...silent];
  const entry = { kind: 'stdio', command: process.execPath, args, env: new Map(), secrets: [] };
  return openTransport({ ...entry, kind: 'stdio' });
}

if (process.argv[1] === import.meta.filename) await run();

async function run(): Promise<void> {
  const [port = '', kind = '', moment = ''] = process.argv.slice(2);
  const socket = connect(Number(port), '127.0.0.1').on('error', () => {});
  socket.unref();
  await new Promise((resolve) => socket.write(`host ${hostMark}\n`, resolve));
  const kill = (): never => {
    process.kill(process.pid, 'SIGKILL');
    throw new Error('It was not killed.');
  };
  if (moment === 'before its group is known') {
    startSupervisor();
    const args = [server, port, kind];
    const env = { ...process.env, ...createServerMark().environment };
    spawn(process.execPath, args, { detached: true, env, stdio: ['pipe', 'ignore', 'ignore'] });
    kill();
  }
  const { transport, close } = await openServer(port, kind, [moment]);
  await transport.start();
  if (moment === 'right after its start') kill();
  await transport.send({ jsonrpc: '2.0', id: 1, method: 'initialize', params: {} });
  if (moment !== 'initialize') {
    await transport.send({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'a' } });
  }
  const actions: Readonly<Record<string, () => unknown>> = {
    close,
    exit: () => process.exit(0),
    throw: () => {
      throw new Error('The test asked for it.');
    },
    'close and end': async () => {
      await close();
      process.stdin.destroy();
    },
  };
  const lines = createInterface({ input: process.stdin });
  lines.on('line', (line) => void actions[line]?.());
}
