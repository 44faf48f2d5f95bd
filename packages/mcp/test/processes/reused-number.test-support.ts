/**
 * Shows what the supervisor does to a process that got the number of a group that has ended. Runs as the
 * first process of a PID namespace, where it chooses the numbers. Prints `alive` or a signal.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { SUPERVISOR_SCRIPT } from '../../src/processes/supervisor.ts';

const mark = `${'0'.repeat(32)}.`;
const supervisor = spawn('/bin/sh', ['-c', SUPERVISOR_SCRIPT, 'toolfold-supervisor', mark], {
  detached: true,
  stdio: ['pipe', 'ignore', 'ignore'],
});
const first = spawn('cat', { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
const { pid = 0 } = first;
// More than the pipe holds, so the supervisor has read the first line.
const lines = `+ ${pid}\n${'?\n'.repeat(300_000)}`;
await new Promise((resolve) => supervisor.stdin.write(lines, resolve));
first.kill('SIGKILL');
await once(first, 'exit');
writeFileSync('/proc/sys/kernel/ns_last_pid', String(pid - 1));
const second = spawn('cat', { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
if (second.pid !== pid) throw new Error(`The number ${pid} was not used again.`);
supervisor.stdin.end();
await once(supervisor, 'exit');
console.log(second.signalCode ?? 'alive');
second.kill('SIGKILL');
