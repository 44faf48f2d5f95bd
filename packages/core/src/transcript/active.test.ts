import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { simpleTools } from '../../test/conversation.test-support.ts';
import { createToolLayer } from '../session/layer.ts';
import type { ToolLayerOptions } from '../session/options.ts';
import type { Offer } from './active.ts';
import type { TranscriptMessage } from './transcript.ts';

const group = (groupId: string, ...names: string[]) => ({
  groupId,
  toolNames: names,
  loader: async () => simpleTools(...names),
});
const options: ToolLayerOptions = {
  groups: [group('mail', 'send', 'draft', 'sort'), group('files', 'read')],
  strategy: 'dispatch',
};
const names = ['mail__send', 'mail__draft', 'mail__sort', 'files__read', 'load_tools'];
const offer = (...offered: string[]): { offer: Offer } => ({
  offer: { names, offered: new Set(offered), beside: [] },
});
const user: TranscriptMessage = { role: 'user' };
const answer: TranscriptMessage = { role: 'assistant' };

describe('active tools of a session', () => {
  test('promise 49: a host that keeps no notes is told of each change once', () => {
    const session = createToolLayer(options).session();
    const some = offer('mail__send', 'mail__draft', 'load_tools');
    const first = session.present([user], offer(...names));
    const second = session.present([user, answer, user], some);
    const third = session.present([user, answer, user, answer, user], some);
    assert.deepEqual(first.inserts, []);
    assert.equal(second.inserts.length, 1);
    assert.match(second.inserts[0]?.text ?? '', /not be used now: files__read, mail__sort\./);
    assert.deepEqual(third.inserts, second.inserts);
    assert.equal(third.system, first.system);
  });

  test('promise 49: what is frozen with some tools resumes from a state where tools have changed', async () => {
    const some = offer('mail__send', 'load_tools');
    const session = createToolLayer(options).session();
    const { system, note } = session.present([user], some);
    assert.match(system, /mail \(1 tool\)\n {2}send$/);
    const state = JSON.parse(JSON.stringify(session.state()));
    const changed = { ...options, groups: [group('mail', 'send', 'merge')] };
    const messages = [user, { role: 'assistant' as const, notes: note ? [note] : [] }, user];
    for (const later of [
      createToolLayer(changed).session({ state }),
      createToolLayer(options).session(),
    ]) {
      await later.prepare(messages, some);
      assert.equal(later.present(messages, some).system, system);
    }
  });

  test('promise 49: a whole group loaded while some of it was left out is not whole later', async () => {
    const session = createToolLayer(options).session();
    const some = offer('mail__send', 'load_tools');
    const { note } = session.present([user], some);
    const call = { id: 'a', name: 'load_tools', input: { group_id: 'mail' } };
    const route = await session.route(call);
    assert.ok(route.kind === 'answer');
    assert.deepEqual([route.result.tool_names, route.result.remaining], [['send'], 0]);
    const messages: TranscriptMessage[] = [
      user,
      { role: 'assistant', calls: [call], notes: note ? [note] : [] },
      { role: 'tool', results: [{ id: 'a', output: route.result, isError: false }] },
    ];
    session.present(messages, offer(...names));
    assert.deepEqual(session.state().expandedGroups, { mail: ['send'] });
    const again = await session.route({ ...call, id: 'b' });
    assert.ok(again.kind === 'answer');
    assert.deepEqual(again.result.tool_names, ['draft', 'send', 'sort']);
    assert.equal(again.result.remaining, 0);
  });

  test('promise 49: a group that lists no names is out of reach while a tool is left out', async () => {
    const unlisted = { groupId: 'late', loader: async () => simpleTools('go') };
    const layer = createToolLayer({ ...options, groups: [...(options.groups ?? []), unlisted] });
    const session = layer.session();
    const load = { id: 'a', name: 'load_tools', input: { group_id: 'late' } };
    assert.doesNotMatch(session.present([user], offer('mail__send', 'load_tools')).system, /late/);
    const refused = await session.route(load);
    assert.ok(refused.kind === 'answer' && refused.isError);
    session.present([user], offer(...names));
    const loaded = await session.route(load);
    assert.ok(loaded.kind === 'answer' && !loaded.isError);
  });
});
