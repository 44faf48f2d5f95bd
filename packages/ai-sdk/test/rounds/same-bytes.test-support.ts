import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { auditPrefix, formatAuditReport } from '@toolfold/testing/internal/audit/audit-prefix.ts';
import { selected, selection } from '@toolfold/testing/test/combinations.test-support.ts';
import { type Played, play, type Way } from './rounds.test-support.ts';
import { later, type Row, rowsOf, SCRIPTS, wayIn } from './scripts.test-support.ts';

/** Plays the scripts with loads inside model calls and as steps. Every pair of settings, or all. */
export function testSameBytes(title: string, ways: readonly Way[]): void {
  const all = selected(rowsOf(ways));
  for (const way of ways) {
    describe(`${title}, ${way.name}, ${selection}`, () => {
      for (const script of SCRIPTS) {
        const rows = all.filter((row) => wayIn(row) === way && row.script === script);
        if (rows.length === 0) continue;
        test(`${title}: ${script.name}`, async () => {
          for (const row of rows) await check(way, row);
        });
      }
    });
  }
}

async function check(way: Way, { script, mode, route }: Row): Promise<void> {
  const where = `${mode}, ${route}`;
  const given = { way, mode, route, replies: [...script.replies(way), ...later(way)] };
  const inside = await play(given);
  const steps = await play({ ...given, loads: 'steps' });
  assert.equal(inside.raw.length, steps.raw.length, where);
  steps.raw.forEach((raw, index) => {
    assert.equal(inside.raw[index], raw, `${where}: request ${index}`);
  });
  const ran = ({ runs }: Played) => runs.map(({ tool, input }) => [tool, input]);
  assert.deepEqual(ran(inside), ran(steps), where);
  const reported = ({ events }: Played) => events.map((event) => JSON.stringify(event)).sort();
  assert.deepEqual(reported(inside), reported(steps), where);
  if (!way.keepsPrefix) return;
  const report = auditPrefix(inside.requests);
  assert.ok(report.held, `${where}: ${formatAuditReport(report)}`);
}
