import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { jsonSchema } from 'ai';
import type { WireTool } from '../protocol/declared-tools.ts';
import { Marks } from '../tool-set/live-set.ts';
import { SdkSchemas } from '../tool-set/sdk-schema.ts';
import type { SdkView } from '../tool-set/sdk-view.ts';
import { nameForRefusal } from './arrivals.ts';

interface Given {
  readonly offered?: readonly string[];
  /** Names that the set lists. */
  readonly listed?: readonly string[];
  /** The listed names that Toolfold runs, and those of this view. */
  readonly runs?: readonly string[];
  readonly owns?: readonly string[];
  readonly known?: readonly string[];
  readonly use?: 'this' | 'copy' | 'unknown';
}

const ALL = ['send', 'call'];
const VIEW = new Marks(new SdkSchemas());

function place(name: string, isFinal: boolean, given: Given = {}): string {
  const { offered = ALL, listed = ALL, runs = ALL, owns = ALL, known = ALL, use = 'this' } = given;
  const tools = Object.fromEntries(listed.map((one) => [one, {}]));
  const set = {
    tools,
    use: () => use,
    runs: (one: string) => runs.includes(one),
  };
  const marks = { has: (tool: WireTool) => owns.includes(tool.name) };
  const view = { set, marks, inputs: { executor: 'call' } } as unknown as SdkView;
  // A known tool belongs to this view or to another.
  const schemaOf = (one: string) =>
    known.includes(one) ? { inputSchema: VIEW.schema(jsonSchema({})).jsonSchema } : {};
  const sent = offered.map(
    (one) => [one, { type: 'function', name: one, ...schemaOf(one) } as WireTool] as const,
  );
  const isKnown = (one: string) => known.includes(one);
  return nameForRefusal(name, isFinal, { offered: new Map(sent), view, isKnown });
}

describe('the name of a refused call', () => {
  test('promise 51: is its own name if this view runs the tool, and so can refuse', () => {
    for (const isFinal of [true, false]) {
      for (const use of ['this', 'copy', 'unknown'] as const)
        assert.equal(place('send', isFinal, { use }), 'send');
    }
  });

  test('promise 51: is the executor if another view runs the tool, or no view does', () => {
    for (const isFinal of [true, false]) {
      // A tool of another view with the same name.
      assert.equal(place('send', isFinal, { owns: ['call'] }), 'call');
      // A client-side tool, while it is not known that the SDK uses `toolApproval`.
      assert.equal(place('send', isFinal, { runs: ['call'], use: 'unknown' }), 'call');
      // A tool that the app added, in the same situation.
      assert.equal(place('send', isFinal, { owns: [], known: ['call'], use: 'unknown' }), 'call');
    }
  });

  test('promise 51: a tool that Toolfold does not run keeps its name only if toolApproval denies it', () => {
    for (const given of [{ runs: ['call'] }, { owns: ['call'], known: ['call'] }]) {
      assert.equal(place('send', true, given), 'send');
      assert.equal(place('send', true, { ...given, use: 'copy' }), 'send');
      assert.equal(place('send', false, given), 'call');
      assert.equal(place('send', true, { ...given, use: 'unknown' }), 'call');
    }
  });

  test('an unlisted name is kept if the set answers for it', () => {
    for (const use of ['this', 'unknown'] as const)
      assert.equal(place('gone', false, { use }), 'gone');
    assert.equal(place('gone', false, { use: 'copy' }), 'call');
    for (const name of ['toString', 'constructor', 'a b', '', 'a'.repeat(129)])
      assert.equal(place(name, false), 'call', name);
    // A filtered set is a copy.
    assert.equal(
      place('gone', false, { listed: [...ALL, 'drop'], known: [...ALL, 'drop'] }),
      'call',
    );
  });

  test('without an executor every name is kept', () => {
    assert.equal(place('send', false, { offered: ['send'], owns: [], listed: ['send'] }), 'send');
  });
});
