// test: slow
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { WebServer } from '@toolfold/mcp/test/chaos/web-server.test-support.ts';
import { configOf, Journal } from '../servers/scripted-server.test-support.ts';
import { home, outcomeOf, start } from './process.test-support.ts';

const limited = { timeout: 60_000 };
/** Milliseconds from the first signal to the end of the command. */
const LIMIT = 2000;

/** Commands that wait, and for what: a report of the journal, or a request over HTTP. */
const waiting: readonly (readonly [args: readonly string[], until: string])[] = [
  [['list', '--timeout', '60'], 'start hang'],
  [['list', 'hang'], 'start hang'],
  [['list', 'deaf'], 'request'],
  [['search', 'echo', '--timeout', '60'], 'start hang'],
  [['inspect'], 'start hang'],
  [['call', 'hang.echo', '{}'], 'start hang'],
  [['call', 'deaf.echo', '{}'], 'request'],
  [['call', 'up.never', '{}'], 'call up'],
  [['call', 'up.wait'], 'start up'],
  [['call', 'echo', '{}', '--timeout', '60'], 'start hang'],
  [['login', 'deaf'], 'request'],
];

const tools = [
  { name: 'never', answer: 'never' },
  { name: 'wait', inputSchema: { type: 'object' } },
];

suite('the first signal ends a command that waits', { concurrency: 4 }, () => {
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    for (const [args, until] of waiting) {
      test(`${args.join(' ')}: ${signal}`, limited, async (context) => {
        const journal = await Journal.open(context);
        const asked = Promise.withResolvers<void>();
        const deaf = await WebServer.begin(context);
        deaf.onAll = () => {
          asked.resolve();
          return true;
        };
        const servers = {
          up: journal.entry('up', tools),
          hang: journal.entry('hang'),
          deaf: { url: deaf.entry().url },
        };
        const folder = await home(context, { 'c.json': configOf(servers) });
        // Its stdin stays open.
        const child = start(folder, [...args, '--config', 'c.json']);
        const ended = outcomeOf(child);
        await (until === 'request' ? asked.promise : journal.until(until));
        const begun = performance.now();
        child.kill(signal);
        const { code: given, stdout } = await ended;
        const took = performance.now() - begun;
        assert.deepEqual([given, stdout], [code, '']);
        assert.ok(took < LIMIT, `${Math.round(took)} ms`);
        await journal.allGone();
      });
    }
  }
});
