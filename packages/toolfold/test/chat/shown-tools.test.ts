// test: slow
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { DISPATCH } from '@toolfold/ai-sdk/test/scenarios.test-support.ts';
import { estimateTokens } from '@toolfold/core/internal/tool/tokens.ts';
import { ownProperty } from '@toolfold/core/internal/values/json.ts';
import { countBody } from '@toolfold/testing/internal/audit/count-body.ts';
import type { ModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { chatScene, limited } from './chat.test-support.ts';
import { hands } from './hands.test-support.ts';
import { type Tmux, withoutTmux } from './tmux.test-support.ts';

/** The tokens of tools that the line says once it has these words. They are counted in the background. */
async function shown(tmux: Tmux, words: RegExp): Promise<number> {
  const lineOf = (screen: string) => /^[●○] (?:no )?tools.*$/m.exec(screen)?.[0] ?? '';
  const line = lineOf(await tmux.until(String(words), (screen) => words.test(lineOf(screen))));
  return Number((/tools (?:off, )?([\d,]+)/.exec(line)?.[1] ?? '0').replaceAll(',', ''));
}

/** The tokens of tools in the last request. The system text is a catalog, and the only result is a loaded schema. */
function sent({ requests }: ModelServer): number {
  const request = requests.at(-1) ?? assert.fail();
  const { tools, system } = countBody(request, estimateTokens);
  const { messages } = request.body as { messages: { content: string | object[] }[] };
  const results = messages.flatMap(({ content }) =>
    typeof content === 'string' ? [] : content.filter((part) => 'tool_use_id' in part),
  );
  const texts = results.map((part) => ownProperty(part, 'content'));
  const loaded = texts.map((text) =>
    estimateTokens(typeof text === 'string' ? text : JSON.stringify(text)),
  );
  return tools + system + loaded.reduce((sum, count) => sum + count, 0);
}

const ON = /^● tools [\d,]+ of [\d,]+ tokens/;

suite('the line of a terminal says what the next request holds', { skip: withoutTmux }, () => {
  for (const columns of [80, 60])
    for (const strategy of ['eager', 'dispatch'])
      test(`${columns} columns, ${strategy}`, limited, async (context) => {
        const loads = strategy === 'dispatch';
        const script = [
          { text: 'First answer.' },
          ...(loads ? [{ calls: [DISPATCH.load('mcp:hands', 'do')] }, { text: 'Loaded.' }] : []),
          ...['Second', 'Third', 'Fourth'].map((word) => ({ text: `${word} answer.` })),
        ];
        const scene = await chatScene(context, script, {
          servers: async (folder) => ({
            hands: (await hands(folder, 'It is long. '.repeat(60))).entry,
          }),
        });
        const chat = await scene.terminal(columns);
        const { tmux } = chat;
        const says = async (words: RegExp, message: string, answer: string) => {
          const said = await shown(tmux, words);
          await chat.say(message);
          await tmux.shows(`${answer} answer.`);
          const measured = sent(scene.model);
          const isNear = Math.abs(said - measured) <= 0.05 * measured;
          assert.ok(isNear, `${message}: ${said} shown, ${measured} sent`);
        };
        await chat.start('--strategy', strategy);
        await says(ON, 'Hello', 'First');
        if (loads) {
          await chat.say('Load it');
          await tmux.shows('Loaded.');
        }
        await says(ON, 'And now?', 'Second');
        await chat.say('/tools off');
        const off = loads
          ? /^○ tools off, [\d,]+ tokens still sent in results/
          : /^○ tools off(?: │|$)/;
        await says(off, 'And without?', 'Third');
        await chat.say('/tools on');
        await says(ON, 'On again?', 'Fourth');
        await chat.quit();
      });
});
