import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Made, Stand } from './policy.test-support.ts';

const allow = () => undefined;
const deny = () => ({ deny: 'No more.' });
const ask = () => ({ ask: true });
const user = { type: 'user-approval' } as const;
const nothing = { type: 'not-applicable' } as const;

/** Gives the conversation a fresh object, as messages that come back from elsewhere do. */
const resumed = (call: Made, stand: Stand): Made => ({
  ...call,
  metadata: undefined,
  conversation: {},
  answer: stand.answer(call.input),
});

describe('policy', () => {
  describe('a tool that has changed', () => {
    test('promise 51: since the call came in: judged again, and the new one runs', async () => {
      const stand = await new Stand({ verdict: allow }).load();
      const call = await stand.arrive();
      await stand.change();
      await stand.approve(call);
      assert.equal(stand.consulted.length, 2);
      const ticket = await stand.admit(call);
      assert.ok(ticket.kind === 'permit');
      assert.equal(ticket.subject.tool?.tool.description, 'Send, and tell everybody.');
      assert.equal(stand.consulted.length, 2);
    });

    test('promise 51: since it was approved: judged again where it runs', async () => {
      for (const verdict of [deny, ask]) {
        const stand = await new Stand({ verdict: allow }).load();
        const call = await stand.arrive();
        assert.equal((await stand.approve(call)).type, 'not-applicable');
        await stand.change();
        stand.verdict = verdict;
        assert.equal(stand.policy.ready(stand.call(call)), undefined);
        assert.equal((await stand.admit(call)).kind, 'withheld');
        assert.equal(stand.consulted.length, 2);
      }
    });

    test('promise 51: since it was approved: the setting is asked again', async () => {
      for (const setting of [{ type: 'denied' }, user] as const) {
        const stand = await new Stand({ verdict: allow }).load();
        const call = await stand.arrive();
        await stand.approve(call);
        await stand.change();
        stand.setting = setting;
        assert.equal((await stand.admit(call)).kind, 'withheld');
      }
    });

    test('promise 50: since the user was asked: what the user said is not for it', async () => {
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
        // Where nobody asks for approval before the tool runs, the tool finds out.
        assert.equal((await stand.admit(resumed(answered, stand))).kind, 'withheld');
        assert.equal((await stand.admit({ ...answered, conversation: {} })).kind, 'withheld');
      }
    });

    test('promise 51: since it was made: what was decided then, and not used, is decided again', async () => {
      for (const metadata of [undefined, {}]) {
        const stand = await new Stand({ verdict: allow, setting: nothing }).load();
        const call = await stand.arrive();
        stand.verdict = deny;
        const answered = { ...resumed(call, stand), metadata: metadata ?? call.metadata };
        assert.equal((await stand.admit(answered)).kind, 'withheld');
      }
    });

    test('promise 50: between the answer and the tool: what the user said is not for it', async () => {
      const stand = await new Stand({ verdict: allow, setting: user }).load();
      const call = await stand.arrive();
      await stand.approve(call);
      const answered = resumed(call, stand);
      await stand.approve(answered);
      await stand.change();
      assert.equal(stand.policy.ready(stand.call(answered)), undefined);
      assert.equal((await stand.admit(answered)).kind, 'withheld');
    });

    test('promise 50: asked about before it loaded, it is compared as far as its group is known', async () => {
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

  describe('an answer of the user', () => {
    test('promise 50: is for the input that was asked about', async () => {
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

    test('promise 52: that says nothing of what it is for counts only where the question is remembered', async () => {
      const says = { binding: undefined, digest: undefined, wireName: undefined };
      const stand = await new Stand({ setting: user }).load();
      const call = await stand.arrive();
      await stand.approve(call);
      const answered = { ...resumed(call, stand), answer: says };
      await stand.approve(answered);
      assert.equal((await stand.admit(answered)).kind, 'permit');
      const elsewhere = new Stand({ setting: user, beside: stand });
      await elsewhere.approve(answered);
      assert.equal((await elsewhere.admit(answered)).kind, 'withheld');
      await stand.forgetQuestions();
      await stand.approve(answered);
      assert.equal((await stand.admit(answered)).kind, 'withheld');
    });

    test('promise 52: what messages say of the tool does not go over what this process remembers', async () => {
      const stand = await new Stand({ setting: user }).load();
      const call = await stand.arrive();
      await stand.approve(call);
      await stand.change();
      // An edited stamp: the tool as it is now.
      const edited = resumed(call, stand);
      await stand.approve(edited);
      assert.equal((await stand.admit(edited)).kind, 'withheld');
      assert.equal((await stand.admit(edited)).kind, 'withheld');
    });

    test('promise 51: is no word of the hooks: they are asked again when it is carried out', async () => {
      const stand = await new Stand({ verdict: ask }).load();
      const call = await stand.arrive();
      await stand.approve(call);
      const answered = resumed(call, stand);
      stand.verdict = deny;
      assert.equal((await stand.approve(answered)).type, 'denied');
      assert.equal((await stand.admit(answered)).kind, 'withheld');
      stand.verdict = () => ({ arguments: { text: 'b' } });
      assert.equal((await stand.approve(answered)).type, 'not-applicable');
      assert.equal((await stand.admit(answered)).kind, 'withheld');
    });

    test('promise 51: revokes what was issued before it, for this very call', async () => {
      const stand = await new Stand({ verdict: allow }).load();
      const call = await stand.arrive();
      await stand.approve(call);
      stand.verdict = deny;
      const answered = { ...call, answer: stand.answer() };
      await stand.approve(answered);
      assert.equal((await stand.admit(answered)).kind, 'withheld');
    });

    test('promise 50: that does not say of which tool counts only where the question is remembered', async () => {
      const stand = await new Stand({ setting: user }).load();
      const answered = { answer: { ...stand.answer(), binding: undefined } };
      await stand.approve(answered);
      const ticket = await stand.admit(answered);
      assert.ok(ticket.kind === 'withheld');
      assert.match(String(ticket.refusal.result.message), /changed since the user was asked/);
    });

    test('promise 50: about a tool that the host runs itself: refused before the host can run it', async () => {
      const stand = await new Stand({ setting: user }).load();
      for (const answer of [stand.answer({ text: 'b' }), stand.answer({ text: 'a' }, 'd0')]) {
        const found = await stand.approve({ isForeign: true, answer });
        assert.equal(found.type, 'denied');
      }
    });

    test('is bound to nothing where the app wants what the host does on its own', async () => {
      const stand = await new Stand({ setting: user, isOff: true }).load();
      const answered = { answer: { binding: undefined, digest: undefined, wireName: undefined } };
      await stand.approve(answered);
      assert.equal((await stand.admit(answered)).kind, 'permit');
    });
  });

  describe('a call that changes on its way', () => {
    test('promise 51: repaired, it is judged by what it is now', async () => {
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

    test('promise 51: denied when it came in, it stays denied whatever is made of it', async () => {
      const stand = await new Stand({ verdict: deny }).load();
      const call = { ...(await stand.arrive()), input: { text: 'b' } };
      stand.verdict = allow;
      assert.equal((await stand.approve(call)).type, 'denied');
      const unasked = await stand.arriveUnasked({ id: 'c2' });
      assert.equal((await stand.admit({ ...unasked, metadata: undefined })).kind, 'withheld');
      assert.deepEqual(stand.consulted, [{ text: 'a' }]);
    });

    test('promise 51: a hook that asked when it came in has the user asked about what became of it', async () => {
      const stand = await new Stand({ verdict: ask }).load();
      const call = { ...(await stand.arrive()), input: { text: 'b' } };
      stand.verdict = allow;
      assert.equal((await stand.approve(call)).type, 'user-approval');
    });

    test('promise 51: what its hook makes of it is refused where the host runs the tool itself', async () => {
      const stand = await new Stand({ verdict: () => ({ arguments: { text: 'b' } }) }).load();
      const call = { isForeign: true };
      assert.equal((await stand.approve(call)).type, 'denied');
      assert.equal((await stand.admit(call)).kind, 'withheld');
    });

    test('promise 51: asked about and changed by one hook, it is refused', async () => {
      const stand = await new Stand({
        verdict: () => ({ ask: true, arguments: { text: 'b' } }),
      }).load();
      // Nobody is asked about other arguments than those that would run.
      assert.equal((await stand.approve()).type, 'not-applicable');
      assert.equal((await stand.admit()).kind, 'withheld');
    });

    test('promise 51: under another name, it is the call of another tool', async () => {
      const stand = await new Stand({ verdict: allow }).load();
      const call = { ...(await stand.arrive()), name: 'mail__drop' };
      await stand.approve(call);
      assert.equal((await stand.admit(call)).kind, 'withheld');
    });

    test('an input that the schema objects to is refused, by whatever it is asked for', async () => {
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

    test('promise 51: is judged once more where its schema makes something else of the input', async () => {
      const stand = new Stand({ verdict: allow, reading: shout });
      const call = await stand.arrive();
      await stand.approve(call);
      const ticket = await stand.admit(call);
      assert.ok(ticket.kind === 'permit');
      assert.deepEqual(ticket.subject.final, { text: 'A' });
      assert.deepEqual(stand.consulted, [{ text: 'a' }, { text: 'A' }]);
    });

    test('is judged once where it does not', async () => {
      const stand = new Stand({ verdict: allow });
      const call = await stand.arrive();
      await stand.approve(call);
      assert.equal(stand.policy.ready(stand.call(call)), undefined);
      assert.equal((await stand.admit(call)).kind, 'permit');
      assert.deepEqual(stand.consulted, [{ text: 'a' }]);
    });

    test('promise 51: denied, or to be asked about, by what is known when it has loaded: it does not run', async () => {
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

    test('promise 51: its own wish, known when it has loaded, has the call refused', async () => {
      for (const isApproved of [true, false]) {
        const stand = new Stand({ verdict: allow });
        stand.wish = user;
        const call = isApproved ? await stand.arrive() : {};
        if (isApproved) assert.equal((await stand.approve(call)).type, 'not-applicable');
        assert.equal((await stand.admit(call)).kind, 'withheld');
      }
    });

    test('promise 51: the setting is asked about what the schema makes of the input', async () => {
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

    test('is settled by one setting where the schema keeps the input', async () => {
      const stand = new Stand({ setting: { type: 'approved' } });
      const call = await stand.arrive();
      await stand.approve(call);
      assert.equal((await stand.admit(call)).kind, 'permit');
      assert.equal(stand.settled.length, 1);
    });

    test('promise 51: a name that nobody listed runs no tool in the step that it is found in', async () => {
      for (const isApproved of [true, false]) {
        const stand = new Stand({ verdict: allow, isUnlisted: true });
        if (isApproved) await stand.approve();
        const ticket = await stand.admit();
        assert.ok(ticket.kind === 'withheld');
        assert.equal(ticket.refusal.result.error, 'call_again');
        const answered = { answer: stand.answer() };
        const elsewhere = new Stand({ verdict: allow, isUnlisted: true });
        assert.equal((await elsewhere.admit(answered)).kind, 'permit');
      }
    });

    test('promise 51: a name that is not the one of the tool it comes to runs nothing, approved or not', async () => {
      for (const answer of [undefined, new Stand().answer()]) {
        const stand = new Stand({ verdict: allow, isUnlisted: true });
        const call = { name: 'mcp:mail/send', answer };
        await stand.approve(call);
        const ticket = await stand.admit(call);
        assert.ok(ticket.kind === 'withheld');
        assert.equal(ticket.refusal.result.error, 'call_again');
      }
    });

    test('promise 51: gone when it is to be loaded: it does not run', async () => {
      const stand = new Stand({ verdict: allow });
      const call = await stand.arrive();
      await stand.approve(call);
      stand.layer.update([]);
      assert.equal((await stand.admit(call)).kind, 'withheld');
    });
  });

  describe('another view', () => {
    test('promise 51: what its model was refused is refused by the tools of this one', async () => {
      const theirs = await new Stand({ verdict: deny }).load();
      const ours = new Stand({ verdict: allow, beside: theirs });
      const call = await theirs.arrive();
      assert.equal((await ours.approve(call)).type, 'denied');
      assert.deepEqual(ours.consulted, []);
    });

    test('promise 51: what it allowed is judged by the hooks of this one; what it asks about is asked', async () => {
      const theirs = await new Stand({ verdict: allow }).load();
      const ours = new Stand({ verdict: deny, beside: theirs });
      assert.equal((await ours.approve(await theirs.arrive())).type, 'denied');
      const asking = await new Stand({ verdict: ask }).load();
      const lax = new Stand({ verdict: allow, beside: asking });
      assert.equal((await lax.approve(await asking.arrive())).type, 'user-approval');
    });

    test('promise 51: its permits are no good here', async () => {
      const theirs = await new Stand({ verdict: allow }).load();
      const call = await theirs.arrive();
      await theirs.approve(call);
      const ours = new Stand({ verdict: deny, beside: theirs });
      assert.equal((await ours.admit(call)).kind, 'withheld');
    });
  });

  describe('a call that has passed by', () => {
    test('holds the setting, and no wish of the tool', async () => {
      const stand = await new Stand({ verdict: allow, setting: nothing }).load();
      stand.wish = user;
      const call = await stand.arrive();
      assert.equal((await stand.admit({ ...call, metadata: undefined })).kind, 'permit');
      assert.deepEqual(stand.settled, [{ input: { text: 'a' }, bypassed: true }]);
      assert.equal(stand.policy.isBypassed, true);
      stand.setting = { type: 'denied' };
      stand.wish = undefined;
      const second = await stand.arrive({ id: 'c2' });
      assert.equal((await stand.admit({ ...second, metadata: undefined })).kind, 'withheld');
    });

    test('promise 51: is none that was asked about, and none that nobody has seen', async () => {
      const stand = await new Stand({ verdict: allow, setting: nothing }).load();
      stand.wish = user;
      const call = await stand.arrive();
      assert.equal((await stand.approve(call)).type, 'user-approval');
      assert.equal((await stand.admit(call)).kind, 'withheld');
      assert.equal((await stand.admit({ id: 'c2' })).kind, 'withheld');
      stand.forgetArrivals();
      const third = await stand.arrive({ id: 'c3' });
      stand.forgetArrivals();
      assert.equal((await stand.admit({ ...third, metadata: undefined })).kind, 'withheld');
      assert.equal(stand.policy.isBypassed, false);
    });

    test('is none whose approval is carried out', async () => {
      const stand = await new Stand({ setting: user }).load();
      const call = await stand.arrive();
      await stand.admit(resumed(call, stand));
      assert.equal(stand.policy.isBypassed, false);
    });

    test('promise 51: still meets the hooks, and a question that nobody can be asked any more', async () => {
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

    test('promise 51: a call of the same id elsewhere does not make it one', async () => {
      const stand = await new Stand({ verdict: allow, setting: nothing }).load();
      const call = await stand.arrive();
      await stand.approve(call);
      await stand.change();
      stand.wish = user;
      // Another conversation, whose provider numbers its calls in the same way.
      await stand.arrive({ input: { text: 'b' } });
      assert.equal((await stand.admit(call)).kind, 'withheld');
    });
  });

  describe('tickets', () => {
    test('promise 51: only the tool keeps a denied call from running: it gets a refusal', async () => {
      const stand = await new Stand({ verdict: deny }).load();
      assert.equal((await stand.approve({}, true)).type, 'denied');
      stand.verdict = allow;
      assert.equal(stand.policy.ready(stand.call()), undefined);
      assert.equal((await stand.admit()).kind, 'withheld');
      await stand.approve({ id: 'c2' }, true);
      assert.ok(stand.policy.ready(stand.call({ id: 'c2' })));
    });

    test('promise 51: a permit that is ready is taken with that', async () => {
      const stand = await new Stand({ verdict: allow }).load();
      await stand.approve();
      for (const other of [{ id: 'c2' }, { input: { text: 'b' } }, { conversation: {} }])
        assert.equal(stand.policy.ready(stand.call(other)), undefined);
      assert.ok(stand.policy.ready(stand.call()));
      assert.equal(stand.policy.ready(stand.call()), undefined);
      stand.verdict = deny;
      assert.equal((await stand.admit()).kind, 'withheld');
    });

    test('promise 51: one that nobody used is no good once the call is denied', async () => {
      for (const later of [{ type: 'denied' }, user] as const) {
        const stand = await new Stand({ verdict: allow }).load();
        await stand.approve();
        stand.setting = later;
        assert.equal((await stand.approve()).type, later.type);
        assert.equal((await stand.admit()).kind, 'withheld');
      }
    });

    test('promise 51: an input that keeps its state to itself is judged by what it is', async () => {
      const closed = (text: string) => ({ body: new Blob([text]) });
      const stand = await new Stand({ verdict: allow, reading: (input) => input }).load();
      const call = await stand.arrive({ input: closed('a') });
      // Refined on its way: another input, the same call.
      await stand.approve({ ...call, input: closed('b') });
      assert.equal(stand.consulted.length, 2);
    });

    test('a refusal is one event, under the name that the model used', async () => {
      const stand = await new Stand({ verdict: deny }).load();
      const call = await stand.arrive();
      const ticket = await stand.admit({ ...call, metadata: undefined });
      assert.ok(ticket.kind === 'withheld' && ticket.isReported);
      stand.policy.report({ id: 'c1', name: 'mail__send', wireName: 'call' }, ticket.refusal);
      const expected = { id: 'c1', name: 'mail__send', wireName: 'call', outcome: 'refused' };
      assert.deepEqual(stand.events, [{ ...expected, error: 'denied' }]);
    });
  });
});
