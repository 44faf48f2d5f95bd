import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import { product, selected, selection } from '@toolfold/testing/test/combinations.test-support.ts';
import { type ToolSet, tool } from 'ai';
import { z } from 'zod';
import { createFold, type Fold, type FoldOptions } from '../../src/index.ts';
import { ENDPOINTS, modelOn } from '../endpoints.test-support.ts';
import { DISPATCH } from '../scenarios.test-support.ts';
import { Talk } from '../talk.test-support.ts';
import { callsOn, resultsOn } from '../wire.test-support.ts';

type Groups = NonNullable<FoldOptions<ToolSet>['groups']>;

const endpoint = ENDPOINTS[0] ?? assert.fail();
const target = { target: 'disk' };
const inputSchema = z.object({ target: z.string() });
const wipe = tool({ inputSchema, needsApproval: true, execute: () => 'wiped' });
const ask = tool({ inputSchema: z.object({ question: z.string() }), execute: () => 'because' });
const loader = async () => ({ wipe });
const down = async () => Promise.reject(new Error('down'));
const LISTED: Groups = [{ groupId: 'ops', toolNames: ['wipe'], loader }];

/** The groups of the process that executes the user's answer. */
const LATER: Readonly<Record<string, Groups>> = {
  'that lists no names': [{ groupId: 'ops', loader }],
  'that lists no names and is down': [{ groupId: 'ops', loader: down }],
  'that is down': [{ groupId: 'ops', toolNames: ['wipe'], loader: down }],
  'of another name': [{ groupId: 'x', toolNames: ['y'], loader: async () => ({}) }],
  'that is the same': LISTED,
};
const HANDINGS = ['spread', 'copied', 'two fields', 'active'] as const;

const STRATEGIES = ['dispatch', 'eager'] as const;
const ROWS = selected(
  product({
    strategy: STRATEGIES,
    name: Object.keys(LATER),
    approved: [true, false],
    mode: ['generate', 'stream'],
    route: ['json', 'ui'],
    handing: HANDINGS,
  }).filter(
    // Without `toolApproval`, `eager` leaves an unknown name to the SDK.
    ({ strategy, name, handing }) =>
      strategy !== 'eager' || name !== 'of another name' || handing !== 'two fields',
  ),
);

describe(`an approval or a denial always leads to a result, ${selection}`, () => {
  for (const strategy of STRATEGIES) {
    for (const [name, groups] of Object.entries(LATER)) {
      for (const approved of [true, false]) {
        test(`promise 1: ${strategy}, a group ${name}, ${approved ? 'yes' : 'no'}`, async () => {
          const rows = ROWS.filter(
            (row) => row.strategy === strategy && row.name === name && row.approved === approved,
          );
          for (const { mode, route, handing } of rows) {
            const call =
              strategy === 'eager'
                ? { name: 'ops__wipe', arguments: target }
                : DISPATCH.call('ops__wipe', target);
            await using server = await startModelServer({
              script: [{ calls: [call] }, { text: 'Done.' }, { text: 'Bye.' }],
            });
            let turn = 0;
            const isActive = handing === 'active';
            const talk = new Talk({
              mode,
              route,
              handing: isActive ? 'spread' : handing,
              model: modelOn(server, endpoint),
              fold: () =>
                createFold({
                  strategy,
                  tools: { ask } as ToolSet,
                  groups: turn++ === 0 ? LISTED : groups,
                }) as Fold<ToolSet>,
            });
            const where = `${mode}, ${route}, ${handing}`;
            await talk.say('Go.');
            if (isActive) {
              const activeTools = ['ask', 'load_tools', 'deferred_tool_call'];
              Object.assign(talk, { run: talk.run.bind(talk, { activeTools } as never) });
            }
            await talk.answer({ approved });
            await talk.say('And?');
            const last = server.requests.at(-1) ?? assert.fail();
            assert.equal(server.requests.length, 3, where);
            assert.equal(callsOn(last).length, 1, where);
            assert.equal(resultsOn(last).length, 1, where);
            const isRun = approved && name === 'that is the same' && !isActive;
            if (isRun) assert.equal(resultsOn(last)[0]?.text, 'wiped', where);
          }
        });
      }
    }
  }
});
