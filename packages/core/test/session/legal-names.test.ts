import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createToolLayer } from '../../src/session/layer.ts';

test('the error for a name that is not legal says why, and which name would be', () => {
  const cases = [
    ['files.read', /it has the character "\."/, /"files_read"/],
    ['x'.repeat(75), /it has 75 characters/, new RegExp(`"${'x'.repeat(64)}"`)],
    ['größe lesen', /it has the character "ö"/, /"gr_e_lesen"|"gr_e"|"gr_/],
    ['', /it has 0 characters/, /"my_tool"/],
  ] as const;
  for (const [name, why, remedy] of cases) {
    const tools = [{ name, inputSchema: { type: 'object' }, execute: () => 1 }] as const;
    assert.throws(
      () => createToolLayer({ tools }),
      (error: { code?: string; message?: string; hint?: string }) => {
        assert.equal(error.code, 'invalid-option');
        assert.match(error.message ?? '', why);
        assert.match(error.hint ?? '', remedy);
        assert.match(error.hint ?? '', /1 to 64 characters of A-Z, a-z, 0-9, _ and -/);
        return true;
      },
    );
  }
});
