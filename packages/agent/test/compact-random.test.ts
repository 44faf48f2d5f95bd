// test: slow
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import type { RecordedRequest } from '@toolfold/testing/internal/wire/recorded-request.ts';
import { plainValue } from '../src/entries/plain.ts';
import { applyEntry } from '../src/state/apply-entry.ts';
import { repaired } from '../src/state/repair.ts';
import { ConversationState } from '../src/state/state.ts';
import { collect, ended } from './agent.test-support.ts';
import { beginWay, isSummaryRequest, WAYS } from './compact.test-support.ts';
import { Dice } from './random-talk.test-support.ts';

const [FIRST = 1, COUNT = 6] = (process.env.COMPACTIONS ?? '')
  .split(',')
  .filter(Boolean)
  .map(Number);

const MODELS = [
  'claude-sonnet-4-5',
  'claude-opus-5-5',
  'gpt-4.1',
  'gpt-5.6',
  'local-model',
  'kimi-k3',
];
const models = Object.fromEntries(MODELS.map((name) => [name, { contextWindow: 24_000 }]));

/** Plays a conversation in a small window, with failures. Returns how often it was compacted. */
async function play(seed: number): Promise<number> {
  const dice = new Dice(seed);
  const way = dice.one(WAYS);
  let isCalm = false;
  let stop = new AbortController();
  const script = (request: RecordedRequest): Reply => {
    if (!isCalm && dice.chance(8)) stop.abort();
    if (!isCalm && dice.chance(6)) return { error: { status: 529, body: 'Scripted.' } };
    const isCut = !isCalm && dice.chance(6) ? { abortAfter: 1 + dice.below(10) } : {};
    if (isSummaryRequest(request)) {
      const calls = { calls: [way.call('files__read', { path: 'no.txt' })] };
      return { ...(dice.chance(70) ? { text: `Summary ${seed}.` } : calls), ...isCut };
    }
    if (isCalm || dice.chance(30)) return { text: 'Done.', ...isCut };
    const count = 1 + dice.below(2);
    const calls = Array.from({ length: count }, () =>
      way.call('files__read', { path: `${dice.below(1_000)}.txt` }),
    );
    return { text: 'I read.', calls, ...isCut };
  };
  await using server = await startModelServer({ script });
  const agent = { models, maxRounds: 12 };
  const begun = await beginWay(server, way, { agent });
  const { session } = begun;
  let { talk } = begun;
  const check = () => {
    assert.deepEqual(repaired(talk.messages).remarks, []);
    const state = new ConversationState();
    for (const entry of session.entries) applyEntry(state, entry);
    assert.deepEqual(plainValue(state.messages), plainValue(talk.messages));
  };
  for (let times = 0; times < 6; times++) {
    stop = new AbortController();
    const options = { signal: stop.signal };
    if (dice.chance(20)) talk = (await beginWay(server, way, { agent, session })).talk;
    if (dice.chance(15)) await collect(talk.compact(options));
    else if (talk.canResume && dice.chance(50)) await collect(talk.resume(options));
    else await collect(talk.send(dice.one(['Read more.', 'And now?']), options));
    check();
  }
  isCalm = true;
  const { reason, error } = ended(await collect(talk.send('Calm.')));
  assert.equal(reason, 'done', String(error));
  check();
  return session.entries.filter(({ kind }) => kind === 'compaction').length;
}

describe('random conversations in a small window', () => {
  test('go on after any failure, and the session says what they hold', async () => {
    let compactions = 0;
    for (let seed = FIRST; seed < FIRST + COUNT; seed++) {
      try {
        compactions += await play(seed);
      } catch (error) {
        assert.fail(`seed ${seed}: ${error instanceof Error ? error.stack : error}`);
      }
    }
    assert.ok(compactions >= COUNT / 2, `${compactions}`);
  });
});
