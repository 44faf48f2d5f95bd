import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { auditPrefix, formatAuditReport } from '@toolfold/testing/internal/audit/audit-prefix.ts';
import type { Reply } from '@toolfold/testing/internal/doubles/model-server.ts';
import { product, selected, selection } from '@toolfold/testing/test/combinations.test-support.ts';
import { rejections } from './failures.test-support.ts';
import { BUG, CREATE, GITHUB, MODES, play, ROUTES, WAYS, type Way } from './rounds.test-support.ts';

const VERDICTS = {
  approved: { approved: true },
  denied: { approved: false },
  'denied with a reason': { approved: false, reason: 'not on a Friday' },
} as const;

/** What the model writes before the user is asked. */
const ASKING = {
  'a load, then a call that asks': (to: Way): Reply[] => [
    { text: 'Let me see.', calls: [to.load(GITHUB)] },
    { text: 'Now.', calls: [to.call(CREATE, BUG)] },
  ],
  'a load and a call that asks in one response': (to: Way): Reply[] => [
    { calls: [to.load(GITHUB), to.call(CREATE, BUG)] },
  ],
  'loads, then two calls, one of which asks': (to: Way): Reply[] => [
    { calls: [to.load(GITHUB), to.load('mcp:nowhere', 'nothing')] },
    { calls: [to.load('mcp:linear'), to.call(CREATE, BUG), to.call('linear__create_issue', BUG)] },
  ],
} as const;

const ROWS = selected(
  product({
    way: WAYS,
    asking: Object.keys(ASKING) as (keyof typeof ASKING)[],
    verdict: Object.keys(VERDICTS) as (keyof typeof VERDICTS)[],
    mode: MODES,
    route: ROUTES,
  }).map(({ way, ...rest }) => ({ strategy: way.strategy, endpoint: way.endpoint, ...rest })),
);

const isOf = (way: Way) => (row: (typeof ROWS)[number]) =>
  row.strategy === way.strategy && row.endpoint === way.endpoint;

describe(`promise 62: approvals after loads, ${selection}`, () => {
  for (const way of WAYS) {
    test(`promise 62: the same bytes and runs as steps: ${way.name}`, async (t) => {
      const unhandled = rejections(t);
      for (const { asking, verdict, mode, route } of ROWS.filter(isOf(way))) {
        const where = `${asking}, ${verdict}, ${mode}, ${route}`;
        const given = {
          ...{ way, mode, route },
          replies: [
            ...ASKING[asking](way),
            { text: 'So it is.' },
            { calls: [way.load('mcp:linear')] },
            { text: 'Done.' },
          ],
          settings: { toolApproval: { [CREATE]: 'user-approval' } },
          answer: () => VERDICTS[verdict],
        };
        const inside = await play(given);
        const steps = await play({ ...given, loads: 'steps' });
        assert.deepEqual(inside.raw, steps.raw, where);
        const ran = inside.runs.filter(({ tool }) => tool === CREATE).length;
        assert.equal(ran, VERDICTS[verdict].approved ? 1 : 0, where);
        assert.equal(inside.runs.length, steps.runs.length, where);
        if (!way.keepsPrefix) continue;
        const report = auditPrefix(inside.requests);
        assert.ok(report.held, `${where}: ${formatAuditReport(report)}`);
      }
      assert.deepEqual(await unhandled(), []);
    });
  }
});
