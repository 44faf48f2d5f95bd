/**
 * Measures the chat on a terminal: from a key to the screen while an answer streams, in a session of 500
 * messages, beside the editor of the same library alone; and from opening a session to its first frame.
 * Run: `npm run bench:chat`.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { memoryStore, type SessionStore } from '@toolfold/agent/sessions';
import { type Chat, openChat } from '../../packages/toolfold/src/chat/open-chat.ts';
import { ChatUi } from '../../packages/toolfold/src/chat-terminal/chat-ui.ts';
import { themeWith } from '../../packages/toolfold/src/chat-view/theme.ts';
import { openTerminal } from '../../packages/toolfold/src/terminal/terminal.ts';
import { frames } from './frames.ts';
import { editorAlone, latencies } from './keystrokes.ts';
import { longSession } from './long-session.ts';
import { RecordedTerminal } from './recorded-terminal.ts';
import { streamingModel } from './streaming-model.ts';

const KEYS = 600;
const TARGET = 16;

const folder = mkdtempSync(join(tmpdir(), 'toolfold-bench-'));
const config = join(folder, 'toolfold.json');
writeFileSync(config, '{ "mcpServers": {} }');

interface OpenedChat {
  readonly host: Chat;
  readonly terminal: RecordedTerminal;
  /** Milliseconds from opening the session to the first frame with its last answer. */
  readonly opened: number;
  close(): Promise<void>;
}

async function openBench(store: SessionStore, id: string, isInline: boolean): Promise<OpenedChat> {
  const terminal = new RecordedTerminal();
  const ui = new ChatUi({ theme: themeWith(true), isInline, terminal });
  const stop = new AbortController();
  const stream = new PassThrough();
  const streams = { stdin: stream, stdout: stream, stderr: stream };
  const context = {
    ...{ streams, terminal: openTerminal(streams, () => {}), signal: stop.signal },
    exitWith: () => {},
  };
  const flags = { config };
  const host = await openChat({
    ...{ flags, store, folder, context, canAsk: true, model: streamingModel() },
    ...{ onChange: ui.update, note: ui.note, noteConfig: () => {} },
  });
  const begun = performance.now();
  const { promise: drawn, resolve } = Promise.withResolvers<number>();
  terminal.onWrite = (data) => {
    if (data.includes('That is all')) resolve(performance.now() - begun);
  };
  await host.talk.open(id);
  const run = ui.run(async () => host, stop.signal);
  const opened = await drawn;
  return {
    ...{ host, terminal, opened },
    close: async () => {
      stop.abort();
      await run;
      await host.close();
    },
  };
}

/** Resolves when the answer streams. */
async function begun({ talk }: Chat): Promise<void> {
  while (talk.view.turns.at(-1)?.blocks.length === 0 || talk.view.turns.at(-1)?.end) await wait(20);
}

function shares(times: readonly number[]): string {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1);
  return `p50 ${at(0.5).padStart(5)} ms   p95 ${at(0.95).padStart(5)} ms   p99 ${at(0.99).padStart(5)} ms`;
}

const p99 = (times: readonly number[]) =>
  [...times].sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0;

const store = memoryStore();
try {
  await longSession(store, { id: 'warm', folder, turns: 50 });
  await longSession(store, { id: 'middle', folder, turns: 250 });
  await longSession(store, { id: 'inline', folder, turns: 250 });
  await longSession(store, { id: 'long', folder, turns: 5000 });
  await (await openBench(store, 'warm', false)).close();

  console.log(
    `From a key to the screen, ${KEYS} keys, while 200 pieces of an answer come each second`,
  );
  const alone = await editorAlone(KEYS);
  console.log(`  ${'the editor of the library alone'.padEnd(38)}${shares(alone)}`);
  for (const [id, isInline] of [
    ['middle', false],
    ['inline', true],
  ] as const) {
    const { host, terminal, close } = await openBench(store, id, isInline);
    host.talk.say('Go on.');
    await begun(host);
    const [wall, cpu] = [performance.now(), process.cpuUsage()];
    const times = await latencies(terminal, KEYS);
    const { user, system } = process.cpuUsage(cpu);
    const busy = (user + system) / 1000 / (performance.now() - wall);
    const name = `the chat, 500 messages${isInline ? ', --inline' : ''}`;
    const end = p99(times);
    console.log(
      `  ${name.padEnd(38)}${shares(times)}   target p99 ${TARGET} ms: ${end <= TARGET ? 'met' : 'MISSED'}`,
    );
    console.log(
      `  ${''.padEnd(38)}${(end / p99(alone)).toFixed(1)} × the p99 of the editor alone, ${Math.round(busy * 100)} % of a core`,
    );
    await close();
  }

  const shown = await openBench(store, 'middle', false);
  const { first, later } = await frames(shown.host.talk.view);
  await shown.close();
  console.log('Milliseconds of a core for a frame of 500 messages, which load does not change');
  console.log(`  ${'the first one'.padEnd(38)}${first.toFixed(1).padStart(6)} ms`);
  const worst = Math.max(...later)
    .toFixed(1)
    .padStart(6);
  const sum = later.reduce((all, one) => all + one, first);
  console.log(
    `  ${'the longest one that adds earlier turns'.padEnd(38)}${worst} ms, of ${later.length}`,
  );
  console.log(`  ${'all of them'.padEnd(38)}${sum.toFixed(1).padStart(6)} ms`);

  console.log('From opening a session to its first frame');
  for (const [id, name] of [
    ['middle', '500 messages'],
    ['long', '10,000 messages'],
  ] as const) {
    const chat = await openBench(store, id, false);
    console.log(`  ${name.padEnd(38)}${chat.opened.toFixed(0).padStart(6)} ms`);
    await chat.close();
  }
} finally {
  await store.close();
  rmSync(folder, { recursive: true });
}
