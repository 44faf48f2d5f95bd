/** A relay that does nothing but parse and write each line: `node relay.ts COMMAND ARGS…`. The floor. */
import { spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

const [program = '', ...args] = process.argv.slice(2);
const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
pass(process.stdin, child.stdin);
pass(child.stdout, process.stdout);
process.stdin.on('end', () => child.stdin.end());
child.on('exit', () => process.exit());

function pass(from: Readable, to: Writable): void {
  let pending = '';
  from.setEncoding('utf8').on('data', (text: string) => {
    const lines = (pending + text).split('\n');
    pending = lines.pop() ?? '';
    for (const line of lines) to.write(`${JSON.stringify(JSON.parse(line))}\n`);
  });
}
