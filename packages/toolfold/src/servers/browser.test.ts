import assert from 'node:assert/strict';
import { test } from 'node:test';
import { browserCommand } from './network.ts';

test('the browser is started without a shell', () => {
  const url = 'https://login.example.com/?a=1&b=$(x)';
  assert.deepEqual(browserCommand(url, 'linux'), ['xdg-open', url]);
  assert.deepEqual(browserCommand(url, 'darwin'), ['open', url]);
  assert.deepEqual(browserCommand(url, 'win32'), ['rundll32', 'url.dll,FileProtocolHandler', url]);
});
