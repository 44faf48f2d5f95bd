// test: slow
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { SdkToolGroup } from '@toolfold/ai-sdk';
import { estimateTokens } from '@toolfold/core/internal/tool/tokens.ts';
import { countBody } from '@toolfold/testing/internal/audit/count-body.ts';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import type { RecordedRequest } from '@toolfold/testing/internal/wire/recorded-request.ts';
import { collect, ended } from './agent.test-support.ts';
import { beginWay, isSummaryRequest, WAYS } from './compact.test-support.ts';

const WINDOW = 24_000;
/** An image of 150,000 bytes, of which only the beginning is right. Its base64 would be more tokens than the window. */
const SCREENSHOT = `iVBORw0KGgo${'A'.repeat(200_001)}`;

const eyes: SdkToolGroup = {
  groupId: 'mcp:eyes',
  toolNames: ['look'],
  resultFormat: 'mcp',
  loader: async () => [
    {
      name: 'look',
      inputSchema: { type: 'object' },
      execute: () => ({
        content: [
          { type: 'text', text: 'The page.' },
          { type: 'image', data: SCREENSHOT, mimeType: 'image/png' },
        ],
      }),
    },
  ],
};

const tokensOf = (request: RecordedRequest) => countBody(request, estimateTokens).total;

describe('an agent that looks at many screenshots', () => {
  for (const way of WAYS.filter(({ strategy }) => strategy === 'dispatch'))
    test(`stays within the window: ${way.name}`, async () => {
      let looks = 0;
      const script = (request: RecordedRequest): Reply => {
        if (isSummaryRequest(request)) return { text: 'Many pages.' };
        return looks++ < 20 ? { calls: [way.call('eyes__look', { looks })] } : { text: 'Done.' };
      };
      await using server = await startModelServer({ script });
      const { talk } = await beginWay(server, way, {
        fold: { groups: [eyes] },
        agent: {
          maxRounds: 30,
          models: Object.fromEntries(
            ['claude-sonnet-4-5', 'gpt-4.1', 'local-model'].map((id) => [
              id,
              { contextWindow: WINDOW },
            ]),
          ),
        },
      });
      const events = await collect(talk.send('Look around.'));
      assert.equal(ended(events).text, 'Done.');
      const largest = Math.max(...server.requests.map(tokensOf));
      assert.ok(largest < WINDOW, `${largest} tokens`);
      const sees = server.requests.some(({ raw }) => raw.includes(SCREENSHOT));
      assert.equal(sees, !way.name.includes('compatible'));
      if (sees) assert.ok(events.some(({ type }) => type === 'compaction'));
      else assert.ok(Math.max(...server.requests.map(({ raw }) => raw.length)) < 40_000);
    });
});
