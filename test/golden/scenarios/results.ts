import { createAnthropic } from '@ai-sdk/anthropic';
import { tool } from 'ai';
import type { Reply } from 'toolfold/testing';
import { z } from 'zod';
import type { Scenario } from '../scenario.ts';
import { PIXEL, resultGroup } from './result-group.ts';
import { webSearch } from './streams.ts';

const done = { text: 'Done.' };

/** A call of a tool of the group `results`. */
const result = (name: string): Reply => ({
  calls: [{ name: 'deferred_tool_call', arguments: { tool_name: `results__${name}` } }],
});

/** Results of all forms. */
export const RESULTS: readonly Scenario[] = [
  {
    name: 'pictures',
    options: (world) => ({ groups: [resultGroup(world)] }),
    script: [result('picture'), result('failing'), done],
    isCut: true,
  },
  {
    name: 'elicitation',
    options: (world) => ({ groups: [resultGroup(world)] }),
    script: [result('form'), done],
    play: async ({ talk }) => {
      for await (const event of talk.send('Go.'))
        if (event.type === 'elicitation')
          talk.answerElicitation(event.elicitationId, {
            action: 'accept',
            content: { who: 'Ann' },
          });
    },
    isCut: true,
  },
  {
    name: 'sampling',
    options: (world) => ({ groups: [resultGroup(world)] }),
    script: [result('sample'), { text: 'Word.' }, done],
  },
  {
    name: 'own-model-output',
    options: ({ ran }) => ({
      tools: {
        draw: tool({
          description: 'Draws.',
          inputSchema: z.object({ what: z.string() }),
          execute: ({ what }) => {
            ran.push(`draw:${what}`);
            return { what, data: PIXEL };
          },
          toModelOutput: ({ output }) => ({
            type: 'content',
            value: [
              { type: 'text', text: `A ${output.what}.` },
              {
                type: 'file',
                mediaType: 'image/png',
                data: { type: 'data', data: output.data },
              },
            ],
          }),
        }),
      },
    }),
    script: [
      { calls: [{ name: 'deferred_tool_call', arguments: { tool_name: 'draw', what: 'dot' } }] },
      { calls: [{ name: 'draw', arguments: { what: 'line' } }] },
      done,
    ],
    isCut: true,
  },
  {
    name: 'own-schema-transforms',
    format: 'responses',
    options: ({ ran }) => ({
      strategy: 'eager',
      approvals: { mode: 'always', allow: ['shout'] },
      tools: {
        shout: tool({
          description: 'Shouts.',
          inputSchema: z.object({
            text: z.string().transform((text) => text.toUpperCase()),
            times: z.number().default(2),
          }),
          execute: ({ text, times }) => {
            ran.push(`shout:${text}:${times}`);
            return Array.from({ length: times }, () => text).join(' ');
          },
        }),
        whisper: tool({
          description: 'Whispers.',
          inputSchema: z.object({ text: z.string().transform((text) => `(${text})`) }),
          execute: ({ text }) => {
            ran.push(`whisper:${text}`);
            return undefined;
          },
        }),
      },
    }),
    script: [
      { calls: [{ name: 'shout', arguments: { text: 'hey' } }] },
      { calls: [{ name: 'whisper', arguments: { text: 'hm' } }] },
    ],
    isCut: true,
  },
  {
    name: 'provider-executed',
    options: () => ({
      strategy: 'eager',
      tools: { web_search: createAnthropic().tools.webSearch_20250305({ maxUses: 2 }) },
    }),
    streams: [webSearch()],
    script: [done],
  },
];
