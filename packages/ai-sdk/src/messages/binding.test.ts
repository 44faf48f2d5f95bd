import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { jsonSchema, type Tool, tool } from 'ai';
import { z } from 'zod';
import type { WireTool } from '../protocol/declared-tools.ts';
import { bindingOf, foreignBinding, wireBinding } from './call-input.ts';

const provider = (id: string, args: object) =>
  ({ type: 'provider', id, args, inputSchema: z.object({}) }) as unknown as Tool;

describe('the binding of a tool that the layer does not have', () => {
  test('promise 50: a tool of a provider: depends on its id and its arguments', async () => {
    const one = provider('a.bash', { timeout: 1 });
    const known = bindingOf(one);
    assert.ok(known);
    assert.equal(bindingOf(provider('a.bash', { timeout: 1 })), known);
    for (const other of [
      provider('a.bash', { timeout: 2 }),
      provider('a.bash', {}),
      provider('a.shell', { timeout: 1 }),
    ])
      assert.notEqual(bindingOf(other), known);
    assert.equal(await foreignBinding(one), known);
    const wire = { type: 'provider', id: 'a.bash', name: 'bash', args: { timeout: 1 } } as const;
    assert.equal(wireBinding(wire), known);
  });

  test('promise 50: any other tool: depends on its schema, equal in the set and on the wire', async () => {
    const of = (schema: object) => tool({ inputSchema: jsonSchema(schema) });
    const schema = { type: 'object', properties: { text: { type: 'string' } } };
    const known = await foreignBinding(of(schema));
    assert.ok(known);
    assert.notEqual(await foreignBinding(of({ type: 'object', properties: {} })), known);
    const wire = { type: 'function', name: 'post', inputSchema: schema } as WireTool;
    assert.equal(wireBinding(wire), known);
    assert.equal(bindingOf(of(schema)), undefined);
    assert.equal(await foreignBinding(undefined), undefined);
    assert.equal(wireBinding(undefined), undefined);
  });

  test('promise 50: no schema has the binding of a tool of a provider', async () => {
    const settings = ['a.bash', {}];
    const schema = tool({ inputSchema: jsonSchema(settings as object) });
    assert.notEqual(await foreignBinding(schema), bindingOf(provider('a.bash', {})));
  });
});
