import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApprovalRequest } from '@toolfold/agent/internal/events/user-requests.ts';
import { createAsker } from '../questions/asker.ts';
import { EditorQuestions } from './editor-questions.ts';
import { type EditorClient, EditorOutlet } from './outlet.ts';

const call = { id: 'c', name: 'mail__send', arguments: {} };
const CASES: readonly (readonly [ApprovalRequest, readonly string[]])[] = [
  [{ ...call, askedBy: 'setting' }, ['once', 'session', 'reject']],
  [{ ...call, askedBy: 'hook', askKey: 'k' }, ['once', 'session', 'reject']],
  [{ ...call, askedBy: 'hook' }, ['once', 'reject']],
];

test('promise 64: an editor offers the scopes that hold, and no other one is accepted', async () => {
  for (const [request, expected] of CASES)
    for (const chosen of ['once', 'session', 'always', 'reject']) {
      let offered: readonly string[] = [];
      let kinds: readonly string[] = [];
      const client: EditorClient = {
        capabilities: {},
        update: async () => {},
        elicit: () => assert.fail('an approval is no form'),
        async askPermission({ options }) {
          offered = options.map(({ optionId }) => optionId);
          kinds = options.map(({ kind }) => kind);
          return { outcome: { outcome: 'selected', optionId: chosen } };
        },
      };
      const { ask } = new EditorQuestions({
        ...{ id: 'session', client, outlet: new EditorOutlet('session', client, () => undefined) },
        ...{ caughtUp: async () => {}, cancel: () => {}, view: async () => ({ turns: [] }) },
      });
      const { signal } = new AbortController();
      const { approve } = createAsker({ ask, note: () => {}, signal });
      const { approved, scope } = await approve(request);
      assert.deepEqual(offered, expected);
      assert.equal(new Set(kinds).size, kinds.length);
      const isApproved = chosen !== 'reject' && expected.includes(chosen);
      assert.deepEqual([approved, scope], [isApproved, isApproved ? chosen : undefined]);
    }
});

test('the card of a cancelled question about a subagent is not that of its next question', async () => {
  const shown: string[] = [];
  const stop = new AbortController();
  let asked = 0;
  const client: EditorClient = {
    capabilities: {},
    async update(_, update) {
      if (update.sessionUpdate === 'tool_call') shown.push(update.toolCallId);
    },
    elicit: () => assert.fail('an approval is no form'),
    async askPermission(_, signal) {
      asked += 1;
      if (asked > 1) return { outcome: { outcome: 'selected', optionId: 'once' } };
      stop.abort(new Error('cancelled'));
      throw signal.reason;
    },
  };
  const { ask } = new EditorQuestions({
    ...{ id: 'session', client, outlet: new EditorOutlet('session', client, () => undefined) },
    ...{ caughtUp: async () => {}, cancel: () => {}, view: async () => ({ turns: [] }) },
  });
  const { signal } = new AbortController();
  const { approve } = createAsker({ ask, note: () => {}, signal });
  const request = { ...call, subagent: 't1', askedBy: 'setting' } as const;
  await approve({ ...request, id: 'a', signal: stop.signal }).catch(() => {});
  assert.equal((await approve({ ...request, id: 'b' })).approved, true);
  assert.deepEqual(shown, ['a', 'b']);
});

test('promise 64: Markdown hides no part of the arguments in a question', async () => {
  const to = 'Ada <!-- and Eve --> [x](y) ```` b';
  let text = '';
  const client: EditorClient = {
    capabilities: {},
    update: async () => {},
    elicit: () => assert.fail('an approval is no form'),
    async askPermission({ toolCall }) {
      const [shown] = toolCall.content ?? [];
      if (shown?.type === 'content' && shown.content.type === 'text') text = shown.content.text;
      return { outcome: { outcome: 'selected', optionId: 'reject' } };
    },
  };
  const { ask } = new EditorQuestions({
    ...{ id: 'session', client, outlet: new EditorOutlet('session', client, () => undefined) },
    ...{ caughtUp: async () => {}, cancel: () => {}, view: async () => ({ turns: [] }) },
  });
  const { approve } = createAsker({ ask, note: () => {}, signal: new AbortController().signal });
  await approve({ ...call, arguments: { to }, askedBy: 'setting' });
  assert.equal(text, `\`\`\`\`\`{"to":"${to}"}\`\`\`\`\`\n\nIt needs your approval.`);
});

test('for a read, "this session" is for the reads of its server, which are listed; a write has no such option', async () => {
  const names = ['git__git_diff', 'git__git_log', 'git__git_reset', 'git__git_show'];
  const addressOf = (name: string) => ({ name, bare: name.slice(5), groupId: 'mcp:git' });
  const tools = {
    addressOf,
    fingerprintOf: (name: string) => `f-${name}`,
    known: () => ({ tools: names.map(addressOf), unnamed: [] }),
  };
  const marksOf = (name: string) => ({ readOnlyHint: name !== 'git__git_reset' });
  let offered: readonly { readonly optionId: string; readonly name: string }[] = [];
  let text = '';
  const client: EditorClient = {
    capabilities: {},
    update: async () => {},
    elicit: () => assert.fail('an approval is no form'),
    async askPermission({ options, toolCall }) {
      offered = options;
      const kinds = options.map(({ kind }) => kind);
      assert.deepEqual(kinds, ['allow_once', 'allow_always', 'reject_once']);
      const [shown] = toolCall.content ?? [];
      if (shown?.type === 'content' && shown.content.type === 'text') text = shown.content.text;
      return { outcome: { outcome: 'selected', optionId: options[1]?.optionId ?? '' } };
    },
  };
  const { ask } = new EditorQuestions({
    ...{ id: 'session', client, outlet: new EditorOutlet('session', client, () => undefined) },
    ...{ caughtUp: async () => {}, cancel: () => {}, view: async () => ({ turns: [] }) },
  });
  const { signal } = new AbortController();
  const { approve } = createAsker({ ask, note: () => {}, signal, marksOf, tools: () => tools });
  const request = { ...call, askedBy: 'setting' } as const;
  const reads = names.filter((name) => name !== 'git__git_reset');
  const answer = await approve({ ...request, name: 'git__git_log' });
  const listed = Object.fromEntries(reads.map((name) => [name, `f-${name}`]));
  assert.deepEqual(answer, { approved: true, tools: listed });
  assert.match(
    offered[1]?.name ?? '',
    /^Allow 3 reads of git: git__git_diff, .* \(this session\)$/,
  );
  assert.ok(text.includes(reads.join(', ')));
  assert.deepEqual(await approve({ ...request, name: 'git__git_reset' }), {
    approved: true,
    scope: 'session',
  });
  assert.equal(offered[1]?.name, 'Allow git__git_reset for this session');
});
