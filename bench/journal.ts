/**
 * Measures what a session holds of a long conversation: its bytes by kind of entry, the texts of requests,
 * and the time of a step with and without a session. Run: `npm run bench:journal`.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createAgent } from '@toolfold/agent';
import { createSession, type Session, sqliteStore } from '@toolfold/agent/sessions';
import { createFold } from '@toolfold/ai-sdk';
import { startModelServer } from '@toolfold/testing';

const STEPS = 200;
const RESULT = 'The quick brown fox jumps over the lazy dog. '.repeat(20);

interface Measured {
  /** Milliseconds of a step. */
  readonly time: number;
  /** Bytes of the `request` events as they are emitted, without texts. */
  readonly whole: number;
}

async function talk(session: Session | undefined): Promise<Measured> {
  let step = 0;
  await using server = await startModelServer({
    script: () =>
      ++step < STEPS
        ? {
            text: `Step ${step}.`,
            calls: [
              {
                name: 'deferred_tool_call',
                arguments: { tool_name: 'work__read', arguments: { step } },
              },
            ],
          }
        : { text: 'Done.' },
  });
  const model = createAnthropic({ apiKey: 'none', baseURL: server.baseUrl('anthropic') })(
    'claude-sonnet-4-5',
  );
  const fold = createFold({
    strategy: 'dispatch',
    groups: [
      {
        groupId: 'work',
        toolNames: ['read'],
        loader: async () => [
          {
            name: 'read',
            inputSchema: { type: 'object', properties: { step: { type: 'number' } } },
            execute: async (input: unknown) => `${JSON.stringify(input)} ${RESULT}`,
          },
        ],
      },
    ],
  });
  const agent = createAgent({
    model,
    fold: fold as never,
    approvals: { mode: 'never' },
    maxRounds: STEPS + 1,
    ...(session ? { session } : {}),
  });
  let whole = 0;
  const begun = performance.now();
  for await (const event of agent.send('Go.'))
    if (event.type === 'request') whole += Buffer.byteLength(JSON.stringify(event));
  return { time: (performance.now() - begun) / STEPS, whole };
}

const kB = (bytes: number) => `${Math.round(bytes / 1000).toLocaleString('en')} kB`;

const folder = mkdtempSync(join(tmpdir(), 'toolfold-bench-'));
try {
  await talk(undefined);
  const plain = await talk(undefined);
  const store = await sqliteStore({ folder });
  const session = await createSession(store);
  const kept = await talk(session);
  const bytes = new Map<string, { count: number; size: number }>();
  const hashes = new Set<string>();
  for (const { kind, body } of await store.read(session.id)) {
    const { count, size } = bytes.get(kind) ?? { count: 0, size: 0 };
    bytes.set(kind, { count: count + 1, size: size + Buffer.byteLength(JSON.stringify(body)) });
    if (kind === 'request')
      for (const { hash } of body.add as unknown as { hash: string }[]) hashes.add(hash);
  }
  let texts = 0;
  for (const hash of hashes) texts += Buffer.byteLength((await store.text(hash)) ?? '');
  await store.close();
  console.log(
    `A conversation of ${STEPS} steps, each with a call and a result of ${RESULT.length} B`,
  );
  for (const [kind, { count, size }] of bytes)
    console.log(`  ${kind.padEnd(12)}${String(count).padStart(6)}${kB(size).padStart(12)}`);
  console.log(`  texts       ${String(hashes.size).padStart(6)}${kB(texts).padStart(12)}`);
  console.log(`  the file          ${kB(statSync(store.name).size).padStart(12)}`);
  console.log(`  request events written whole ${kB(kept.whole)}`);
  console.log(
    `  a step: ${plain.time.toFixed(1)} ms without a session, ${kept.time.toFixed(1)} ms with one`,
  );
} finally {
  rmSync(folder, { recursive: true });
}
