import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isRecord } from '@toolfold/core/internal/values/json.ts';
import { fakeTool, fakeTools } from './fake-tools.ts';

describe('fake tools', () => {
  it('are the same for the same number and seed, and differ between seeds', () => {
    const plain = (seed: number): string => JSON.stringify(fakeTools(50, seed));
    assert.equal(plain(1), plain(1));
    assert.notEqual(plain(1), plain(2));
    assert.equal(JSON.stringify(fakeTool(7)), JSON.stringify(fakeTools(8)[7]));
  });

  it('have different legal names, however many', () => {
    const names = fakeTools(5000).map(({ name }) => name);
    assert.equal(new Set(names).size, 5000);
    assert.ok(names.every((name) => /^[a-z0-9_]{1,40}$/.test(name)));
  });

  it('have schemas with required properties, enums and nested objects', () => {
    const schemas = fakeTools(40).map(({ inputSchema }) => inputSchema);
    for (const schema of schemas) {
      assert.ok(isRecord(schema) && isRecord(schema.properties) && Array.isArray(schema.required));
      assert.equal(schema.type, 'object');
      for (const name of schema.required) assert.ok(Object.hasOwn(schema.properties, name));
      assert.ok(schema.required.length > 0);
    }
    const text = JSON.stringify(schemas);
    assert.match(text, /"enum":/);
    assert.match(text, /"type":"object","description":"Who takes it\."/);
  });

  it('echo their input', () => {
    const { execute } = fakeTool(0);
    assert.deepEqual(execute?.({ a: 1 }, {}), { tool: 'list_issue', input: { a: 1 } });
    const own = fakeTool(0, { name: 'mine', execute: () => 'ran' });
    assert.equal(own.name, 'mine');
    assert.equal(own.execute?.({}, {}), 'ran');
  });
});
