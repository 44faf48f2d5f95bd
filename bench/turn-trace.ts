/**
 * Traces one turn of an agent, and counts how often it goes from one room to another: from a folder of
 * the packages into another one, at the entry of a function. The agent has a session in a file, strategy
 * `dispatch`, and one tool of an MCP server over stdio, which is connected before the turn. The model calls
 * the tool once, the call is approved, and the model answers. Run: `npm run bench:turn [-- --second] [--list]
 * [--order] [--json]`. `--second` traces the second turn, which loads and indexes nothing any more; `--list`
 * prints the functions between which it changes often, and all functions with their counts; `--order`: the functions in the order of their entries, indented
 * where the room stays; `--json`: everything but the order.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Entry } from '@toolfold/agent/sessions';
import { type Changes, type Counts, changesOf, labelOf } from './turn/changes.ts';
import { entriesOf, followEntries, type Place } from './turn/entries.ts';
import { DELTAS, scriptedModel } from './turn/script.ts';

const SHOWN = 10;
const SERVER = join(import.meta.dirname, 'pool-server.ts');

/** The entries of the session of one kind. */
interface Written {
  readonly kind: string;
  readonly count: number;
  readonly bytes: number;
}

interface Traced {
  readonly places: readonly Place[];
  readonly written: readonly Written[];
}

followEntries('packages');
// What is imported before is not followed.
const { createAgent } = await import('@toolfold/agent');
const { connectServers, parseConfig } = await import('@toolfold/mcp');
const { createSession, sqliteStore } = await import('@toolfold/agent/sessions');

/** Traces the first turn of a conversation, or the second one. */
async function trace(folder: string, isSecond: boolean): Promise<Traced> {
  const mcpServers = { bench: { command: process.execPath, args: [SERVER, '{}'] } };
  const config = parseConfig('bench.json', JSON.stringify({ mcpServers }), { env: {} });
  const pool = await connectServers(config);
  const store = await sqliteStore({ folder });
  try {
    const session = await createSession(store);
    let asked = 0;
    const agent = createAgent({
      model: scriptedModel('bench__work', { text: 'hello' }),
      groups: pool.groups,
      strategy: 'dispatch',
      session,
      approvals: {
        ask: async () => {
          asked += 1;
          return { approved: true };
        },
      },
    });
    const turn = async (): Promise<void> => {
      const types: string[] = [];
      asked = 0;
      for await (const event of agent.send('Do the work.'))
        types.push(event.type === 'end' ? event.reason : event.type);
      if (types.at(-1) !== 'done' || !types.includes('result') || asked !== 1)
        throw new Error(`The turn went another way, with ${asked} approvals: ${types.join(', ')}.`);
    };
    if (isSecond) await turn();
    const before = session.entries.length;
    const places = await entriesOf(turn);
    return { places, written: writtenIn((await store.read(session.id)).slice(before)) };
  } finally {
    await pool.close();
    await store.close();
  }
}

function writtenIn(entries: readonly Entry[]): Written[] {
  const written = new Map<string, Written>();
  for (const { kind, body } of entries) {
    const { count, bytes } = written.get(kind) ?? { count: 0, bytes: 0 };
    const size = Buffer.byteLength(JSON.stringify(body));
    written.set(kind, { kind, count: count + 1, bytes: bytes + size });
  }
  return [...written.values()];
}

function say(changes: Changes, written: readonly Written[]): void {
  const { before, arguments: pieces, answer } = DELTAS;
  const rows: [string, number][] = [
    ['changes of room', changes.changes],
    ['of them back into a room that was left before', changes.back],
    ['entries of functions', changes.entries],
    ['distinct functions', changes.functions.length],
    ['files', changes.files.length],
    ['rooms', changes.rooms.length],
  ];
  console.log(`One turn: ${before} deltas of text, a call in ${pieces}, an answer in ${answer}`);
  show(rows);
  console.log('\nThe rooms with the most changes into them');
  show(changes.rooms.slice(0, SHOWN));
  console.log('\nThe pairs of rooms with the most changes');
  show(changes.pairs.slice(0, SHOWN));
  console.log('\nThe entries of the session, and the bytes of their bodies');
  for (const { kind, count, bytes } of written)
    console.log(`  ${kind.padEnd(56)}${String(count).padStart(4)}${String(bytes).padStart(8)}`);
}

function show(counts: Counts): void {
  for (const [name, count] of counts)
    console.log(`  ${name.padEnd(56)}${count.toLocaleString('en').padStart(12)}`);
}

function sayOrder(places: readonly Place[]): void {
  let last = '';
  for (const place of places) {
    const room = dirname(place.file);
    console.log(`${room === last ? '  ' : ''}${labelOf(place)}`);
    last = room;
  }
}

const folder = mkdtempSync(join(tmpdir(), 'toolfold-bench-'));
try {
  const has = (flag: string) => process.argv.includes(flag);
  const { places, written } = await trace(folder, has('--second'));
  const changes = changesOf(places);
  if (has('--json')) console.log(JSON.stringify({ deltas: DELTAS, ...changes, written }, null, 2));
  else if (has('--order')) sayOrder(places);
  else {
    say(changes, written);
    if (has('--list')) {
      console.log('\nThe changes from a function of one room to one of another, 10 times or more');
      show(changes.functionPairs.filter(([, count]) => count >= SHOWN));
      console.log('\nAll functions');
      show(changes.functions);
    }
  }
} finally {
  rmSync(folder, { recursive: true });
}
