import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FormField } from '@toolfold/core/internal/tool/call-host.ts';
import { formAnswer, formSchema } from './editor-questions.ts';

test('fields of a form as a schema', () => {
  const choices = [{ value: 'a', title: 'A' }];
  const fields: FormField[] = [
    { type: 'text', name: 't', title: 'T', isRequired: true, format: 'email', maxLength: 9 },
    { type: 'integer', name: 'i', description: 'I', isRequired: false, minimum: 1, default: 2 },
    { type: 'number', name: 'n', isRequired: false },
    { type: 'boolean', name: 'b', isRequired: true, default: false },
    { type: 'choice', name: 'c', isRequired: false, choices },
    { type: 'choices', name: 'm', isRequired: false, choices, minItems: 1, default: ['a'] },
  ];
  const options = [{ const: 'a', title: 'A' }];
  assert.deepEqual(formSchema(fields), {
    type: 'object',
    properties: {
      t: { type: 'string', title: 'T', format: 'email', maxLength: 9 },
      i: { type: 'integer', description: 'I', default: 2, minimum: 1 },
      n: { type: 'number' },
      b: { type: 'boolean', default: false },
      c: { type: 'string', oneOf: options },
      m: { type: 'array', default: ['a'], minItems: 1, items: { anyOf: options } },
    },
    required: ['t', 'b'],
  });
});

test('answers', () => {
  assert.deepEqual(formAnswer({ action: 'accept', content: { a: 1 } }), {
    choice: 'yes',
    content: { a: 1 },
  });
  assert.deepEqual(formAnswer({ action: 'accept', content: null }), { choice: 'yes' });
  assert.deepEqual(formAnswer({ action: 'decline' }), { choice: 'no' });
  assert.deepEqual(formAnswer({ action: 'cancel' }), undefined);
  assert.deepEqual(formAnswer({ action: '_odd' }), undefined);
});
