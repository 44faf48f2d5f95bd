import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createToolLayer } from '../src/session/layer.ts';
import type { DeferredToolGroup } from '../src/tool/group.ts';
import { isStrategyName, strategies } from '../src/tool/strategies.ts';
import { plainLine, visibleText } from '../src/values/text.ts';
import { Conversation, text } from './conversation.test-support.ts';

/** One of each kind of characters that nobody sees. */
const UNSEEN: Readonly<Record<string, string>> = {
  'embedding to the right': '\u202a',
  'embedding to the left': '\u202b',
  'end of embedding': '\u202c',
  'override to the right': '\u202d',
  'override to the left': '\u202e',
  isolate: '\u2066',
  'isolate to the left': '\u2067',
  'first strong isolate': '\u2068',
  'end of isolate': '\u2069',
  'mark to the right': '\u200e',
  'mark to the left': '\u200f',
  'Arabic letter mark': '\u061c',
  'tag letter': '\u{e0041}',
  'end of tag': '\u{e007f}',
  'zero width space': '\u200b',
  'zero width joiner': '\u200d',
  'word joiner': '\u2060',
  'invisible times': '\u2062',
  'byte order mark': '\ufeff',
  'soft hyphen': '\u00ad',
  'combining grapheme joiner': '\u034f',
  'Hangul filler': '\u3164',
  'halfwidth Hangul filler': '\uffa0',
  'Mongolian separator': '\u180e',
  'Khmer vowel': '\u17b4',
  'variation selector': '\ufe01',
  'variation selector of the supplement': '\u{e0101}',
  'annotation anchor': '\ufff9',
  'musical format': '\u{1d173}',
  escape: '\u001b',
  'start of guarded area': '\u0096',
};
const ANY = new RegExp(`[${Object.values(UNSEEN).join('')}]`, 'u');
const all = Object.values(UNSEEN).join('x');

suite('characters that nobody sees', () => {
  for (const [what, character] of Object.entries(UNSEEN)) {
    test(`promise 36: ${what} stays out of lines and texts`, () => {
      for (const shown of [plainLine(`a${character}b`, 80), visibleText(`a${character}b`, 80)]) {
        assert.doesNotMatch(shown, ANY);
        assert.match(shown, /^a ?b$/);
      }
    });
  }

  test('what can be seen stays', () => {
    const seen = 'Käse, 日本語, שלום, مرحبا, हिन्दी, ❤️, 👍🏽\nand a second line';
    assert.equal(visibleText(seen, 200), seen);
    assert.equal(visibleText('👩‍👩‍👧 and 🧑‍💻', 80), '👩‍👩‍👧 and 🧑‍💻');
    assert.equal(plainLine('❤️ and 👍🏽', 80), '❤️ and 👍🏽');
  });

  test('no more of a text is read than can be shown', () => {
    const long = `a${'\r\u2028'.repeat(5_000_000)}b`;
    assert.equal(plainLine(long, 40), 'a');
    assert.ok(visibleText(long, 40).length <= 40);
  });

  for (const strategy of Object.keys(strategies).filter(isStrategyName)) {
    test(`promise 36: what servers say of themselves reaches the model without them in ${strategy}`, async () => {
      const shown: unknown[] = [];
      const schema = {
        type: 'object',
        properties: { [`a${all}`]: { enum: [`e${all}`] }, b: { const: `c${all}` } },
        required: [`r${all}`],
      };
      const tool = { name: 'run', description: `Runs ${all}.`, inputSchema: schema };
      const listed = { name: 'run', description: `Runs ${all}.` };
      const made = (groupId: string, more: Partial<DeferredToolGroup>): DeferredToolGroup => ({
        groupId,
        displayName: `Name ${all}`,
        description: `Group ${all}`,
        toolSummaries: [listed, { name: `odd${all}`, description: all }],
        loader: async () => [tool],
        ...more,
      });
      const groups = [
        made('good', {}),
        made('bad', {
          loader: async () => {
            throw new Error(`refused ${all}`);
          },
        }),
        made('gone', { unavailable: { reason: `down ${all}`, remedy: `wait ${all}` } }),
      ];
      const layer = createToolLayer({ groups, strategy });
      const conversation = new Conversation(layer.session());
      const invalid = { [`a${all}`]: 1, b: 2 };
      for (const [name, input] of [
        ['tool_search', { queries: ['run', 'odd'] }],
        ['load_tools', { group_id: 'bad' }],
        ['load_tools', { group_id: 'good', tool_names: ['nope'] }],
        ['good__run', { b: 1 }],
        ['bad__run', {}],
        ['tool_describe', { names: ['bad__run', 'good__rum'] }],
        ['request_tool', { name: 'bad__run' }],
        [oddName(layer), {}],
      ] as const)
        shown.push(await conversation.answer(name, input));
      const [call] = await conversation.step([['good__run', invalid]]);
      shown.push(call);
      layer.update([made('good', { toolSummaries: [listed, { name: `new${all}` }] })]);
      await conversation.step();
      shown.push(conversation.last.system, conversation.last.inserts);
      assert.doesNotMatch(withoutSchemas(shown), ANY);
    });
  }
});

/** The tool that the catalog promises and its server does not have. */
function oddName(layer: ReturnType<typeof createToolLayer>): string {
  const { tools } = layer.session({ strategy: 'dispatch' }).explain();
  return tools.find(({ name, group }) => group === 'good' && name.includes('odd'))?.name ?? '';
}

/** Schemas are shown as they are, and the model's own arguments are its own. */
function withoutSchemas(value: unknown): string {
  const own = ['schema', 'schemas', 'parameters', 'input'];
  return text(
    JSON.parse(JSON.stringify(value, (key, member) => (own.includes(key) ? undefined : member))),
  );
}
