import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import type { ClientCapabilities, SessionUpdate } from '@agentclientprotocol/sdk';
import type { AgentEvent } from '@toolfold/agent/internal/events/events.ts';
import { kindOf } from './call-cards.ts';
import { SessionUpdates } from './session-updates.ts';

const ALL: ClientCapabilities = { session: { notices: {}, compaction: {} } };
const call = { id: 'c1', name: 'files__read_note' } as const;
const spent = {
  ...{ requests: 1, input: 1, cacheRead: 0, cacheWrite: 0, output: 1 },
  ...{ cost: 0, unpriced: 1, estimated: 0 },
};
const text = (words: string) => ({ type: 'text' as const, text: words });
const content = (words: string) => [{ type: 'content' as const, content: text(words) }];
const notice = (severity: string, title: string) => ({ sessionUpdate: 'notice', severity, title });
const update = (changes: object) => ({
  sessionUpdate: 'tool_call_update',
  toolCallId: 'c1',
  ...changes,
});

type Case<TYPE extends AgentEvent['type']> = readonly [
  event: Omit<Extract<AgentEvent, { type: TYPE }>, 'type'>,
  expected: readonly object[],
];

/** One event of each type, behind a call `c1`, and the updates for an editor that shows everything. */
const CASES: { readonly [TYPE in AgentEvent['type']]: Case<TYPE> } = {
  user: [
    { text: 'Hello' },
    [{ sessionUpdate: 'user_message_chunk', messageId: '1', content: text('Hello') }],
  ],
  text: [
    { text: 'Hi' },
    [{ sessionUpdate: 'agent_message_chunk', messageId: '1', content: text('Hi') }],
  ],
  reasoning: [
    { text: 'Hm' },
    [{ sessionUpdate: 'agent_thought_chunk', messageId: '1', content: text('Hm') }],
  ],
  call: [
    { id: 'c2', name: 'files__write_note', arguments: { path: '/a/b' }, wireName: 'deferred' },
    [
      {
        sessionUpdate: 'tool_call',
        toolCallId: 'c2',
        title: 'files__write_note',
        name: 'files__write_note',
        kind: 'edit',
        rawInput: { path: '/a/b' },
        locations: [{ path: '/a/b' }],
        status: 'pending',
      },
    ],
  ],
  decision: [{ ...call, approved: true }, []],
  'tool-start': [call, [update({ status: 'in_progress' })]],
  'tool-progress': [
    { ...call, progress: 2, total: 5, message: 'copying' },
    [update({ status: 'in_progress', content: content('2 of 5, copying') })],
  ],
  result: [
    { ...call, output: { content: [text('42')] } },
    [
      update({
        status: 'completed',
        content: content('42'),
        rawOutput: { content: [text('42')] },
      }),
    ],
  ],
  failure: [{ ...call, error: 'No.' }, [update({ status: 'failed', content: content('No.') })]],
  discarded: [
    { text: 'Half', calls: [call] },
    [
      update({
        status: 'failed',
        content: content('Withdrawn: the answer broke off, and this call did not run.'),
      }),
      notice(
        'warning',
        'Discarded, because the answer was interrupted: 4 characters of text, 1 call that did not run (files__read_note)',
      ),
    ],
  ],
  usage: [
    { input: 100, cacheRead: 0, cacheWrite: 0, output: 20 },
    [{ sessionUpdate: 'usage_update', used: 120, size: 1000 }],
  ],
  compaction: [
    { cause: 'user', summary: 'In short', before: 900, after: 100 },
    [
      {
        sessionUpdate: 'compaction_update',
        compactionId: 'compaction-1',
        status: 'completed',
        summary: [text('In short')],
      },
    ],
  ],
  subagent: [
    { child: 'x', task: 'a', event: { type: 'call', id: 'c1', name: 't', arguments: {} } },
    [
      {
        sessionUpdate: 'tool_call',
        toolCallId: 'x/c1',
        title: '[a] t',
        name: 't',
        kind: 'other',
        rawInput: {},
        status: 'pending',
      },
    ],
  ],
  'subagent-end': [
    { child: 'x', task: 'a', status: 'timed_out', spent },
    [notice('warning', '[a] timed out: 1 request, 2 tokens')],
  ],
  retry: [{ attempt: 2 }, [notice('info', 'The request is sent again (attempt 2).')]],
  fallback: [
    { from: 'native', to: 'dispatch', reason: 'no' },
    [notice('info', 'The endpoint refused the strategy native. Now dispatch is used: no')],
  ],
  warning: [{ text: 'Mind\nthis' }, [notice('warning', 'Mind this')]],
  rounds: [
    { limit: 5 },
    [
      notice(
        'warning',
        'No rounds of tools are left: the limit is 5 (--max-rounds, or maxRounds in the configuration). The next message begins a new count.',
      ),
    ],
  ],
  end: [
    { reason: 'content-filter', text: '' },
    [notice('warning', "The answer was stopped by the provider's filter.")],
  ],
  approval: [{ ...call, approvalId: 'a', arguments: {}, askedBy: 'setting' }, []],
  start: [{ model: 'a/b', strategy: 'eager', reason: 'few' }, []],
  request: [{ request: 1 } as never, []],
  epoch: [{ strategy: 'eager', reason: 'new' }, []],
  'tools-changed': [{ added: ['a'], removed: [] }, []],
  'prefix-broken': [{ request: 2, segment: { index: 0, kind: 'tools' }, cause: 'x' }, []],
  preload: [{ tools: ['a'] }, []],
  load: [{ group: 'g', tools: ['a'] }, []],
  'call-delta': [{ id: 'c1', text: '{' }, []],
  elicitation: [{ ...call, elicitationId: 'e', server: 's', message: 'm', fields: [] }, []],
  'elicitation-answered': [{ ...call, elicitationId: 'e', action: 'cancel' }, []],
  'tool-log': [{ ...call, server: 's', level: 'error', text: 'x' }, []],
};

function updatesOf(
  event: AgentEvent,
  capabilities: ClientCapabilities = ALL,
  window: number | undefined = 1000,
): SessionUpdate[] {
  const updates = new SessionUpdates(capabilities, () => window);
  updates.of({ type: 'call', ...call, arguments: {} });
  return updates.of(event);
}

describe('updates for each type of event', () => {
  for (const [type, [event, expected]] of Object.entries(CASES))
    test(type, () => {
      assert.deepEqual(updatesOf({ type, ...event } as AgentEvent), expected);
    });

  test('the table has each type that the agent has', () => {
    const file = new URL('../../../agent/src/events/events.ts', import.meta.url);
    const [, source = ''] = readFileSync(file, 'utf8').split('export type AgentEvent =');
    const types = [...source.matchAll(/readonly type: '([a-z-]+)'/g)].map(([, type]) => type);
    assert.deepEqual([...new Set(types)].toSorted(), Object.keys(CASES).toSorted());
  });

  test('an editor without features gets neither notices nor compactions', () => {
    for (const [type, [event]] of Object.entries(CASES)) {
      const kinds = updatesOf({ type, ...event } as AgentEvent, {}).map(
        ({ sessionUpdate }) => sessionUpdate,
      );
      assert.ok(!kinds.some((kind) => kind === 'notice' || kind === 'compaction_update'), type);
    }
    const [event] = CASES.compaction;
    const [said] = updatesOf({ type: 'compaction', ...event }, {});
    assert.equal(said?.sessionUpdate, 'agent_message_chunk');
  });

  test('usage of others is left out, and an unknown window has the size 0', () => {
    const usage = { type: 'usage' as const, ...CASES.usage[0] };
    const updates = new SessionUpdates(ALL, () => undefined);
    const unknown = { sessionUpdate: 'usage_update', used: 120, size: 0 };
    assert.deepEqual(updates.of(usage), [unknown]);
    assert.deepEqual(updatesOf({ ...usage, kind: 'sampling' }), []);
    assert.deepEqual(updatesOf({ type: 'subagent', child: 'x', task: 'a', event: usage }), []);
  });
});

describe('messages and calls', () => {
  const idsOf = (updates: SessionUpdates, events: readonly AgentEvent[]) =>
    events
      .flatMap((event) => updates.of(event))
      .map((one) => ('messageId' in one ? one.messageId : undefined));

  test('a text of another kind, request or turn is another message', () => {
    const said = (words: string, step: number, turn = 1) =>
      ({ type: 'text', text: words, turn, step }) as AgentEvent;
    const ids = idsOf(new SessionUpdates({}, () => undefined), [
      said('a', 1),
      said('b', 1),
      { type: 'warning', text: 'not between' },
      said('c', 1),
      said('d', 2),
      { type: 'end', reason: 'done', text: '' },
      said('e', 2),
      said('f', 2, 2),
    ]);
    assert.deepEqual(ids, ['1', '1', '1', '2', '3', '4']);
  });

  test('a call whose id is used again is another card', () => {
    const updates = new SessionUpdates({}, () => undefined);
    const begin: AgentEvent = { type: 'call', ...call, arguments: {} };
    const end: AgentEvent = { type: 'failure', ...call, error: 'No.' };
    const seen = [begin, begin, end, end, begin, end].flatMap((event) =>
      updates.of(event).map((one) => [one.sessionUpdate, 'toolCallId' in one && one.toolCallId]),
    );
    assert.deepEqual(seen, [
      ['tool_call', 'c1'],
      ['tool_call_update', 'c1'],
      ['tool_call_update', 'c1'],
      ['tool_call', 'c1~2'],
      ['tool_call_update', 'c1~2'],
    ]);
  });

  test('a result that says that the tool has failed is a failed call', () => {
    const output = { isError: true, content: [text('No.')] };
    assert.deepEqual(updatesOf({ type: 'result', ...call, output }), [
      update({ status: 'failed', content: content('No.'), rawOutput: output }),
    ]);
  });

  test('content is bounded, whatever a tool returns', () => {
    let deep: unknown = 1;
    for (let level = 0; level < 100_000; level++) deep = [deep];
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    const large = 'x'.repeat(1_000_000);
    const image = { type: 'image', data: large.slice(0, 10), mimeType: 'image/png' };
    const outputs: unknown[] = [
      ...[large, { large }, deep, circle, 1n, undefined, null, () => 1],
      { content: Array.from({ length: 50 }, () => image) },
      { content: [{ type: 'image', data: `${large}${large}`, mimeType: 'image/png' }] },
      { content: [{ type: 'resource', resource: { uri: 'a:b', text: large } }] },
      { content: [{ type: 'resource_link', uri: 'a:b', name: 'x' }, { type: 'odd' }] },
    ];
    for (const [index, output] of outputs.entries()) {
      const all = [
        ...updatesOf({ type: 'result', ...call, output }),
        ...updatesOf({ type: 'call', id: 'c3', name: 'n', arguments: output }),
      ];
      assert.equal(all.length, 2);
      assert.ok(JSON.stringify(all).length < 80_000, `${index}`);
    }
  });

  test('kinds by name', () => {
    const kinds = [
      ...['files__read_file', 'getIssue', 'grep', 'notes__createNote', 'rm', 'shell__run'],
      ...['web__fetch_page', 'think', 'subagents', 'x__', '___'],
    ].map(kindOf);
    assert.deepEqual(kinds, [
      ...['read', 'read', 'search', 'edit', 'delete', 'execute'],
      ...['fetch', 'think', 'other', 'other', 'other'],
    ]);
  });
});

describe('a call that changes a file', () => {
  const path = '/x/a.ts';
  const edits = [
    { oldText: 'one', newText: 'two' },
    { oldText: 'three', newText: '' },
  ];
  const diff = (oldText: string, newText: string) => ({ type: 'diff', path, oldText, newText });
  const diffs = edits.map(({ oldText, newText }) => diff(oldText, newText));
  const given = (name: string, values: object) =>
    ({ type: 'call', id: 'c1', name, arguments: values }) as const;
  const result = (output: unknown) =>
    ({ type: 'result', id: 'c1', name: 'fs__edit_file', output }) as AgentEvent;
  const contentsOf = (...events: readonly AgentEvent[]) => {
    const updates = new SessionUpdates(ALL, () => undefined);
    const sent = events.flatMap((event) => updates.of(event));
    return sent.map((one) => ('content' in one ? one.content : undefined));
  };

  test('is shown as diffs, which stay with its result', () => {
    const edit = given('fs__edit_file', { path, edits });
    assert.deepEqual(contentsOf(edit, result('Done.')), [diffs, [...diffs, ...content('Done.')]]);
    // The server's own diff says the same.
    assert.deepEqual(contentsOf(edit, result('```diff\n-one\n+two\n```')), [diffs, diffs]);
  });

  test('has no diff where the file before is not known, and none that the protocol cannot show', () => {
    for (const call of [
      given('fs__write_file', { path, content: 'all' }),
      given('fs__edit_file', { path: 'a.ts', edits }),
      given('fs__edit_file', { path, edits: Array(51).fill(edits[0]) }),
      given('fs__edit_file', { path, edits: [{ oldText: 'x'.repeat(100_001), newText: '' }] }),
      given('edit_file', { path, edits }),
      given('fs__edit_file', { path, edits: 'all' }),
    ])
      assert.deepEqual(contentsOf(call), [undefined]);
  });

  test('has the whole file once the user was asked about it', () => {
    const updates = new SessionUpdates(ALL, () => undefined);
    updates.of(given('fs__write_file', { path, content: 'new' }));
    updates.cards.learn('c1', { path, isWhole: true, parts: [{ before: 'old', after: 'new' }] });
    const [last] = updates.of(result('Done.'));
    assert.deepEqual(last && 'content' in last && last.content, [
      diff('old', 'new'),
      ...content('Done.'),
    ]);
  });
});
