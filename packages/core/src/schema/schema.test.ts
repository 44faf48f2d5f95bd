import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import * as v from 'valibot';
import { z } from 'zod';
import { ToolfoldError } from '../errors.ts';
import { createToolLayer } from '../session/layer.ts';
import { estimateTokens } from '../tool/tokens.ts';
import { fitSchema, parametersOf, toJsonSchema } from './schema.ts';

suite('schemas', () => {
  test('a plain schema is returned unchanged with its property order; a value that is not a schema becomes an object without rules', () => {
    const schema = { type: 'object', properties: { z: {}, a: {} } };
    assert.equal(toJsonSchema('t', schema), schema);
    assert.deepEqual(parametersOf(schema), [{ name: 'z' }, { name: 'a' }]);
    assert.deepEqual(toJsonSchema('t', JSON.parse('null')), { type: 'object' });
    assert.deepEqual(Object.keys(z.object({ z: z.string(), a: z.string() }).shape), ['z', 'a']);
    const converted = toJsonSchema('t', z.object({ z: z.string(), a: z.string() }));
    assert.deepEqual(
      parametersOf(converted).map(({ name }) => name),
      ['z', 'a'],
    );
  });

  test('a schema of the app that cannot be converted is an error at the creation of the layer', () => {
    const bad = [v.object({ a: v.string() }), z.object({ a: z.date() })];
    for (const inputSchema of bad) {
      assert.throws(
        () => createToolLayer({ tools: [{ name: 'clock', inputSchema: inputSchema as never }] }),
        (error) =>
          error instanceof ToolfoldError &&
          error.code === 'invalid-schema' &&
          error.message.includes('clock'),
      );
    }
  });

  test('promise 32: every echoed schema fits its budget', () => {
    const { schema: value } = fc.letrec<{ schema: unknown }>((tie) => ({
      schema: fc.oneof(
        { maxDepth: 3, depthSize: 'small' },
        fc.record({ type: fc.string(), description: fc.string({ maxLength: 300 }) }),
        fc.record({ enum: fc.array(fc.string(), { maxLength: 60 }) }),
        fc.record({
          type: fc.constantFrom('object', ['object', 'null']),
          properties: fc.dictionary(fc.string(), tie('schema'), { maxKeys: 6 }),
        }),
        fc.record({ items: tie('schema'), anyOf: fc.array(tie('schema'), { maxLength: 3 }) }),
      ),
    }));
    fc.assert(
      fc.property(value, fc.integer({ min: 20, max: 400 }), (any, budget) => {
        const schema = any as Record<string, unknown>;
        const fitted = fitSchema(schema, budget, estimateTokens);
        assert.ok(estimateTokens(JSON.stringify(fitted.schema)) <= budget);
        assert.equal(fitted.shortened, fitted.schema !== schema);
      }),
    );
  });

  test('is shortened in steps: first prose, then depth, then everything except names', () => {
    const schema = {
      type: 'object',
      description: 'words '.repeat(50),
      properties: {
        description: { type: 'string', description: 'The description of it. '.repeat(20) },
        deep: {
          type: 'object',
          properties: { a: { type: 'object', properties: { b: { enum: ['x', 'y'] } } } },
        },
      },
      required: ['description'],
    };
    const steps: string[] = [];
    for (let budget = 1_000; budget >= 10; budget--) {
      const text = JSON.stringify(fitSchema(schema, budget, estimateTokens).schema);
      if (steps.at(-1) !== text) steps.push(text);
    }
    assert.equal(steps[0], JSON.stringify(schema));
    assert.match(
      steps[1] ?? '',
      /"properties":\{"description":\{"type":"string"\},"deep".*"enum":\["x","y"\]/,
    );
    assert.match(
      steps[2] ?? '',
      /"deep":\{"type":"object","properties":\{"a":\{"type":"object"\}\}\}/,
    );
    assert.equal(steps.at(-1), '{"properties":["description","deep"]}');
  });

  test('promise 38: a schema nested a thousand levels deep is shortened without an error', () => {
    let deep: Record<string, unknown> = { type: 'string' };
    for (let i = 0; i < 1_000; i++) deep = { type: 'array', items: deep };
    const fitted = fitSchema({ type: 'object', properties: { deep } }, 100, estimateTokens);
    assert.ok(estimateTokens(JSON.stringify(fitted.schema)) <= 100);
  });
});
