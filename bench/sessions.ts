/**
 * Measures the store of sessions in a file: how long a long session takes to open, and what a commit
 * costs beside the disk's own fsync in the same folder. Run: `npm run bench:sessions`; a folder as an
 * argument selects another disk than that of temporary files.
 */
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Addition,
  createSession,
  openSession,
  type Session,
  sqliteStore,
} from '@toolfold/agent/sessions';

const MESSAGES = 10_000;
const OPENINGS = 9;
const COMMITS = 600;
/** Milliseconds in which a long session must open. */
const OPENING_TARGET = 1_000;
/** A commit may take this many times the time of an fsync. */
const COMMIT_TARGET = 2;

const LISTENER = { onMessage: () => {}, onLost: () => {} };

/** Random numbers from 0 to 1, the same in every run. */
let seed = 7;
function random(): number {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
  return seed / 2 ** 32;
}

/** Words of 200 B to 4 kB, shorter ones more often. */
function words(): string {
  const size = 200 * 20 ** random();
  let text = '';
  while (text.length < size)
    text += `${random()
      .toString(36)
      .slice(2, 3 + random() * 9)} `;
  return text;
}

/** A message of the model with its call and the result: three entries. */
function step(): Addition[] {
  const text = words();
  const id = random().toString(36);
  return [
    { kind: 'model', body: { step: 1, content: [{ type: 'text', text }] }, words: text },
    { kind: 'call', body: { id, name: 'read_file', input: { path: words().slice(0, 300) } } },
    { kind: 'result', body: { id, name: 'read_file', output: words() } },
  ];
}

function median(times: number[]): number {
  return times.sort((a, b) => a - b)[times.length >> 1] ?? 0;
}

async function timed(times: number[], work: () => unknown): Promise<void> {
  const start = performance.now();
  await work();
  times.push(performance.now() - start);
}

function say(what: string, value: string, isReached = true): void {
  console.log(`  ${what.padEnd(52)}${value.padStart(12)}${isReached ? '' : '   MISSED'}`);
  if (!isReached) process.exitCode = 1;
}

async function fill(session: Session): Promise<void> {
  await session.begin(LISTENER);
  for (let messages = 0; messages < MESSAGES; messages += 100) {
    await session.append(Array.from({ length: 100 }, step).flat());
  }
  await session.end();
}

async function measureOpening(folder: string): Promise<void> {
  const store = await sqliteStore({ folder });
  const { id } = await createSession(store);
  await fill(await openSession(store, id));
  await store.close();
  const stores: number[] = [];
  const sessions: number[] = [];
  let entries = 0;
  for (let n = 0; n < OPENINGS; n++) {
    let opened = store;
    await timed(stores, async () => {
      opened = await sqliteStore({ folder });
    });
    await timed(sessions, async () => {
      entries = (await openSession(opened, id)).entries.length;
    });
    await opened.close();
  }
  const size = statSync(store.name).size / 1e6;
  const count = MESSAGES.toLocaleString('en');
  console.log(
    `A session of ${count} messages: ${entries.toLocaleString('en')} entries, a file of ${size.toFixed(0)} MB`,
  );
  say('sqliteStore(), median', `${median(stores).toFixed(1)} ms`);
  const time = median(sessions);
  say(
    `openSession(), median, target ${OPENING_TARGET} ms`,
    `${time.toFixed(0)} ms`,
    time <= OPENING_TARGET,
  );
}

async function measureCommits(folder: string): Promise<void> {
  const store = await sqliteStore({ folder });
  const session = await createSession(store);
  await session.begin(LISTENER);
  const handle = openSync(join(folder, 'fsync'), 'w');
  const page = Buffer.alloc(4096, 'x');
  const commits: number[] = [];
  const syncs: number[] = [];
  for (let n = 0; n < COMMITS; n++) {
    const [message, call] = step();
    const addition = n % 2 === 0 ? message : call;
    await timed(commits, () => session.append(addition ? [addition] : []));
    await timed(syncs, () => {
      writeSync(handle, page, 0, page.length, n * page.length);
      fsyncSync(handle);
    });
  }
  closeSync(handle);
  await session.end();
  await store.close();
  const [commit, sync] = [median(commits), median(syncs)];
  console.log(`One entry committed, ${COMMITS} times, journal mode ${store.journalMode}`);
  say('commit, median', `${commit.toFixed(2)} ms`);
  say('4 kB written and fsync in the same folder, median', `${sync.toFixed(2)} ms`);
  const ratio = commit / sync;
  say(`ratio, target ${COMMIT_TARGET}`, ratio.toFixed(2), ratio <= COMMIT_TARGET);
}

const folder = mkdtempSync(join(process.argv[2] ?? tmpdir(), 'toolfold-bench-'));
try {
  await measureOpening(join(folder, 'opening'));
  await measureCommits(join(folder, 'commits'));
} finally {
  rmSync(folder, { recursive: true });
}
