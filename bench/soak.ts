/**
 * The pool and the gateway under load for ten minutes, each in a process of its own, at the same time. Exits
 * with 1 if processes, file descriptors or the heap grow. Run: `npm run soak`, or `-- --seconds 60`,
 * `-- --only gateway`. Only on Linux.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '600' }, only: { type: 'string' } },
});

async function run(part: string): Promise<boolean> {
  const file = join(import.meta.dirname, 'soak', `${part}.ts`);
  const flags = ['--expose-gc'];
  const child = spawn(process.execPath, [...flags, file, '--seconds', values.seconds], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  createInterface({ input: child.stdout }).on('line', (line) => console.log(`${part}: ${line}`));
  const [code] = await once(child, 'exit');
  return code === 0;
}

const parts = values.only === undefined ? ['pool', 'gateway'] : [values.only];
const passed = await Promise.all(parts.map(run));
process.exitCode = passed.every((one) => one) ? 0 : 1;
