import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { readMessages, writtenCall } from '../../src/messages/transcript.ts';
import type { LanguageModelV4Prompt } from '../../src/protocol/language-model.ts';
import { wirePrompt } from '../../src/request/wire-prompt.ts';

type Prompt = LanguageModelV4Prompt;

/** A turn with one call, as the SDK keeps it: the input and the result by themselves, the call in a stamp. */
function talk(written = '{"tool_name":"a__b","arguments":{"text":"one"}}') {
  const input: Record<string, unknown> = { text: 'one' };
  const stamp: Record<string, unknown> = { n: 'deferred_tool_call', r: written, o: 0 };
  const marks = { n: 'deferred_tool_call', r: written, o: 0, q: [['text', 'id']] };
  const value: Record<string, unknown> = { text: 'An item.', id: 1 };
  const call = { type: 'tool-call' as const, toolCallId: 'c1', toolName: 'a__b' };
  const result = { type: 'tool-result' as const, toolCallId: 'c1', toolName: 'a__b' };
  /** The SDK makes new messages and parts for each request. What they hold stays the same. */
  const prompt = (): Prompt => [
    { role: 'user', content: [{ type: 'text', text: 'Go.' }] },
    {
      role: 'assistant',
      content: [{ ...call, input, providerOptions: { toolfold: stamp as never } }],
    },
    {
      role: 'tool',
      content: [
        {
          ...result,
          output: { type: 'json', value: value as never },
          providerOptions: { toolfold: marks as never },
        },
      ],
    },
  ];
  return { prompt, input, stamp, value };
}

function wire(prompt: Prompt, providerTools: readonly string[] = []): string {
  const options = {
    system: '',
    inserts: [],
    viewOf: () => undefined,
    rules: undefined,
    placing: undefined,
  };
  return JSON.stringify(
    wirePrompt(readMessages(prompt), { ...options, providerTools: new Set(providerTools) }).wire,
  );
}

const throughJson = (prompt: Prompt): Prompt => JSON.parse(JSON.stringify(prompt));

describe('forms that are kept with the parts of messages', () => {
  test('have the bytes of messages that were read for the first time', () => {
    const { prompt } = talk();
    const first = wire(prompt());
    assert.equal(wire(prompt()), first);
    assert.equal(wire(throughJson(prompt())), first);
  });

  test('a tool or an app that changes the input in place changes nothing that is sent', () => {
    const { prompt, input } = talk();
    const first = wire(prompt());
    input.text = 'two';
    assert.equal(wire(prompt()), first);
    assert.equal(wire(throughJson(prompt())), first);
  });

  test('a stamp that is changed in place is read again', () => {
    const { prompt, stamp } = talk();
    wire(prompt());
    stamp.r = '{"tool_name":"a__b","arguments":{"text":"two"}}';
    stamp.n = 'call_tool';
    assert.equal(wire(prompt()), wire(throughJson(prompt())));
    assert.match(wire(prompt()), /"two".*call_tool|call_tool.*"two"/);
    stamp.n = 'not a name';
    assert.equal(wire(prompt()), wire(throughJson(prompt())));
    assert.equal(writtenCall({ toolfold: stamp }), undefined);
  });

  test('a refusal that is taken from a stamp is no longer sent', () => {
    const { prompt, stamp } = talk();
    stamp.e = '{"error":"denied"}';
    stamp.c = 'a__b other';
    const before = wire(prompt());
    delete stamp.e;
    delete stamp.c;
    assert.equal(wire(prompt()), wire(throughJson(prompt())));
    assert.equal(before, wire(prompt()));
  });

  test('a result that an app changes in place is sent as it is then', () => {
    const { prompt, value } = talk();
    wire(prompt());
    value.text = '[left out]';
    assert.match(wire(prompt()), /\[left out\]/);
    assert.equal(wire(prompt()), wire(throughJson(prompt())));
  });

  test('a result whose keys a store has sorted gets their order back, each time', () => {
    const { prompt } = talk();
    const first = wire(prompt());
    const sorted = throughJson(prompt());
    const [part] = (sorted[2] as Extract<Prompt[number], { role: 'tool' }>).content;
    assert.ok(part?.type === 'tool-result');
    part.output = { type: 'json', value: { id: 1, text: 'An item.' } };
    assert.equal(wire(sorted), first);
    assert.equal(wire(sorted), first);
  });

  test('lone surrogates are replaced in every request', () => {
    const { prompt } = talk('{"tool_name":"a__b","arguments":{"text":"\ud800"}}');
    assert.doesNotMatch(wire(prompt()), /ud800/);
    assert.equal(wire(prompt()), wire(throughJson(prompt())));
  });

  test('the same message in two conversations and in two forks', () => {
    const { prompt } = talk();
    const other = talk('{"tool_name":"c__d","arguments":{}}');
    const mixed = [...prompt(), ...other.prompt()];
    assert.equal(wire(mixed), wire(throughJson(mixed)));
    const forked = [...prompt(), { role: 'user' as const, content: [] }];
    assert.equal(wire(forked), wire(throughJson(forked)));
    assert.equal(wire(mixed), wire(throughJson(mixed)));
  });

  test("a call that is a provider's own tool in one fold only", () => {
    const { prompt } = talk('"a text"');
    const own = ['deferred_tool_call'];
    const [asFunction, asProviders] = [wire(prompt()), wire(prompt(), own)];
    assert.notEqual(asFunction, asProviders);
    assert.equal(wire(prompt()), asFunction);
    assert.equal(wire(throughJson(prompt()), own), asProviders);
  });

  test('are gone with the messages', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const kept = (() => {
      const { prompt, stamp } = talk();
      wire(prompt());
      return new WeakRef(writtenCall({ toolfold: stamp }) ?? assert.fail());
    })();
    // A reference is alive until its task ends.
    await new Promise((resolve) => setImmediate(resolve));
    collect();
    assert.equal(kept.deref(), undefined);
  });
});
