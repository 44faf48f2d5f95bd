import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { LanguageModelV4Content } from '@ai-sdk/provider';
import {
  combinations,
  isFull,
  isQuick,
  selection,
} from '@toolfold/testing/test/combinations.test-support.ts';
import type { ToolSet } from 'ai';
import fc from 'fast-check';
import { createFold, type Fold, type LoadsIn } from '../../src/index.ts';
import { Conversation, type Mode, type Route } from '../conversation.test-support.ts';
import { foldOptions } from '../folds.test-support.ts';
import { ownSearch, type PartsReply, partsModel, toolCall } from './parts-model.test-support.ts';
import { CREATE, MODES, ROUTES } from './rounds.test-support.ts';

type Content = LanguageModelV4Content;

async function play(replies: readonly PartsReply[], mode: Mode, route: Route, loads?: LoadsIn) {
  const model = partsModel([...replies, { content: [{ type: 'text', text: 'Last.' }] }]);
  const options = { ...foldOptions([]), strategy: 'dispatch' as const, ...(loads && { loads }) };
  const fold = () => createFold(options) as unknown as Fold<ToolSet>;
  const conversation = new Conversation({ mode, route, model, fold });
  await conversation.say('Go.');
  await conversation.say('And more.');
  return model.prompts;
}

async function same(given: readonly PartsReply[], mode: Mode, route: Route): Promise<void> {
  // The SDK's simulated stream drops empty parts, outside of Toolfold.
  const isSimulated = mode === 'generate' && route === 'ui';
  const isKept = (one: Content) => !isSimulated || !('text' in one) || one.text !== '';
  const replies = given.map((reply) => ({ ...reply, content: reply.content.filter(isKept) }));
  const inside = await play(replies, mode, route);
  const steps = await play(replies, mode, route, 'steps');
  const parsed = (prompts: readonly string[]) => prompts.map((prompt) => JSON.parse(prompt));
  assert.deepEqual(parsed(inside), parsed(steps), `${mode}, ${route}`);
  assert.deepEqual(inside, steps, `${mode}, ${route}`);
}

const text = (value: string, more: object = {}): Content => ({
  type: 'text',
  text: value,
  ...more,
});
const thought = (value: string, more: object = {}): Content => ({
  ...{ type: 'reasoning', text: value },
  ...more,
});
const signed = (signature: string) => ({ providerMetadata: { parts: { signature } } });
const load = (id: string, group_id = 'mcp:github') => toolCall(id, 'load_tools', { group_id });
const call = (id: string) =>
  toolCall(id, 'deferred_tool_call', { tool_name: CREATE, arguments: { title: id } });
const source: Content = { type: 'source', sourceType: 'url', id: 's', url: 'http://example.com' };
const own: Content = { type: 'custom', kind: 'parts.own', ...signed('custom') };
const file: Content = {
  ...{ type: 'file', mediaType: 'image/png' },
  data: { type: 'data', data: 'aGk=' },
};

/** Responses that few providers give. The last one ends the turn. */
const ODD: Readonly<Record<string, readonly (readonly Content[])[]>> = {
  'text after a load': [[load('a'), text('after')], [text('next')]],
  'text between parallel loads': [
    [text('one'), load('a'), text('two'), load('b', 'mcp:linear'), text('three')],
    [thought('next', signed('n')), load('c')],
    [text('end')],
  ],
  'thoughts after a load': [
    [thought('first', signed('1')), load('a'), thought('then', signed('2')), thought('and')],
    [thought('second', signed('3')), text('so'), call('b')],
    [text('end')],
  ],
  'empty texts': [
    [text(''), load('a'), text(''), text('', signed('empty'))],
    [text(''), thought(''), load('b', 'mcp:linear'), thought('')],
    [text('end'), text('')],
  ],
  'a search of the provider before a load': [[...ownSearch('s'), load('a')], [text('end')]],
  'a search of the provider after a load': [
    [load('a'), ...ownSearch('s'), text('found')],
    [text('second'), ...ownSearch('t'), load('b')],
    [text('end')],
  ],
  'a search of the provider after a load that fails': [
    [load('a', 'mcp:none'), ...ownSearch('s')],
    [text('end')],
  ],
  'parts of the provider': [[own, load('a'), own], [own, text('x'), load('b'), own], [own]],
  'parts of the provider, then an ordinary call': [
    [own, load('a'), own],
    [own, call('b'), own],
    [own],
  ],
  'sources and files': [
    [source, load('a'), source, file],
    [file, load('b')],
    [source, text('end')],
  ],
  'a failing load behind one that works, with text': [
    [load('a'), load('b', 'mcp:none'), text('after')],
    [text('next'), load('c', 'mcp:none'), load('d'), text('more')],
    [text('end')],
  ],
  'the same ids in each response': [
    [load('0'), load('1', 'mcp:linear')],
    [text('again'), load('0', 'mcp:linear')],
    [text('end')],
  ],
};

const ROWS = combinations({
  name: Object.keys(ODD),
  mode: MODES,
  route: ROUTES,
  isBare: [true, false],
});

describe(`promise 62: odd responses, ${selection}`, () => {
  for (const name of Object.keys(ODD)) {
    test(`promise 62: the same prompts as steps: ${name}`, async () => {
      for (const { mode, route, isBare } of ROWS.filter((row) => row.name === name))
        await same(
          (ODD[name] ?? []).map((content) => ({ content, isBare })),
          mode,
          route,
        );
    });
  }
});

const part = fc.oneof(
  fc.constantFrom('', 'some text', 'more').map((value) => text(value)),
  fc.constantFrom('', 'signed').map((value) => text(value, signed('t'))),
  fc.constantFrom('', 'thought').map((value) => thought(value, signed('r'))),
  fc.constantFrom<Content>(own, file, source),
);
const loads = fc.constantFrom('mcp:github', 'mcp:linear', 'mcp:none', 'mcp:flaky');
type Piece = { part: Content } | { load: string } | { search: true } | { call: true };
const piece: fc.Arbitrary<Piece> = fc.oneof(
  { weight: 3, arbitrary: part.map((one) => ({ part: one })) },
  { weight: 3, arbitrary: loads.map((group) => ({ load: group })) },
  { weight: 1, arbitrary: fc.constant({ search: true as const }) },
  { weight: 1, arbitrary: fc.constant({ call: true as const }) },
);
const responses = fc.array(fc.array(piece, { maxLength: 6 }), { minLength: 1, maxLength: 6 });

/** The responses with an id for each call. A response without calls ends a turn, so only the last has none. */
function repliesOf(all: Piece[][]): PartsReply[] {
  let id = 0;
  const contents = all.map((pieces) =>
    pieces.flatMap((one): readonly Content[] => {
      if ('part' in one) return [one.part];
      if ('load' in one) return [load(`id${id++}`, one.load)];
      return 'search' in one ? ownSearch(`id${id++}`) : [call(`id${id++}`)];
    }),
  );
  const isCalling = (content: readonly Content[]) =>
    content.some((one) => one.type === 'tool-call' && !one.providerExecuted);
  return [...contents.filter(isCalling), [text('end')]].map((content) => ({ content }));
}

for (const mode of MODES) {
  for (const route of ROUTES) {
    test(`promise 62: any responses give the same prompts as steps: ${mode}, ${route}`, async () => {
      const property = fc.asyncProperty(responses, (all) => same(repliesOf(all), mode, route));
      await fc.assert(property, {
        numRuns: isFull ? 400 : isQuick ? 5 : 20,
        ...(isFull ? {} : { seed: 62 }),
      });
    });
  }
}
