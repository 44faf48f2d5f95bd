import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileSchema } from '../../src/settings/read-settings.ts';

test('the published JSON Schema is the schema that checks the settings', () => {
  const file = new URL('../../../toolfold/toolfold.schema.json', import.meta.url);
  const published: unknown = JSON.parse(readFileSync(file, 'utf8'));
  assert.deepEqual(published, fileSchema(), 'run `npm run schema`');
});
