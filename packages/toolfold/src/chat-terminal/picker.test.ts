import assert from 'node:assert/strict';
import { test } from 'node:test';
import { themeWith } from '../chat-view/theme.ts';
import { Picker } from './picker.ts';

test('a list says that nothing is found', () => {
  const items = [{ value: 'a', label: 'Ada' }];
  const picker = new Picker({ theme: themeWith(false), title: 'Choose' }, items, () => {});
  assert.match(picker.render(40)[3] ?? '', /Ada/);
  assert.match(picker.render(80)[1] ?? '', /^Choose {2}.*Enter: choose · Esc: close$/);
  picker.handleInput('x');
  assert.deepEqual(picker.render(40).slice(1), [
    'Choose',
    picker.render(40)[2],
    '  Nothing is found.',
  ]);
});
