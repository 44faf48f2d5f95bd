/**
 * A client that appends until it is killed, and prints the number of each entry that is durable. Each entry has a text that
 * all share, and takes a message. Arguments: the connection as JSON, the schema, and the session.
 */
import { newOwner } from '@toolfold/agent/internal/sessions';
import { postgresStore } from '../src/index.ts';

const [connection = '{}', schema, session = ''] = process.argv.slice(2);
const store = await postgresStore({ connection: JSON.parse(connection), schema });
const lease = await store.acquire(session, newOwner());
const texts = new Map([['0'.repeat(64), 'shared']]);
let parent: string | null = null;
for (let seq = 1; ; seq++) {
  const id = `${session} ${seq}`;
  await store.post(session, { id, kind: 'user', body: {} });
  const entry = { id, parent, seq, kind: 'user', body: {}, at: seq, words: 'word' };
  await store.append([entry], { lease, texts, taken: [id] });
  parent = id;
  process.stdout.write(`${seq}\n`);
}
