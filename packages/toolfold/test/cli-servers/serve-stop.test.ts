// test: slow
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { HttpClient, StdioClient } from '@toolfold/mcp/test/gateway/raw-client.test-support.ts';
import { Watch } from '@toolfold/mcp/test/server/watch.test-support.ts';
import { environment, home, root } from '../cli/process.test-support.ts';

const limited = { timeout: 60_000 };

/** Answers after so many milliseconds. */
const SOURCE = {
  tools: "[{ name: 'slow', inputSchema: { type: 'object' } }]",
  call: `alive.write('waiting');
    setTimeout(() => say({ id: message.id, result: { content: [], fine: true } }), message.params.arguments.time);`,
};

suite('a gateway over HTTP that is stopped', { concurrency: true }, () => {
  for (const [name, signal, time, isAnswered] of [
    ['promise 69: waits for a call under way', 'SIGTERM', 3000, true],
    ['waits for it after SIGINT too', 'SIGINT', 3000, true],
    ['ends after five seconds at most, and a little', 'SIGTERM', 60_000, false],
  ] as const)
    test(name, limited, async (context) => {
      const watch = await Watch.begin(context);
      const { command, args } = await watch.entry(SOURCE);
      const folder = await home(context, {});
      const file = join(folder, 'c.json');
      await writeFile(file, JSON.stringify({ mcpServers: { odd: { command, args } } }));
      const words = [
        process.execPath,
        join(root, 'packages/toolfold/bin/toolfold.js'),
        'serve',
        '--http',
        '0',
      ];
      const env = environment(folder, {}) as NodeJS.ProcessEnv;
      const served = new StdioClient([...words, '--config', file], { era: 'legacy' }, env);
      context.after(() => served.child.kill('SIGKILL'));
      while (!/Listening on \S+\n/.test(served.stderr))
        await once(served.child.stderr ?? assert.fail(), 'data');
      const url = /Listening on (\S+)/.exec(served.stderr)?.[1] ?? '';
      const client = new HttpClient(url, { era: 'legacy' });
      context.after(() => client.close());
      await client.begin();
      const called = client.call('odd__slow', { time });
      await watch.said();
      const ended = once(served.child, 'exit');
      const started = performance.now();
      served.child.kill(signal);
      assert.equal((await called).result?.fine, isAnswered ? true : undefined);
      const [code] = await ended;
      assert.equal(code, signal === 'SIGTERM' ? 143 : 130);
      const taken = performance.now() - started;
      assert.ok(taken > (isAnswered ? 2000 : 4900) && taken < 30_000, `${taken} ms`);
      await watch.allGone();
    });
});
