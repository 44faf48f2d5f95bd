import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { auditPrefix, formatAuditReport } from '@toolfold/testing/internal/audit/audit-prefix.ts';
import { selected, selection } from '@toolfold/testing/test/combinations.test-support.ts';
import { CLIENTS, type Client, SORTING, WITHOUT_RESULTS } from './clients.test-support.ts';
import { play, WAYS } from './rounds.test-support.ts';
import { later, type Row, rowsOf, SCRIPTS, SOME_WAYS, wayIn } from './scripts.test-support.ts';

// The providers warn about reasoning without a signature.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

const STORED = ['json', 'ui'] as const;
const SPOKEN = rowsOf(SOME_WAYS, STORED);
const CHANGED = selected(
  SPOKEN.flatMap((row) => CLIENTS.map((client): ChangedRow => ({ ...row, client }))),
);

interface ChangedRow extends Row {
  readonly client: Client;
}

for (const client of CLIENTS) {
  describe(`promise 62: a client that ${client.name}, ${selection}`, () => {
    for (const script of SCRIPTS) {
      const rows = CHANGED.filter((row) => row.client === client && row.script === script);
      // The results of ordinary steps are objects, whose keys such a store sorts.
      if (client === SORTING && /call|five/.test(script.name)) continue;
      // Without its mark, a load looks as if the model was asked again before the other calls.
      if (client === WITHOUT_RESULTS && /same response|around/.test(script.name)) continue;
      test(`promise 62: the same bytes as steps: ${script.name}`, async () => {
        for (const row of rows) {
          const { mode, route } = row;
          const way = wayIn(row);
          const where = `${way.name}, ${mode}, ${route}`;
          const replies = [...script.replies(way), ...later(way)];
          const given = { way, mode, route, replies };
          const inside = await play({ ...given, between: client.change });
          const between = client === SORTING ? () => {} : client.change;
          const steps = await play({ ...given, loads: 'steps', between });
          assert.equal(inside.raw.length, steps.raw.length, where);
          steps.raw.forEach((raw, index) => {
            assert.equal(inside.raw[index], raw, `${where}: request ${index}`);
          });
        }
      });
    }
  });
}

describe(`promise 62: a store that ${SORTING.name}`, () => {
  for (const way of WAYS.filter(({ keepsPrefix }) => keepsPrefix)) {
    test(`promise 62: keeps the prefix of loads: ${way.name}`, async () => {
      for (const route of STORED) {
        const replies = [{ calls: [way.load('mcp:github')] }, { text: 'Done.' }, ...later(way)];
        const given = { way, mode: 'stream', route, replies } as const;
        const { requests } = await play({ ...given, between: SORTING.change });
        const report = auditPrefix(requests);
        assert.ok(report.held, `${route}: ${formatAuditReport(report)}`);
      }
    });
  }
});
