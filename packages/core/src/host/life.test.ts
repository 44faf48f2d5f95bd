import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Made, Stand } from '../../test/host/life.test-support.ts';

const allow = () => undefined;
const deny = () => ({ deny: 'No more.' });
const ask = () => ({ ask: true });
const user = { type: 'user-approval' } as const;
const nothing = { type: 'not-applicable' } as const;

/** The approved call in a new conversation object, as after a resume. */
const resumed = (call: Made, stand: Stand): Made => ({
  ...call,
  metadata: undefined,
  conversation: {},
  approval: stand.approval(call.input),
});

describe('the life of a call', () => {
  describe('a tool that has changed', () => {
    test('promise 51: since the arrival of the call: the call is decided again, and the new tool runs', async () => {
      const stand = await new Stand({ verdict: allow }).load();
      const call = await stand.arrive();
      await stand.change();
      await stand.approve(call);
      assert.equal(stand.consulted.length, 2);
      const ticket = await stand.admit(call);
      assert.ok(ticket.kind === 'permit');
      assert.equal(ticket.resolved.tool?.tool.description, 'Send, and tell everybody.');
      assert.equal(stand.consulted.length, 2);
    });

    test('promise 51: since approval: the call is decided again before it runs', async () => {
      for (const verdict of [deny, ask]) {
        const stand = await new Stand({ verdict: allow }).load();
        const call = await stand.arrive();
        assert.equal((await stand.approve(call)).type, 'not-applicable');
        await stand.change();
        stand.verdict = verdict;
        assert.equal(stand.life.ready(stand.call(call)), undefined);
        assert.equal((await stand.admit(call)).kind, 'withheld');
        assert.equal(stand.consulted.length, 2);
      }
    });

    test('promise 51: since approval: the setting is asked again', async () => {
      for (const setting of [{ type: 'denied' }, user] as const) {
        const stand = await new Stand({ verdict: allow }).load();
        const call = await stand.arrive();
        await stand.approve(call);
        await stand.change();
        stand.setting = setting;
        assert.equal((await stand.admit(call)).kind, 'withheld');
      }
    });

    test('promise 50: since the question to the user: the approval does not hold', async () => {
      for (const verdict of [allow, ask]) {
        const stand = await new Stand({ verdict, setting: user }).load();
        const call = await stand.arrive();
        assert.equal((await stand.approve(call)).type, 'user-approval');
        const answered = resumed(call, stand);
        await stand.change();
        assert.equal((await stand.approve(answered)).type, 'not-applicable');
        const ticket = await stand.admit(answered);
        assert.ok(ticket.kind === 'withheld');
        assert.match(String(ticket.refusal.result.message), /changed since the user was asked/);
        // If the host does not ask for approval, `admit` finds the change.
        assert.equal((await stand.admit(resumed(answered, stand))).kind, 'withheld');
        assert.equal((await stand.admit({ ...answered, conversation: {} })).kind, 'withheld');
      }
    });

    test('promise 51: since arrival, an approved call is decided again', async () => {
      for (const metadata of [undefined, {}]) {
        const stand = await new Stand({ verdict: allow, setting: nothing }).load();
        const call = await stand.arrive();
        stand.verdict = deny;
        const answered = { ...resumed(call, stand), metadata: metadata ?? call.metadata };
        assert.equal((await stand.admit(answered)).kind, 'withheld');
      }
    });

    test('promise 50: between approval and execution: the approval does not hold', async () => {
      const stand = await new Stand({ verdict: allow, setting: user }).load();
      const call = await stand.arrive();
      await stand.approve(call);
      const answered = resumed(call, stand);
      await stand.approve(answered);
      await stand.change();
      assert.equal(stand.life.ready(stand.call(answered)), undefined);
      assert.equal((await stand.admit(answered)).kind, 'withheld');
    });

    test('promise 50: a tool that had not loaded is compared by the data of its group', async () => {
      const stand = new Stand({ verdict: allow, setting: user });
      const call = await stand.arrive();
      assert.equal((await stand.approve(call)).type, 'user-approval');
      const answered = resumed(call, stand);
      const same = new Stand({ verdict: allow, setting: user, beside: stand });
      await same.approve(answered);
      assert.equal((await same.admit(answered)).kind, 'permit');
      stand.layer.update([stand.group('Send, and tell everybody.')]);
      const other = new Stand({ verdict: allow, setting: user, beside: stand });
      await other.approve(answered);
      assert.equal((await other.admit(answered)).kind, 'withheld');
    });
  });

  describe('an approval of the user', () => {
    test('promise 50: holds for the input that the user was asked about', async () => {
      const stand = await new Stand({ setting: user }).load();
      const call = await stand.arrive();
      await stand.approve(call);
      const answered = resumed(call, stand);
      const other = { ...answered, input: { text: 'b' } };
      await stand.approve(other);
      const ticket = await stand.admit(other);
      assert.ok(ticket.kind === 'withheld');
      assert.match(
        String(ticket.refusal.result.message),
        /arguments differ from those that the user was asked/,
      );
      assert.equal((await stand.approve(answered)).type, 'not-applicable');
      assert.equal((await stand.admit(answered)).kind, 'permit');
    });

    test('promise 52: without binding and digest holds only if this process remembers the question', async () => {
      const says = { binding: undefined, digests: {}, wireName: undefined };
      const stand = await new Stand({ setting: user }).load();
      const call = await stand.arrive();
      await stand.approve(call);
      const answered = { ...resumed(call, stand), approval: says };
      await stand.approve(answered);
      assert.equal((await stand.admit(answered)).kind, 'permit');
      const elsewhere = new Stand({ setting: user, beside: stand });
      await elsewhere.approve(answered);
      assert.equal((await elsewhere.admit(answered)).kind, 'withheld');
      await stand.forgetQuestions();
      await stand.approve(answered);
      assert.equal((await stand.admit(answered)).kind, 'withheld');
    });

    test('promise 52: the memory of this process has precedence over the messages', async () => {
      const stand = await new Stand({ setting: user }).load();
      const call = await stand.arrive();
      await stand.approve(call);
      await stand.change();
      // The stamp was edited: it has the present binding of the tool.
      const edited = resumed(call, stand);
      await stand.approve(edited);
      assert.equal((await stand.admit(edited)).kind, 'withheld');
      assert.equal((await stand.admit(edited)).kind, 'withheld');
    });

    test('promise 51: does not replace the hooks: they are asked again when the call is resumed', async () => {
      const stand = await new Stand({ verdict: ask }).load();
      const call = await stand.arrive();
      await stand.approve(call);
      const answered = resumed(call, stand);
      stand.verdict = deny;
      // The hooks are asked where the tool is about to run.
      assert.equal((await stand.approve(answered)).type, 'not-applicable');
      assert.equal((await stand.admit(answered)).kind, 'withheld');
      stand.verdict = () => ({ arguments: { text: 'b' } });
      assert.equal((await stand.approve(answered)).type, 'not-applicable');
      assert.equal((await stand.admit(answered)).kind, 'withheld');
    });

    test('promise 66: is not asked for, if a hook has just changed what was shown', async () => {
      const stand = await new Stand({ verdict: allow, setting: user }).load();
      stand.verdict = () => ({ arguments: { text: 'b' } });
      assert.equal((await stand.approve()).type, 'not-applicable');
      const ticket = await stand.admit();
      assert.ok(ticket.kind === 'withheld');
      assert.match(String(ticket.refusal.result.message), /arguments differ/);
    });

    test('promise 50: does not hold if the schema makes other arguments of the same input', async () => {
      let suffix = '1';
      const reading = ({ text }: { readonly text: string }) => ({ text: `${text}${suffix}` });
      for (const approval of [undefined, {}]) {
        suffix = '1';
        const stand = await new Stand({ setting: user, reading }).load();
        const call = await stand.arrive();
        assert.equal((await stand.approve(call)).type, 'user-approval');
        const answered = resumed(call, stand);
        suffix = '2';
        // Only this process knows what the user was asked about.
        const says = approval ? { ...stand.approval(), digests: {} } : stand.approval();
        await stand.approve({ ...answered, approval: says });
        assert.equal((await stand.admit({ ...answered, approval: says })).kind, 'withheld');
      }
    });

    test('promise 51: does not count for a call of the model, even if it equals the approved one', async () => {
      const stand = await new Stand({ setting: user }).load();
      for (const input of [{ text: 'a' }, 'a']) {
        const call = await stand.arrive({ input });
        const forged = { ...call, approval: stand.approval(input) };
        const { type } = await stand.approve(forged);
        assert.ok(type === 'user-approval' || input === 'a', type);
        assert.equal((await stand.admit(forged)).kind, 'withheld');
      }
    });

    test('promise 51: revokes earlier permits of the same call', async () => {
      const stand = await new Stand({ verdict: allow }).load();
      const call = await stand.arrive();
      await stand.approve(call);
      stand.verdict = deny;
      const answered = { ...call, approval: stand.approval() };
      await stand.approve(answered);
      assert.equal((await stand.admit(answered)).kind, 'withheld');
    });

    test('promise 50: without a binding holds only if this process remembers the question', async () => {
      const stand = await new Stand({ setting: user }).load();
      const answered = { approval: { ...stand.approval(), binding: undefined } };
      await stand.approve(answered);
      const ticket = await stand.admit(answered);
      assert.ok(ticket.kind === 'withheld');
      assert.match(String(ticket.refusal.result.message), /changed since the user was asked/);
    });

    test('promise 50: for a tool that the host runs itself, a mismatch is denied before the host runs the tool', async () => {
      const stand = await new Stand({ setting: user }).load();
      for (const approval of [stand.approval({ text: 'b' }), stand.approval({ text: 'a' }, 'd0')]) {
        const found = await stand.approve({ isForeign: true, approval });
        assert.equal(found.type, 'denied');
      }
    });

    test('has no binding with the off switch', async () => {
      const stand = await new Stand({ setting: user, isOff: true }).load();
      const answered = { approval: { binding: undefined, digests: {}, wireName: undefined } };
      await stand.approve(answered);
      assert.equal((await stand.admit(answered)).kind, 'permit');
    });
  });

  describe('a call that changes between arrival and execution', () => {
    test('promise 51: a repaired call without metadata has been asked about, too', async () => {
      const stand = await new Stand({ verdict: allow, setting: nothing }).load();
      stand.toolSetting = user;
      await stand.arrive({ metadata: undefined });
      const repaired = { metadata: undefined, input: { text: 'b' } };
      assert.equal((await stand.approve(repaired)).type, 'user-approval');
      assert.equal((await stand.admit(repaired)).kind, 'withheld');
    });

    test('promise 51: a call under another name is decided again', async () => {
      const stand = await new Stand({ verdict: allow, setting: nothing }).load();
      const call = { ...(await stand.arrive()), name: 'mail__other' };
      await stand.approve(call);
      assert.equal((await stand.admit({ ...call, metadata: undefined })).kind, 'withheld');
    });

    test('promise 51: a call that is brought twice is decided twice', async () => {
      const stand = await new Stand({ verdict: allow, setting: nothing }).load();
      const call = await stand.arrive();
      await stand.approve(call);
      stand.setting = { type: 'denied' };
      assert.equal((await stand.approve(call)).type, 'denied');
      assert.equal((await stand.admit({ ...call, metadata: undefined })).kind, 'withheld');
    });

    test('promise 51: an input that the setting edits does not run', async () => {
      const stand = await new Stand({ verdict: allow }).load();
      const call = stand.call({ input: { text: 'a' } });
      const edit = async () => {
        Object.assign(call.input as object, { text: 'evil' });
        return nothing;
      };
      assert.equal((await stand.life.approve(call, edit)).type, 'not-applicable');
      const { refused } = await stand.life.admit(call, async () => nothing);
      assert.match(String(refused?.refusal.result.message), /was changed before the tool ran/);
    });

    test('promise 51: a repaired call is decided by its new input', async () => {
      for (const verdict of [deny, ask]) {
        const stand = await new Stand({ verdict: allow }).load();
        const call = { ...(await stand.arrive()), input: { text: 'b' } };
        stand.verdict = verdict;
        const approval = await stand.approve(call);
        assert.equal(approval.type, verdict === deny ? 'denied' : 'user-approval');
        assert.deepEqual(stand.consulted, [{ text: 'a' }, { text: 'b' }]);
        assert.equal((await stand.admit(call)).kind, 'withheld');
      }
    });

    test('promise 51: a call that was denied on arrival stays denied with any input', async () => {
      const stand = await new Stand({ verdict: deny }).load();
      const call = { ...(await stand.arrive()), input: { text: 'b' } };
      stand.verdict = allow;
      assert.equal((await stand.approve(call)).type, 'denied');
      const unasked = await stand.arriveUnasked({ id: 'c2' });
      assert.equal((await stand.admit({ ...unasked, metadata: undefined })).kind, 'withheld');
      assert.deepEqual(stand.consulted, [{ text: 'a' }]);
    });

    test('promise 51: if a hook asked on arrival, the user is asked about the changed call', async () => {
      const stand = await new Stand({ verdict: ask }).load();
      const call = { ...(await stand.arrive()), input: { text: 'b' } };
      stand.verdict = allow;
      assert.equal((await stand.approve(call)).type, 'user-approval');
    });

    test('promise 51: changed arguments are refused if the host runs the tool itself', async () => {
      const stand = await new Stand({ verdict: () => ({ arguments: { text: 'b' } }) }).load();
      const call = { isForeign: true };
      assert.equal((await stand.approve(call)).type, 'denied');
      assert.equal((await stand.admit(call)).kind, 'withheld');
    });

    test('promise 51: a call that a hook both asks about and changes is refused', async () => {
      const stand = await new Stand({
        verdict: () => ({ ask: true, arguments: { text: 'b' } }),
      }).load();
      // The user is never asked about arguments that differ from those that would run.
      assert.equal((await stand.approve()).type, 'not-applicable');
      assert.equal((await stand.admit()).kind, 'withheld');
    });

    test('promise 51: under another name, it is a call of another tool', async () => {
      const stand = await new Stand({ verdict: allow }).load();
      const call = { ...(await stand.arrive()), name: 'mail__drop' };
      await stand.approve(call);
      assert.equal((await stand.admit(call)).kind, 'withheld');
    });

    test('an invalid input is refused, with or without approval', async () => {
      const stand = await new Stand({ verdict: allow }).load();
      for (const input of [{}, { text: 1 }, null, 'text']) {
        await stand.approve({ input });
        assert.equal((await stand.admit({ input })).kind, 'withheld');
        assert.equal((await stand.admit({ input, conversation: {} })).kind, 'withheld');
      }
      assert.deepEqual(stand.consulted, []);
    });
  });

  describe('a tool that has not loaded', () => {
    const shout = ({ text }: { readonly text: string }) => ({ text: text.toUpperCase() });

    test('promise 51: is decided again if its schema changes the input', async () => {
      const stand = new Stand({ verdict: allow, reading: shout });
      const call = await stand.arrive();
      await stand.approve(call);
      const ticket = await stand.admit(call);
      assert.ok(ticket.kind === 'permit');
      assert.deepEqual(ticket.resolved.final, { text: 'A' });
      assert.deepEqual(stand.consulted, [{ text: 'a' }, { text: 'A' }]);
    });

    test('is decided once if its schema does not change the input', async () => {
      const stand = new Stand({ verdict: allow });
      const call = await stand.arrive();
      await stand.approve(call);
      assert.equal(stand.life.ready(stand.call(call)), undefined);
      assert.equal((await stand.admit(call)).kind, 'permit');
      assert.deepEqual(stand.consulted, [{ text: 'a' }]);
    });

    test('promise 51: does not run if the decision after loading is a denial or a question', async () => {
      const loud = (verdict: object) => (call: { arguments: object }) =>
        JSON.stringify(call.arguments).includes('A') ? verdict : undefined;
      for (const verdict of [{ deny: 'Too loud.' }, { ask: true }]) {
        for (const points of ['arrive', 'approve', 'admit']) {
          const stand = new Stand({ verdict: loud(verdict), reading: shout });
          const call = points === 'arrive' ? await stand.arrive() : {};
          if (points !== 'admit') await stand.approve(call);
          assert.equal((await stand.admit(call)).kind, 'withheld');
        }
      }
    });

    test('promise 51: is refused if its own setting, known after loading, requires approval', async () => {
      for (const isApproved of [true, false]) {
        const stand = new Stand({ verdict: allow });
        stand.toolSetting = user;
        const call = isApproved ? await stand.arrive() : {};
        if (isApproved) assert.equal((await stand.approve(call)).type, 'not-applicable');
        assert.equal((await stand.admit(call)).kind, 'withheld');
      }
    });

    test('promise 51: the setting is asked about the input that the schema returns', async () => {
      const stand = new Stand({ reading: shout, setting: { type: 'approved' } });
      const call = await stand.arrive();
      await stand.approve(call);
      stand.setting = { type: 'denied' };
      assert.equal((await stand.admit(call)).kind, 'withheld');
      assert.deepEqual(
        stand.settled.map(({ input }) => input),
        [{ text: 'a' }, { text: 'A' }],
      );
    });

    test('the setting is asked once if the schema does not change the input', async () => {
      const stand = new Stand({ setting: { type: 'approved' } });
      const call = await stand.arrive();
      await stand.approve(call);
      assert.equal((await stand.admit(call)).kind, 'permit');
      assert.equal(stand.settled.length, 1);
    });

    test('promise 51: an unlisted name runs no tool in the step in which it becomes known', async () => {
      for (const isApproved of [true, false]) {
        const stand = new Stand({ verdict: allow, isUnlisted: true });
        if (isApproved) await stand.approve();
        const ticket = await stand.admit();
        assert.ok(ticket.kind === 'withheld');
        assert.equal(ticket.refusal.result.error, 'call_again');
        const answered = { approval: stand.approval() };
        const elsewhere = new Stand({ verdict: allow, isUnlisted: true });
        assert.equal((await elsewhere.admit(answered)).kind, 'permit');
      }
    });

    test('promise 51: a name that differs from the name of its tool runs nothing, approved or not', async () => {
      for (const approval of [undefined, new Stand().approval()]) {
        const stand = new Stand({ verdict: allow, isUnlisted: true });
        const call = { name: 'mcp:mail/send', approval };
        await stand.approve(call);
        const ticket = await stand.admit(call);
        assert.ok(ticket.kind === 'withheld');
        assert.equal(ticket.refusal.result.error, 'call_again');
      }
    });

    test('promise 51: does not run if it was removed before loading', async () => {
      const stand = new Stand({ verdict: allow });
      const call = await stand.arrive();
      await stand.approve(call);
      stand.layer.update([]);
      assert.equal((await stand.admit(call)).kind, 'withheld');
    });
  });

  describe('another view', () => {
    test('promise 51: a call that it refused is refused by the tools of this view', async () => {
      const theirs = await new Stand({ verdict: deny }).load();
      const ours = new Stand({ verdict: allow, beside: theirs });
      const call = await theirs.arrive();
      assert.equal((await ours.approve(call)).type, 'denied');
      assert.deepEqual(ours.consulted, []);
    });

    test('promise 51: a call that it allowed is decided by the hooks of this view; its questions are asked', async () => {
      const theirs = await new Stand({ verdict: allow }).load();
      const ours = new Stand({ verdict: deny, beside: theirs });
      assert.equal((await ours.approve(await theirs.arrive())).type, 'denied');
      const asking = await new Stand({ verdict: ask }).load();
      const lax = new Stand({ verdict: allow, beside: asking });
      assert.equal((await lax.approve(await asking.arrive())).type, 'user-approval');
    });

    test('promise 51: its permits do not hold in this view', async () => {
      const theirs = await new Stand({ verdict: allow }).load();
      const call = await theirs.arrive();
      await theirs.approve(call);
      const ours = new Stand({ verdict: deny, beside: theirs });
      assert.equal((await ours.admit(call)).kind, 'withheld');
    });
  });

  describe('a call that bypassed `approve`', () => {
    test('follows the setting of the app, not the setting of the tool', async () => {
      const stand = await new Stand({ verdict: allow, setting: nothing }).load();
      stand.toolSetting = user;
      const call = await stand.arrive();
      assert.equal((await stand.admit({ ...call, metadata: undefined })).kind, 'permit');
      assert.deepEqual(stand.settled, [{ input: { text: 'a' }, bypassed: true }]);
      assert.equal(stand.life.isBypassed, true);
      stand.setting = { type: 'denied' };
      stand.toolSetting = undefined;
      const second = await stand.arrive({ id: 'c2' });
      assert.equal((await stand.admit({ ...second, metadata: undefined })).kind, 'withheld');
    });

    test('promise 51: is neither a call that the user was asked about nor an unknown call', async () => {
      const stand = await new Stand({ verdict: allow, setting: nothing }).load();
      stand.toolSetting = user;
      const call = await stand.arrive();
      assert.equal((await stand.approve(call)).type, 'user-approval');
      assert.equal((await stand.admit(call)).kind, 'withheld');
      assert.equal((await stand.admit({ id: 'c2' })).kind, 'withheld');
      stand.forgetArrivals();
      const third = await stand.arrive({ id: 'c3' });
      stand.forgetArrivals();
      assert.equal((await stand.admit({ ...third, metadata: undefined })).kind, 'withheld');
      assert.equal(stand.life.isBypassed, false);
    });

    test('is not a call whose approval is being executed', async () => {
      const stand = await new Stand({ setting: user }).load();
      const call = await stand.arrive();
      await stand.admit(resumed(call, stand));
      assert.equal(stand.life.isBypassed, false);
    });

    test('promise 51: is still decided by the hooks; a question becomes a refusal', async () => {
      for (const verdict of [deny, ask]) {
        const stand = await new Stand({ verdict: allow }).load();
        const call = await stand.arrive();
        stand.forgetArrivals();
        stand.verdict = verdict;
        const ticket = await stand.admit({ ...call, metadata: undefined });
        assert.ok(ticket.kind === 'withheld');
        assert.equal(ticket.isUnasked, verdict === ask);
      }
    });

    test('promise 51: a call with the same id in another conversation has no effect on it', async () => {
      const stand = await new Stand({ verdict: allow, setting: nothing }).load();
      const call = await stand.arrive();
      await stand.approve(call);
      await stand.change();
      stand.toolSetting = user;
      // Another conversation, whose provider uses the same call ids.
      await stand.arrive({ input: { text: 'b' } });
      assert.equal((await stand.admit(call)).kind, 'withheld');
    });
  });

  describe('tickets', () => {
    test('promise 51: if only the tool can stop a denied call, it gets a refusal', async () => {
      const stand = await new Stand({ verdict: deny }).load();
      assert.equal((await stand.approve({}, true)).type, 'denied');
      stand.verdict = allow;
      assert.equal(stand.life.ready(stand.call()), undefined);
      assert.equal((await stand.admit()).kind, 'withheld');
      await stand.approve({ id: 'c2' }, true);
      assert.ok(stand.life.ready(stand.call({ id: 'c2' })));
    });

    test('promise 51: `ready` removes the permit', async () => {
      const stand = await new Stand({ verdict: allow }).load();
      await stand.approve();
      for (const other of [{ id: 'c2' }, { input: { text: 'b' } }, { conversation: {} }])
        assert.equal(stand.life.ready(stand.call(other)), undefined);
      assert.ok(stand.life.ready(stand.call()));
      assert.equal(stand.life.ready(stand.call()), undefined);
      stand.verdict = deny;
      assert.equal((await stand.admit()).kind, 'withheld');
    });

    test('promise 51: an unused permit is revoked when the call is denied or asked about', async () => {
      for (const later of [{ type: 'denied' }, user] as const) {
        const stand = await new Stand({ verdict: allow }).load();
        await stand.approve();
        stand.setting = later;
        assert.equal((await stand.approve()).type, later.type);
        assert.equal((await stand.admit()).kind, 'withheld');
      }
    });

    test('promise 51: an input with private state is decided by its identity', async () => {
      const closed = (text: string) => ({ body: new Blob([text]) });
      const stand = await new Stand({ verdict: allow, reading: (input) => input }).load();
      const call = await stand.arrive({ input: closed('a') });
      // Refined after arrival: another input, the same call.
      await stand.approve({ ...call, input: closed('b') });
      assert.equal(stand.consulted.length, 2);
    });

    test('a refusal is one event, with the name that the model used', async () => {
      const stand = await new Stand({ verdict: deny }).load();
      const call = await stand.arrive();
      const ticket = await stand.admit({ ...call, metadata: undefined });
      assert.ok(ticket.kind === 'withheld' && ticket.isReported);
      stand.life.report({ id: 'c1', name: 'mail__send', wireName: 'call' }, ticket.refusal);
      const expected = { id: 'c1', name: 'mail__send', wireName: 'call', outcome: 'refused' };
      assert.deepEqual(stand.events, [{ ...expected, error: 'denied' }]);
    });
  });
});
