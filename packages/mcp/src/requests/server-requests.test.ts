import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ToolLog, ToolProgress } from '@toolfold/core/internal/tool/call-host.ts';
import { CallsInFlight, textsOf } from './calls-in-flight.ts';
import { tellLog, tellProgress } from './server-requests.ts';

const texts = textsOf(['hunter2-hunter2']);

test('progress that is none is left out, and its text is one harmless line', () => {
  const told: ToolProgress[] = [];
  const host = { onProgress: (one: ToolProgress) => told.push(one) };
  for (const progress of [undefined, '1', Number.NaN, Number.POSITIVE_INFINITY])
    tellProgress(host, { progress }, texts);
  const message = `a\nb\u001b[2J hunter2-hunter2 ${'x'.repeat(1000)}`;
  tellProgress(host, { progress: 1, total: '2', message }, texts);
  assert.equal(told.length, 1);
  const shown = told[0]?.message ?? '';
  assert.equal(told[0]?.total, undefined);
  assert.equal(shown.length, 300);
  assert.ok(shown.startsWith('a b') && !/hunter2|\n/.test(shown));
});

test('log messages of one call are bounded, and unknown levels are left out', () => {
  const told: ToolLog[] = [];
  const host = { onLog: (one: ToolLog) => told.push(one) };
  const call = new CallsInFlight(undefined).begin({ host });
  tellLog(call, 'odd', { level: 'loud', data: 'x' }, texts);
  tellLog(call, 'odd', { level: 'info' }, texts);
  for (let at = 0; at < 2000; at++) tellLog(call, 'odd', { level: 'info', data: { at } }, texts);
  assert.equal(told.length, 1000);
  assert.deepEqual(told[1], { server: 'odd', level: 'info', text: '{"at":0}' });
  assert.match(told.at(-1)?.text ?? '', /left out/);
});
