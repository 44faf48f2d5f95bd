// test: slow, first
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { DISPATCH } from '@toolfold/ai-sdk/test/scenarios.test-support.ts';
import {
  type ModelServer,
  type Reply,
  startModelServer,
} from '@toolfold/testing/internal/doubles/model-server.ts';
import { isFull } from '@toolfold/testing/test/combinations.test-support.ts';
import type { AgentEvent } from '../../src/events/events.ts';
import type { Agent } from '../../src/options/options.ts';
import type { ReportedResult, SubagentReport } from '../../src/tasks/report.ts';
import { collect, ended } from '../agent.test-support.ts';
import { Gauge } from './gauge.test-support.ts';
import {
  fileOf,
  type RealServers,
  startRealServers,
  wordOf,
  wordsIn,
  writeParts,
} from './real-servers.test-support.ts';
import type { Outcome } from './size-process.test-support.ts';
import { type ChildRequest, scripted, send, taskIn, tasks, team } from './team.test-support.ts';

const { call, load } = DISPATCH;
const program = fileURLToPath(new URL('./size-process.test-support.ts', import.meta.url));

/** The first two load and compile what is used; memory must not grow from then on. */
const TURNS = isFull ? 4 : 3;
const PER_TURN = 50;
/** Maximum parallel children in the wide mode. */
const LIMIT = 12;
/** Bytes read by each child. */
const PART = 100_000;
/** Maximum growth of memory in bytes after the first 100 tasks. The next 50 tasks read 5 MB. */
const GROWTH = 4_000_000;

const read = (folder: string, part: number) =>
  call('filesystem__read_text_file', { path: fileOf(folder, part) });
const echo = (message: string) => call('everything__echo', { message });

/** The open requests of a model server, counted by its sockets. */
function openRequests(context: TestContext, server: ModelServer): Gauge {
  const open = new Gauge();
  const { port } = new URL(server.baseUrl('anthropic'));
  const count = (message: unknown) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    if (`${request.socket.localPort}` !== port) return;
    open.add(1);
    response.once('close', () => open.add(-1));
  };
  subscribe('http.server.request.start', count);
  context.after(() => unsubscribe('http.server.request.start', count));
  return open;
}

/** The outcomes of the children of this suite, by the last digit of their part. */
const FATES: Readonly<Record<number, 'silent' | 'loads' | 'misses' | 'breaks' | 'floods'>> = {
  1: 'silent',
  3: 'loads',
  5: 'misses',
  7: 'breaks',
  8: 'floods',
};
const fateOf = (part: number) => FATES[part % 10];
const partIn = (task: string) => Number(/\d+/.exec(task)?.[0]);

/** The model of a child: it reads a file, echoes it, and reports what it saw of both. */
function childReply(folder: string, { task, step, request }: ChildRequest): Reply {
  const part = partIn(task);
  const fate = fateOf(part);
  const seen = wordsIn(request.raw);
  const echoed = wordsIn((request.raw.match(/Echo: \S+/g) ?? []).join());
  const answer = {
    summary: `${part}: read ${seen}, echoed ${echoed}, missed ${/ENOENT/.test(request.raw)}`,
    findings: fate === 'floods' ? ['all of it '.repeat(2_000)] : [],
  };
  const first: Reply[] =
    fate === 'loads'
      ? [{ calls: [load('mcp:filesystem', 'read_text_file'), load('mcp:everything', 'echo')] }]
      : fate === 'misses'
        ? [{ calls: [read(folder, 0)] }]
        : [];
  const replies: Reply[] = [
    ...first,
    { calls: [read(folder, part)] },
    { calls: [echo(seen.join())] },
    fate === 'breaks'
      ? { error: { status: 400, body: 'The model is out of order.' } }
      : { text: fate === 'silent' ? '' : JSON.stringify(answer) },
  ];
  return replies[step] ?? { text: 'asked once too often' };
}

function expectedResult(part: number): object {
  const id = `t${part}`;
  const fate = fateOf(part);
  const error =
    fate === 'breaks' ? 'The model is out of order. (status 400)' : 'It ended without an answer.';
  if (fate === 'breaks' || fate === 'silent') return { id, status: 'failed', error };
  const word = wordOf(part);
  return {
    id,
    status: 'done',
    summary: `${part}: read ${word}, echoed ${word}, missed ${fate === 'misses'}`,
    ...(fate === 'floods' ? { truncated: true } : {}),
  };
}

describe(`${TURNS * PER_TURN} tasks on real servers`, () => {
  test('have their own answers in order, within all limits, and leave no memory', {
    timeout: 120_000,
  }, async (context) => {
    await using parts = await writeParts(TURNS * PER_TURN, PART);
    const parent = Array.from({ length: TURNS }, (_, n): Reply[] => [
      send(tasks((n + 1) * PER_TURN).slice(n * PER_TURN), { concurrency: LIMIT }, `toolu_team${n}`),
      { text: 'Noted.' },
    ]);
    const children = new Gauge();
    const isAnswer = (reply: Reply) => reply.calls === undefined;
    const script = scripted(parent.flat(), async (asked) => {
      if (asked.step === 0) {
        children.add(1);
        // The first children of a call wait for each other, so the maximum number runs at once.
        if ((partIn(asked.task) - 1) % PER_TURN < LIMIT) await children.at(LIMIT);
      }
      const reply = childReply(parts.folder, asked);
      if (isAnswer(reply)) children.add(-1);
      return reply;
    });
    await using server = await startModelServer({ script });
    const open = openRequests(context, server);

    const args = ['--expose-gc', program, server.baseUrl('anthropic'), parts.folder, `${TURNS}`];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    context.after(() => child.kill());
    const [out, problems, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      // The process ends by itself: no timer, socket or server of a task is left.
      once(child, 'close'),
    ]);
    assert.equal(code, 0, problems);
    const { turns, mostRuns, resources } = JSON.parse(out) as Outcome;

    assert.equal(turns.length, TURNS);
    for (const [n, { reason, report, ends }] of turns.entries()) {
      assert.equal(reason, 'done');
      const first = n * PER_TURN + 1;
      const expected = Array.from({ length: PER_TURN }, (_, at) => expectedResult(first + at));
      assert.deepEqual(report?.results.map(bare), expected);
      assert.equal(report?.summary.done, 40);
      assert.equal(report?.summary.failed, 10);
      const bytes = Buffer.byteLength(JSON.stringify(report));
      assert.ok(bytes <= 60_000 && bytes > 50_000, `${bytes} bytes`);
      assert.equal(Object.keys(ends).length, PER_TURN);
    }
    assert.equal(children.most, LIMIT);
    assert.equal(children.now, 0);
    assert.ok(open.most <= LIMIT, `${open.most} requests at once`);
    assert.ok(mostRuns > 1 && mostRuns <= LIMIT, `${mostRuns} runs at once`);
    assert.ok(!resources.includes('Timeout'), resources.join());
    const memory = turns.map((turn) => turn.memory);
    // Measured after the second turn, so that lazy loading and compilation do not count.
    const growth = (memory.at(-1) ?? Infinity) - (memory[1] ?? 0);
    assert.ok(growth < GROWTH, `in use after each turn: ${memory}`);
  });
});

describe('tasks cancelled on real servers', () => {
  const wait = call('everything__trigger-long-running-operation', { duration: 600, steps: 1 });

  // Uses the SDK's retries, because a machine under load loses idle connections.
  const inWorld = ({ groups }: RealServers) => ({ fold: { groups }, agent: { settings: {} } });

  /** Runs a child that reads and answers. */
  function readingReply(folder: string, { task, step, request }: ChildRequest): Reply {
    if (step === 0) return { calls: [read(folder, partIn(task))] };
    return { text: JSON.stringify({ summary: `read ${wordsIn(request.raw)}` }) };
  }

  const done = (part: number) => ({
    id: `t${part}`,
    status: 'done',
    summary: `read ${wordOf(part)}`,
  });

  test('50 with their parent: finished results are kept, and nothing continues', {
    timeout: 60_000,
  }, async (context) => {
    const finished = 14;
    await using parts = await writeParts(finished, 1_000);
    await using servers = await startRealServers(parts.folder);
    const held = new Gauge();
    const hold = Promise.withResolvers<void>();
    const script = scripted(
      [send(tasks(PER_TURN), { concurrency: LIMIT }), { text: 'I see.' }],
      (asked) => {
        const part = partIn(asked.task);
        if (part <= finished) return readingReply(parts.folder, asked);
        if (part % 2 === 0) return { calls: [wait] };
        held.add(1);
        return { calls: [read(parts.folder, 1)], hold: hold.promise };
      },
    );
    await using server = await startModelServer({ script });
    const open = openRequests(context, server);
    const { talk } = team(server, { wide: true }, inWorld(servers));

    const stop = new AbortController();
    const ends = new Gauge();
    const turn = follow(talk.send('Go.', { signal: stop.signal }), ends);
    // Half of the running children wait for their model, half for a tool; 24 tasks wait for a slot.
    await Promise.all([ends.at(finished), held.at(LIMIT / 2)]);
    await servers.runs.at(LIMIT / 2);
    assert.equal(talk.subagents.length, PER_TURN - finished);
    stop.abort();
    const events = await turn;

    assert.equal(ended(events).reason, 'cancelled');
    assert.equal(ends.now, PER_TURN);
    assert.deepEqual(talk.subagents, []);
    assert.equal(servers.runs.now, 0);
    await open.at(0);
    const { results, summary } = keptReport(talk);
    assert.equal(summary.cancelled, PER_TURN - finished);
    const ids = tasks(PER_TURN).map(({ id }) => id);
    assert.deepEqual(
      results.slice(0, finished).map(bare),
      ids.slice(0, finished).map((_, n) => done(n + 1)),
    );
    assert.deepEqual(
      results.slice(finished).map(({ id, status }) => ({ id, status })),
      ids.slice(finished).map((id) => ({ id, status: 'cancelled' })),
    );

    const [requests, runs] = [server.requests.length, servers.runs.begun];
    hold.resolve();
    assert.equal(ended(await collect(talk.send('What have they found?'))).text, 'I see.');
    await open.at(0);
    assert.equal(server.requests.length, requests + 1);
    assert.equal(servers.runs.begun, runs);
  });

  test('one by one: the others finish', { timeout: 60_000 }, async (context) => {
    await using parts = await writeParts(6, 1_000);
    await using servers = await startRealServers(parts.folder);
    const held = new Gauge();
    const hold = Promise.withResolvers<void>();
    const script = scripted([send(tasks(6), { concurrency: 6 }), { text: 'Five.' }], (asked) => {
      const part = partIn(asked.task);
      if (part === 2) return { calls: [wait] };
      const reply = readingReply(parts.folder, asked);
      if (part > 5 || part === 1 || asked.step > 0) return reply;
      held.add(1);
      return { ...reply, hold: hold.promise };
    });
    await using server = await startModelServer({ script });
    const open = openRequests(context, server);
    const { talk } = team(server, {}, inWorld(servers));
    const ends = new Gauge();
    const turn = follow(talk.send('Go.'), ends);
    await Promise.all([ends.at(2), held.at(3)]);
    await servers.runs.at(1);

    const childOf = (task: string) =>
      talk.subagents.find((child) => child.task === task)?.child ?? assert.fail(task);
    const [inTool, inRequest] = [childOf('t2'), childOf('t3')];
    assert.equal(await talk.cancelSubagent(inTool), true);
    assert.equal(servers.runs.now, 0);
    assert.equal(await talk.cancelSubagent(inRequest), true);
    assert.equal(await talk.cancelSubagent(inRequest), false);
    await open.at(2);
    assert.deepEqual(
      talk.subagents.map(({ task }) => task),
      ['t4', 't5'],
    );
    hold.resolve();
    const events = await turn;

    assert.equal(ended(events).text, 'Five.');
    const { results } = keptReport(talk);
    const cancelled = (id: string) => ({ id, status: 'cancelled', error: 'It was cancelled.' });
    const [t2, t3] = [cancelled('t2'), cancelled('t3')];
    assert.deepEqual(results.map(bare), [done(1), t2, t3, done(4), done(5), done(6)]);
    const asked = server.requests.map(taskIn);
    assert.equal(asked.filter((task) => task === 'task 2' || task === 'task 3').length, 2);
  });
});

/** All events of a turn. Counts the ends of children as they arrive. */
async function follow(events: AsyncIterable<AgentEvent>, ends: Gauge): Promise<AgentEvent[]> {
  const all: AgentEvent[] = [];
  for await (const event of events) {
    all.push(event);
    if (event.type === 'subagent-end') ends.add(1);
  }
  return all;
}

/** The report in the conversation. */
function keptReport({ messages }: Agent): SubagentReport {
  const parts = messages.flatMap(({ role, content }) => (role === 'tool' ? content : []));
  const result = parts.find((part) => part.type === 'tool-result' && part.toolName === 'subagents');
  if (result?.type !== 'tool-result' || result.output.type !== 'json') assert.fail('no report');
  return result.output.value as unknown as SubagentReport;
}

/** A result without its findings. */
function bare({ findings: _, open_questions: __, ...rest }: ReportedResult): object {
  return rest;
}
