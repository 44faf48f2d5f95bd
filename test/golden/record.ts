/**
 * Records the golden sessions: `node --conditions=toolfold-source test/golden/record.ts [--expected] [names]`.
 * It plays each scenario that has no files yet, and writes its session and what this version says of it.
 * A session that is there is never recorded again: it stands for what an earlier version has written. With
 * `--expected`, only what is expected of recorded sessions is written again.
 */

import nodeCrypto from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import {
  createSession,
  exportSession,
  memoryStore,
  openSession,
  type SessionStore,
} from 'toolfold/sessions';
import { startModelServer } from 'toolfold/testing';
import { expectedOf } from './expected.ts';
import { placeOf, readFixture } from './fixture.ts';
import { packed } from './packed.ts';
import { agentOf, modelOf, type Scenario, type Stage, type World } from './scenario.ts';
import { SCENARIOS } from './scenarios/index.ts';

/** A clock, ids and chance that are the same in each run, so that two recordings can be compared. */
function fix(): void {
  let now = Date.UTC(2026, 0, 1);
  Date.now = () => ++now;
  performance.now = () => ++now;
  let count = 0;
  // Shorter than real ones: most lines have two of them.
  const randomUUID = () => `id-${++count}` as ReturnType<typeof nodeCrypto.randomUUID>;
  nodeCrypto.randomUUID = randomUUID;
  globalThis.crypto.randomUUID = randomUUID;
  syncBuiltinESMExports();
  let seed = 1;
  Math.random = () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return seed / 2 ** 32;
  };
}

/** A store that notes which entries are the last ones of a write: a process can end behind these only. */
function noted(store: SessionStore): { readonly store: SessionStore; readonly ends: Set<string> } {
  const ends = new Set<string>();
  const append: SessionStore['append'] = async (entries, options) => {
    await store.append(entries, options);
    ends.add(entries.at(-1)?.id ?? '');
  };
  return { store: { ...store, append }, ends };
}

async function record(scenario: Scenario): Promise<string> {
  await using server = await startModelServer({ script: scenario.script });
  const { store, ends } = noted(memoryStore());
  const id = scenario.name;
  const session = await createSession(store, { id });
  const { promise: hanging, resolve: onHang } = Promise.withResolvers<void>();
  const world: World = { ran: [], isPlayed: true, onHang };
  const place = { server, session, world };
  const talk = agentOf(scenario, place);
  const stage: Stage = {
    ...{ talk, session, hanging },
    reopen: async (changes) =>
      agentOf(scenario, { ...place, session: await openSession(store, id) }, changes),
    model: (modelId) => modelOf(scenario, place, modelId),
    read: gathered,
    free: async () => {
      const owner = await store.holder(id);
      for (let fence = 1; owner && (await store.holder(id)); fence++)
        await store.release({ session: id, fence, owner });
    },
  };
  const kept = (await (scenario.play ?? playOne)(stage)) ?? session;
  const exported = await gathered(exportSession(await openSession(kept.store, kept.id)));
  const lines = scenario.hasTexts ? exported : exported.flatMap(withoutText);
  return `${lines.map((line) => markedInside(line, ends)).join('\n')}\n`;
}

async function playOne({ talk, read }: Stage): Promise<void> {
  await read(talk.send('Go.'));
}

/** A line of an export, none for a text. */
function withoutText(line: string): readonly string[] {
  const { address, texts, ...rest } = JSON.parse(line);
  if (address !== undefined) return [];
  return [texts === undefined ? line : JSON.stringify({ ...rest, texts: 0 })];
}

/** A line of an export, with a mark on an entry that is written together with the next one. */
function markedInside(line: string, ends: ReadonlySet<string>): string {
  const entry = JSON.parse(line);
  if (entry.kind === undefined || ends.has(entry.id)) return line;
  return JSON.stringify({ ...entry, isInside: true });
}

async function gathered<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const given = process.argv.slice(2);
const isOnlyExpected = given.includes('--expected');
const names = given.filter((one) => one !== '--expected');
for (const folder of ['sessions', 'expected'] as const)
  mkdirSync(placeOf(folder, ''), { recursive: true });
for (const scenario of SCENARIOS) {
  const { name } = scenario;
  const file = placeOf('sessions', `${name}.jsonl`);
  const isChosen = names.length === 0 || names.includes(name);
  if (!isChosen || existsSync(file) !== isOnlyExpected) continue;
  if (!isOnlyExpected) {
    // Again for each, so that no recording depends on another one.
    fix();
    writeFileSync(file, await record(scenario));
  }
  const expected = packed(await expectedOf(scenario, readFixture(name)));
  writeFileSync(placeOf('expected', `${name}.json`), expected);
  console.log(name);
}
// A tool that hangs keeps its process.
process.exit();
