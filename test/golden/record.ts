/**
 * Records the golden sessions: `node --conditions=toolfold-source test/golden/record.ts [--expected] [names]`.
 * It plays each scenario that has no files yet, and writes its session and what this version says of it.
 * A session that is there is never recorded again: it stands for what an earlier version has written. With
 * `--expected`, only what is expected of recorded sessions is written again.
 */

import nodeCrypto from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { createSession, exportSession, memoryStore, openSession } from 'toolfold/sessions';
import { startModelServer } from 'toolfold/testing';
import { expectedOf } from './expected.ts';
import { placeOf, readFixture } from './fixture.ts';
import { packed } from './packed.ts';
import { agentOf, modelOf, type Scenario, type Stage, type World } from './scenario.ts';
import { SCENARIOS } from './scenarios/index.ts';

/** A clock and ids that are the same in each run, so that two recordings can be compared. */
function fix(): void {
  let now = Date.UTC(2026, 0, 1);
  Date.now = () => ++now;
  performance.now = () => ++now;
  let count = 0;
  const randomUUID = () => {
    const text = (++count).toString(16).padStart(12, '0');
    return `00000000-0000-4000-8000-${text}` as const;
  };
  nodeCrypto.randomUUID = randomUUID;
  globalThis.crypto.randomUUID = randomUUID;
  syncBuiltinESMExports();
}

async function record(scenario: Scenario): Promise<string> {
  await using server = await startModelServer({ script: scenario.script });
  const store = memoryStore();
  const id = scenario.name;
  const session = await createSession(store, { id });
  const { promise: hanging, resolve: onHang } = Promise.withResolvers<void>();
  const world: World = { ran: [], isPlayed: true, onHang };
  const talk = agentOf(scenario, { server, session, world });
  const stage: Stage = {
    ...{ talk, session, hanging },
    reopen: async (changes) =>
      agentOf(scenario, { server, session: await openSession(store, id), world }, changes),
    model: (modelId) => modelOf(scenario, server, modelId),
    read: gathered,
  };
  const played = await (scenario.play ?? (({ read }) => read(talk.send('Go.'))))(stage);
  const exported = typeof played === 'string' ? played : id;
  const lines = await gathered(exportSession(await openSession(store, exported)));
  return `${lines.join('\n')}\n`;
}

async function gathered<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const [onlyExpected, ...others] = process.argv.slice(2).filter((one) => one === '--expected');
const names = process.argv.slice(2).filter((one) => one !== '--expected');
if (others.length > 0) throw new Error('`--expected` is given once.');
fix();
for (const folder of ['sessions', 'expected'] as const)
  mkdirSync(placeOf(folder, ''), { recursive: true });
for (const scenario of SCENARIOS) {
  const { name } = scenario;
  if (names.length > 0 && !names.includes(name)) continue;
  const file = placeOf('sessions', `${name}.jsonl`);
  const isKnown = existsSync(file);
  if (isKnown && !onlyExpected) continue;
  if (!isKnown) writeFileSync(file, await record(scenario));
  const expected = packed(await expectedOf(scenario, readFixture(name)));
  writeFileSync(placeOf('expected', `${name}.json`), expected);
  console.log(name);
}
