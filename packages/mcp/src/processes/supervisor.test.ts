// test: alone
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { hostMark } from './marked-processes.ts';
import { Supervisor } from './supervisor.ts';

const limited = { timeout: 30_000 };
const supervisorModule = new URL('./supervisor.ts', import.meta.url).href;

/** Starts a host that has a supervisor and then does `rest`. */
function startHost(context: TestContext, rest: string): ReturnType<typeof spawn> {
  const source = `import { Supervisor } from '${supervisorModule}';
    const supervisor = new Supervisor({ mark: '${hostMark}', onUnavailable: console.log });
    ${rest}`;
  const host = spawn(process.execPath, ['--input-type=module', '-e', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  context.after(() => host.kill('SIGKILL'));
  return host;
}

test('without a shell, the reason is reported once and nothing is thrown', limited, async () => {
  const reported = Promise.withResolvers<void>();
  const messages: string[] = [];
  const supervisor = new Supervisor({
    mark: hostMark,
    shell: '/nowhere/sh',
    onUnavailable: (message) => {
      messages.push(message);
      reported.resolve();
    },
  });
  supervisor.start([1_000_000_000]);
  supervisor.add(1_000_000_001);
  supervisor.remove(1_000_000_001);
  await reported.promise;
  assert.equal(supervisor.pid, undefined);
  supervisor.start([]);
  // The second attempt fails in the same way, before a process that is started later.
  await once(spawn(process.execPath, ['-e', '']), 'exit');
  assert.equal(supervisor.pid, undefined);
  assert.equal(messages.length, 1);
  assert.match(messages.join(), /supervisor .* did not start .*\/nowhere\/sh.* servers work\. /);
});

test('a host ends while its supervisor runs, and has one of them', limited, async (context) => {
  const host = startHost(
    context,
    `supervisor.start([]);
     const { pid } = supervisor;
     supervisor.start([]);
     supervisor.add(1e9);
     console.log(pid > 0 && pid === supervisor.pid);`,
  );
  const [[output], [code]] = await Promise.all([
    once(host.stdout ?? host, 'data'),
    once(host, 'exit'),
  ]);
  assert.equal(String(output), 'true\n');
  assert.equal(code, 0);
});

test(
  'after its end, the next start has a new one, which knows all groups',
  limited,
  async (context) => {
    const stubborn = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1e6); console.log('ready')`;
    const group = spawn(process.execPath, ['-e', stubborn], {
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    context.after(() => group.kill('SIGKILL'));
    const exit = once(group, 'exit');
    await once(group.stdout, 'data');
    startHost(
      context,
      `supervisor.start([]);
     const first = supervisor.pid;
     process.kill(first, 'SIGKILL');
     while (supervisor.pid === first) {
       supervisor.add(1e9);
       await new Promise(setImmediate);
     }
     supervisor.start([${group.pid}]);
     process.kill(process.pid, 'SIGKILL');`,
    );
    assert.deepEqual(await exit, [null, 'SIGKILL']);
  },
);
