import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Step } from './step.ts';

test('promise 45: calls that were not read from the stream are emitted, each with its outcome', () => {
  const step = new Step();
  step.send();
  const called = (id: string) => ({
    type: 'tool-call' as const,
    toolCallId: id,
    toolName: 'note',
    input: {},
  });
  for (const id of ['read', 'unread', 'begun', 'waiting'])
    step.write({ ...called(id), input: '{}' });
  step.read(called('read'));
  for (const id of ['read', 'unread', 'begun']) {
    step.enter(called(id));
    step.begin(id);
  }
  for (const id of ['read', 'unread'])
    step.end({ ...called(id), type: 'tool-result', output: `the result of ${id}` });
  const told = [...step.unread()].map((part) =>
    'toolCallId' in part ? `${part.type} ${part.toolCallId}` : part.type,
  );
  assert.deepEqual(told, [
    'tool-call unread',
    'tool-call begun',
    'tool-call waiting',
    'tool-result read',
    'tool-result unread',
    'tool-error begun',
    'tool-error waiting',
  ]);
});
