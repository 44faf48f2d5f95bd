import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import type { ServerEntry } from '../../src/config/config.ts';
import { ServerConnection } from '../../src/server/server-connection.ts';
import { FakeOpener } from './fake-live.test-support.ts';
import { observe, requestsOf } from './server-connection.test-support.ts';

const entry: ServerEntry = {
  kind: 'stdio',
  command: 'none',
  args: [],
  env: new Map(),
  secrets: [],
};
const steps = [
  ...(['start', 'opens', 'opens', 'fails', 'crashes', 'stop', 'close'] as const),
  ...(['call unsafe', 'call safe', 'answers', 'answers'] as const),
];
type Step = (typeof steps)[number];

/** A connection with a scripted server, and what must be true of it after every step. */
class Trial {
  readonly opener = new FakeOpener();
  readonly connection: ServerConnection;
  readonly received = new Map<number, number>();
  readonly outcomes = new Map<number, string>();
  readonly pending: Promise<unknown>[] = [];
  #calls = 0;

  constructor() {
    this.connection = new ServerConnection('fake', entry, undefined, {
      isTrusted: () => true,
      idleTime: 600_000,
      onEvent: () => {},
      onChange: () => {},
      onListed: () => {},
      requests: requestsOf('fake'),
      open: this.opener.open,
    });
  }

  async take(step: Step): Promise<void> {
    const live = this.opener.lives.findLast(({ isClosed, failure }) => !isClosed && !failure);
    if (step === 'start') this.pending.push(this.connection.start());
    else if (step === 'opens') this.opener.succeed();
    else if (step === 'fails') this.opener.fail();
    else if (step === 'crashes') live?.crash();
    else if (step === 'stop') this.pending.push(this.connection.stop());
    else if (step === 'close') this.pending.push(this.connection.close());
    else if (step === 'answers') live?.waiting.shift()?.settle.resolve({ content: [] });
    else this.#call(step === 'call safe' ? 'safe' : 'unsafe');
    await turn();
    this.#check();
  }

  #call(tool: 'safe' | 'unsafe'): void {
    const id = this.#calls++;
    const call = this.connection.callTool(tool, { id }).then(
      () => this.outcomes.set(id, 'answered'),
      (error: Error) => this.outcomes.set(id, error.message),
    );
    this.pending.push(call);
  }

  #check(): void {
    const { opener, connection } = this;
    const open = opener.lives.filter(({ isClosed, failure }) => !isClosed && !failure);
    assert.ok(open.length <= 1, 'two connections at once');
    const { kind } = connection.state;
    assert.equal(kind === 'ready', open.length === 1, `${kind} with ${open.length} connections`);
    if (kind === 'connecting') assert.ok(opener.attempts > 0, 'connecting without an attempt');
  }

  /** Everything ends, and every call has an outcome. */
  async end(): Promise<void> {
    await this.connection.close();
    await Promise.all(this.pending);
    assert.equal(this.connection.state.kind, 'closed');
    assert.equal(this.connection.calls, 0);
    assert.equal(this.outcomes.size, this.#calls);
    assert.ok(this.opener.lives.every(({ isClosed, failure }) => isClosed || failure));
  }
}

test('random steps: one connection at most, the state is true, every call ends', async () => {
  const run = fc.asyncProperty(
    fc.array(fc.constantFrom(...steps), { maxLength: 25 }),
    async (given) => {
      const trial = new Trial();
      for (const step of given) await trial.take(step);
      await trial.end();
    },
  );
  await fc.assert(run, { numRuns: 150 });
});

/** A connection in a state, with its scripted server. */
async function inState(
  context: TestContext,
  kind: string,
): Promise<[ServerConnection, FakeOpener]> {
  const opener = new FakeOpener();
  const { connection } = observe(context, entry, { open: opener.open });
  if (kind === 'idle') return [connection, opener];
  const started = connection.start();
  await turn();
  if (kind === 'connecting') return [connection, opener];
  if (kind === 'failed') opener.fail();
  else opener.succeed();
  await started;
  if (kind === 'closed') await connection.close();
  assert.equal(connection.state.kind, kind);
  return [connection, opener];
}

for (const kind of ['idle', 'connecting', 'ready', 'failed', 'closed']) {
  for (const action of ['close', 'stop', 'start', 'call'] as const) {
    test(`close() while ${kind}, together with ${action}`, async (context) => {
      for (const isFirst of [true, false]) {
        const [connection, opener] = await inState(context, kind);
        const act = (): Promise<unknown> =>
          action === 'call'
            ? assert.rejects(connection.callTool('unsafe', { id: 1 }))
            : connection[action]();
        const closing = isFirst ? [connection.close(), act()] : [act(), connection.close()];
        await Promise.all(closing);
        assert.equal(connection.state.kind, 'closed');
        assert.ok(opener.lives.every(({ isClosed, failure }) => isClosed || failure));
        await assert.rejects(connection.callTool('safe', { id: 2 }), /was closed/);
        assert.equal((await connection.start()).kind, 'closed');
      }
    });
  }
}

test('stop() ends an attempt, and the next start is another one', async (context) => {
  const [connection, opener] = await inState(context, 'connecting');
  const call = connection.callTool('unsafe', { id: 1 });
  await turn();
  await Promise.all([assert.rejects(call, /was stopped while it started/), connection.stop()]);
  assert.equal(connection.state.kind, 'idle');
  const started = connection.start();
  await turn();
  opener.succeed();
  assert.equal((await started).kind, 'ready');
});

test('a call right after a crash starts the server again, because it was not sent', async (context) => {
  const [connection, opener] = await inState(context, 'ready');
  opener.lives[0]?.crash();
  const call = connection.callTool('unsafe', { id: 1 });
  await turn();
  opener.succeed();
  await turn();
  opener.lives[1]?.waiting[0]?.settle.resolve('fine');
  assert.equal(await call, 'fine');
});

test('a clock that is set back does not delay the next attempt', async (context) => {
  const [connection, opener] = await inState(context, 'failed');
  context.mock.method(Date, 'now', () => 0);
  const started = connection.start();
  await turn();
  opener.succeed();
  assert.equal((await started).kind, 'ready');
});
