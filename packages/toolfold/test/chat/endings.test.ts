// test: slow
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import type { Reply } from '@toolfold/testing/internal/doubles/model-server.ts';
import { type ChatScene, chatScene, isRunning, limited } from './chat.test-support.ts';
import { does, hands } from './hands.test-support.ts';
import { eventually, withoutTmux } from './tmux.test-support.ts';

/** Where a turn stops: the model's reply, and what the screen then shows. */
const MOMENTS: Readonly<Record<string, { readonly reply: Reply; readonly shows: RegExp }>> = {
  'before the answer': {
    reply: { text: 'Never.', hold: new Promise(() => {}) },
    shows: /working/,
  },
  'in an answer': {
    reply: {
      text: 'Word '.repeat(200),
      chunkSize: 10,
      pace: (sent) => (sent === 50 ? new Promise(() => {}) : undefined),
    },
    shows: /Word Word/,
  },
  'at a question': { reply: { calls: [does('text')] }, shows: /Run hands__do/ },
  'in a call': { reply: { calls: [does('wait')] }, shows: /hands__do runs/ },
};

/** Every third combination, beside TOOLFOLD_TEST_FULL. */
const isFull = process.env.TOOLFOLD_TEST_FULL !== undefined;

const WAYS = ['the terminal is closed', 'SIGTERM', 'SIGKILL'] as const;

/** Starts a chat and ends it in the middle of a turn. Resolves when its processes have ended. */
async function endedAt(
  context: TestContext,
  moment: keyof typeof MOMENTS,
  way: (typeof WAYS)[number],
  flag: string,
): Promise<ChatScene> {
  const { reply, shows } = MOMENTS[moment] as (typeof MOMENTS)[string];
  const scene = await chatScene(context, [{ text: 'One.' }, reply, { text: 'Goes on.' }], {
    servers: async (folder) => ({ hands: (await hands(folder)).entry }),
  });
  const chat = await scene.terminal();
  const allowed = moment === 'in a call' ? '--allow "hands__*"' : '';
  await chat.start('--strategy eager', allowed, flag);
  await chat.say('First');
  await chat.tmux.shows('One.');
  await chat.say('Do it now');
  await chat.tmux.shows(shows);
  const server = Number(readFileSync(join(scene.folder, 'hands.pid'), 'utf8'));
  if (way === 'the terminal is closed') await chat.tmux.close();
  else process.kill(chat.pid, way);
  await chat.ended();
  await eventually('the end of the server', () => !isRunning(server));
  return scene;
}

suite('a chat that ends in the middle of a turn', { skip: withoutTmux }, () => {
  let index = 0;
  for (const way of WAYS) {
    for (const moment of Object.keys(MOMENTS)) {
      for (const flag of ['', '--inline']) {
        const skip = isFull || index++ % 3 === 0 ? false : 'runs with TOOLFOLD_TEST_FULL';
        test(`${way} ${moment} ${flag}`, { ...limited, skip }, async (context) => {
          const scene = await endedAt(context, moment, way, flag);
          const chat = await scene.terminal();
          await chat.start('-c --strategy eager', flag);
          await chat.tmux.shows('Do it now');
          if (way === 'SIGKILL') {
            const screen = await chat.tmux.shows('Go on with it?');
            // What the journal knows of the call, in the list and on its card.
            const started = moment === 'in a call';
            assert.equal(screen.includes('Started, with an unknown outcome: 1 call'), started);
            assert.equal(screen.includes('hands__do interrupted'), started, screen);
            await chat.answer('2');
          } else await chat.tmux.shows('Cancelled.');
          await chat.say('And now?');
          await chat.tmux.shows('Goes on.');
          await chat.quit();
        });
      }
    }
  }
});
