import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ENDPOINTS } from '@toolfold/ai-sdk/test/endpoints.test-support.ts';
import { DISPATCH } from '@toolfold/ai-sdk/test/scenarios.test-support.ts';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import type { ModelMessage } from 'ai';
import { assertHeld, begin, collect, ended } from '../../test/agent.test-support.ts';
import { callsIn } from '../../test/broken-turns.test-support.ts';
import { repaired } from './repair.ts';

const user = (content: string): ModelMessage => ({ role: 'user', content });
const said = (content: string): ModelMessage => ({ role: 'assistant', content });
const calls = (...ids: string[]): ModelMessage => ({
  role: 'assistant',
  content: ids.map((id) => ({
    type: 'tool-call',
    toolCallId: id,
    toolName: 'github__list_issues',
    input: {},
  })),
});
const results = (...ids: string[]): ModelMessage => ({
  role: 'tool',
  content: ids.map((id) => ({
    type: 'tool-result',
    toolCallId: id,
    toolName: 'github__list_issues',
    output: { type: 'text', value: `result of ${id}` },
  })),
});
const approving = (id: string): ModelMessage => ({
  role: 'assistant',
  content: [
    ...(calls(id).content as []),
    { type: 'tool-approval-request', approvalId: `ask ${id}`, toolCallId: id },
  ],
});
const approved = (id: string): ModelMessage => ({
  role: 'tool',
  content: [{ type: 'tool-approval-response', approvalId: `ask ${id}`, approved: true }],
});
const UNKNOWN = /not in the conversation and its outcome is unknown/;

/** Conversations that every provider refuses, with the expected warning. */
const BROKEN: readonly (readonly [string, readonly ModelMessage[], RegExp])[] = [
  ['an orphan at the start', [results('a'), user('Hi.')], /1 tool result without a call/],
  ['an orphan at the end', [user('Hi.'), said('Yes.'), results('a')], /without a call/],
  [
    'orphans beside a result',
    [user('Hi.'), calls('a'), results('x', 'a', 'y')],
    /2 tool results without a call/,
  ],
  ['a second result', [user('Hi.'), calls('a'), results('a', 'a')], /that already have one/],
  [
    'a second result later',
    [user('Hi.'), calls('a'), results('a'), results('a')],
    /already have one/,
  ],
  [
    'a second result behind more',
    [user('Hi.'), calls('a'), results('a'), said('So.'), user('And?'), results('a')],
    /already have one/,
  ],
  ['no result in the middle', [user('Hi.'), calls('a'), user('And?')], /1 call without a result/],
  ['no result ahead of an answer', [user('Hi.'), calls('a'), said('So.')], /without a result/],
  ['no result at the end', [user('Hi.'), calls('a')], /without a result/],
  ['one result of two', [user('Hi.'), calls('a', 'b'), results('b')], /without a result/],
  [
    'one result of two, and then words',
    [user('Hi.'), calls('a', 'b'), results('b'), user('And?')],
    /1 call without a result/,
  ],
  [
    'a result behind other messages',
    [user('Hi.'), calls('a'), user('And?'), results('a')],
    /1 tool result not directly after the call/,
  ],
  [
    'an id that comes again',
    [user('Hi.'), calls('a'), results('a'), calls('a'), user('And?')],
    /1 call without a result/,
  ],
  ['a call twice', [user('Hi.'), calls('a', 'a'), results('a')], /1 call without a result/],
  [
    'an answer to nothing',
    [user('Hi.'), said('So.'), approved('x')],
    /1 answer to unknown approvals/,
  ],
  [
    'empty messages',
    [user('  '), said(''), user('Hi.'), said('Yes.')],
    /2 messages without content/,
  ],
  [
    'a call that runs and one that waits',
    [
      user('Hi.'),
      {
        ...approving('a'),
        content: [...(calls('b').content as []), ...(approving('a').content as [])],
      } as ModelMessage,
    ],
    /1 call without a result/,
  ],
];

describe('messages that are given', () => {
  for (const [name, messages, remark] of BROKEN)
    test(`${name}: repaired with a warning, and accepted by every endpoint`, async () => {
      for (const endpoint of ENDPOINTS) {
        await using server = await startModelServer({
          script: [{ text: 'Fine.' }, { text: 'Bye.' }],
        });
        const given = JSON.stringify(messages);
        const { talk } = begin(server, { endpoint, agent: { messages } });
        const events = await collect(talk.send('Go on.'));
        assert.equal(ended(events).reason, 'done', JSON.stringify(ended(events).error));
        const warnings = events.flatMap((event) => (event.type === 'warning' ? [event.text] : []));
        assert.equal(warnings.length, 1, warnings.join(' '));
        assert.match(warnings[0] ?? '', remark);
        assert.equal(JSON.stringify(messages), given);
        const again = await collect(talk.send('Bye.'));
        assert.ok(!again.some(({ type }) => type === 'warning'));
        assertHeld(server);
      }
    });

  test('keep known results, and report an unknown outcome for other calls', () => {
    const { messages } = repaired([user('Hi.'), calls('a', 'b'), user('And?'), results('a')]);
    const [a, b] = [...callsIn(messages).values()].map(([result = '']) => result);
    assert.match(a ?? '', /result of a/);
    assert.match(b ?? '', UNKNOWN);
    assert.deepEqual(
      messages.map(({ role }) => role),
      ['user', 'assistant', 'tool', 'user'],
    );
  });

  test('stay unchanged if they are valid', () => {
    const whole = [
      user('Hi.'),
      calls('a', 'b'),
      results('b'),
      results('a'),
      said('So.'),
      calls('c'),
      results('c'),
    ];
    for (const messages of [
      whole,
      [user('Hi.'), approving('a')],
      [user('Hi.'), approving('a'), approved('a')],
    ]) {
      const { messages: kept, remarks } = repaired(messages);
      assert.deepEqual(remarks, []);
      assert.equal(kept.length, messages.length);
      for (const [index, message] of kept.entries()) assert.equal(message, messages[index]);
    }
  });

  test('get an id of their own for each call, and each result and question stays with its call', () => {
    const { messages, remarks } = repaired([
      user('Hi.'),
      calls('a', 'a', ''),
      results('a', 'a', ''),
      approving('a'),
      approved('a'),
    ]);
    assert.deepEqual(remarks, []);
    const ids = (...types: string[]) =>
      messages.map(({ content }) =>
        (typeof content === 'string' ? [] : content).flatMap((part) =>
          types.includes(part.type) && 'toolCallId' in part ? [part.toolCallId] : [],
        ),
      );
    const own = ['a', 'a_2', 'call_1'];
    assert.deepEqual(ids('tool-call', 'tool-result'), [[], own, own, ['a_3'], []]);
    assert.deepEqual(ids('tool-approval-request'), [[], [], [], ['a_3'], []]);
  });

  test('that wait for an approval, or have one, stay open', async () => {
    const script: Reply[] = [
      { calls: [DISPATCH.call('github__list_issues', {})] },
      { text: 'So.' },
    ];
    await using server = await startModelServer({ script });
    const approvals = { mode: 'always' as const };
    const first = begin(server, { agent: { approvals } });
    await collect(first.talk.send('Go.'));
    const [pending] = first.talk.pending;
    assert.ok(pending);
    const { approvalId } = pending;
    const answer: ModelMessage = {
      role: 'tool',
      content: [{ type: 'tool-approval-response', approvalId, approved: true }],
    };
    const messages = [...first.talk.messages, answer];
    const second = begin(server, { agent: { approvals, messages } });
    assert.deepEqual(second.talk.pending, []);
    const events = await collect(second.talk.resume());
    assert.equal(ended(events).reason, 'done', JSON.stringify(ended(events).error));
    assert.equal(second.runs.length, 1);
  });
});
