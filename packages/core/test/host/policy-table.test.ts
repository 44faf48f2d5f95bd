import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { selected, selection } from '@toolfold/testing/test/combinations.test-support.ts';
import type { Setting } from '../../src/host/records.ts';
import { type Made, Stand, type StandOptions, type Verdict } from './life.test-support.ts';

const POINTS = ['arrive, approve, admit', 'arrive, admit', 'approve, admit', 'admit'] as const;

const VERDICTS: Readonly<Record<string, Verdict>> = {
  allow: () => undefined,
  deny: () => ({ deny: 'Not today.' }),
  ask: () => ({ ask: true }),
  'changed arguments': () => ({ arguments: { text: 'changed' } }),
  throw: () => {
    throw new Error('It broke.');
  },
};

const SETTINGS: readonly Setting['type'][] = [
  'not-applicable',
  'approved',
  'denied',
  'user-approval',
  'unknown',
];

const ANSWERS = ['none', 'bound', 'other binding', 'other arguments', 'says nothing'] as const;

/** What may be lost between the points of a call, and where, by name. */
const LOSSES = {
  'arrivals, before approval': { before: 'arrivals' },
  'arrivals, before the tool': { after: 'arrivals' },
  metadata: { metadata: true },
  permits: { permits: true },
  'questions, before the tool': { after: 'questions' },
  'the process, before approval': { before: 'process' },
  'the process, before the tool': { after: 'process' },
  'metadata and arrivals': { metadata: true, before: 'arrivals' },
  'permits and arrivals': { permits: true, after: 'arrivals' },
  'metadata, arrivals and permits': { metadata: true, permits: true, before: 'arrivals' },
} as const satisfies Record<string, Loss>;

interface Loss {
  readonly before?: 'arrivals' | 'process';
  readonly after?: 'arrivals' | 'questions' | 'process';
  readonly metadata?: true;
  readonly permits?: true;
}

type Case = {
  readonly points: (typeof POINTS)[number];
  readonly verdict: string;
  readonly setting: Setting['type'];
  readonly answer: (typeof ANSWERS)[number];
};

const CASES: readonly Case[] = POINTS.flatMap((points) =>
  Object.keys(VERDICTS).flatMap((verdict) =>
    SETTINGS.flatMap((setting) => ANSWERS.map((answer) => ({ points, verdict, setting, answer }))),
  ),
);

function nameOf({ points, verdict, setting, answer }: Case): string {
  return `${points} | ${verdict} | setting: ${setting} | answer: ${answer}`;
}

interface Outcome {
  readonly approval: string | undefined;
  readonly hasPermit: boolean;
  readonly final: unknown;
  /** The inputs that the hook saw before the tool would run. */
  readonly consulted: readonly unknown[];
  readonly stand: Stand;
  readonly call: Made;
}

/** Plays one case through its points. It also admits calls that the host would not run. */
async function play(at: Case, loss: Loss = {}): Promise<Outcome> {
  const options = { verdict: VERDICTS[at.verdict], setting: { type: at.setting } } as const;
  let stand = await new Stand(options).load();
  let call: Made = { input: { text: 'a' } };
  if (at.points.startsWith('arrive')) call = await stand.arrive(call);
  stand = await without(stand, loss.before, options);
  if (loss.metadata) call = { ...call, metadata: undefined };
  // The AI SDK passes no metadata with a call that it resumes.
  const answer = answerOf(at, stand, call.input);
  call = { ...call, ...(answer && { approval: answer, metadata: undefined }) };
  let approval: string | undefined;
  if (at.points.includes('approve')) approval = (await stand.approve(call)).type;
  stand = await without(stand, loss.after, options);
  const conversation = loss.permits ? { conversation: {} } : {};
  // The AI SDK passes no metadata to `execute`.
  const ticket = await stand.admit({ ...call, ...conversation, metadata: undefined });
  const hasPermit = ticket.kind === 'permit';
  const final = hasPermit ? ticket.resolved.final : undefined;
  return { approval, hasPermit, final, consulted: [...stand.consulted], stand, call };
}

async function without(
  stand: Stand,
  lost: Loss['before' | 'after'],
  options: StandOptions,
): Promise<Stand> {
  if (lost === 'arrivals') stand.forgetArrivals();
  if (lost === 'questions') await stand.forgetQuestions();
  return lost === 'process' ? new Stand({ ...options, beside: stand }) : stand;
}

function answerOf({ answer }: Case, stand: Stand, input: unknown): Made['approval'] {
  switch (answer) {
    case 'none':
      return;
    case 'bound':
      return stand.approval(input);
    case 'other binding':
      return stand.approval(input, 'd0123456789abcdef');
    case 'other arguments':
      return { ...stand.approval(input), digests: stand.approval({ text: 'z' }).digests };
    case 'says nothing':
      return { binding: undefined, digests: {}, wireName: undefined };
  }
}

/** Whether the call may run: a second, independent statement of the policy. */
function mayRun({ points, verdict, setting, answer }: Case): boolean {
  if (verdict === 'deny' || verdict === 'throw' || setting === 'denied') return false;
  if (answer !== 'none' && answer !== 'bound') return false;
  const isAsked = verdict === 'ask' || setting === 'user-approval';
  if (answer === 'none') return !isAsked;
  // An approval does not hold for arguments that a hook changes afterwards. If the hook changed them
  // on arrival, the user was asked about the changed arguments.
  return verdict !== 'changed arguments' || points.startsWith('arrive');
}

describe('policy, every case', () => {
  for (const points of POINTS) {
    test(`promise 51: ${points}: gives a permit exactly when the policy lets the call run`, async () => {
      for (const at of CASES.filter((one) => one.points === points)) {
        const { hasPermit, final } = await play(at);
        assert.equal(hasPermit, mayRun(at), nameOf(at));
        const expected = at.verdict === 'changed arguments' ? { text: 'changed' } : { text: 'a' };
        if (hasPermit) assert.deepEqual(final, expected, nameOf(at));
      }
    });
  }

  test('promise 51: a denied call never gets a permit', async () => {
    const denied = CASES.filter(
      ({ verdict, setting }) => verdict === 'deny' || verdict === 'throw' || setting === 'denied',
    );
    for (const at of denied) {
      const { hasPermit, approval } = await play(at);
      assert.equal(hasPermit, false, nameOf(at));
      // If the user's approval no longer holds, the tool gives the refusal and does not run.
      if (approval !== undefined && at.answer === 'none')
        assert.equal(approval, 'denied', nameOf(at));
    }
  });

  test('promise 51: a call that needs approval gets no permit without an approval', async () => {
    const asked = CASES.filter(
      ({ verdict, setting, answer }) =>
        answer === 'none' && (verdict === 'ask' || setting === 'user-approval'),
    );
    for (const at of asked) assert.equal((await play(at)).hasPermit, false, nameOf(at));
  });

  test('promise 50: an approval of another definition or other arguments gives no permit', async () => {
    const other = CASES.filter(({ answer }) => answer.startsWith('other'));
    for (const at of other) assert.equal((await play(at)).hasPermit, false, nameOf(at));
  });

  test('promise 51: a permit is used once, for one conversation, one id and one input', async () => {
    for (const at of CASES.filter(mayRun)) {
      const { stand, call } = await play(at);
      // From now on the hook denies every call: only a remaining permit could let one run.
      stand.verdict = () => ({ deny: 'No more.' });
      for (const other of [{}, { conversation: {} }, { id: 'c2' }, { input: { text: 'b' } }]) {
        const again = await stand.admit({ ...call, ...other, metadata: undefined });
        assert.equal(again.kind, 'withheld', nameOf(at));
      }
      if (at.points.includes('approve')) {
        const fresh = await play(at);
        const { stand: second } = fresh;
        second.verdict = VERDICTS[at.verdict];
        await second.approve(fresh.call);
        second.verdict = () => ({ deny: 'No more.' });
        for (const other of [{ conversation: {} }, { id: 'c2' }, { input: { text: 'b' } }]) {
          const ticket = await second.admit({ ...fresh.call, ...other, metadata: undefined });
          assert.equal(ticket.kind, 'withheld', nameOf(at));
        }
      }
    }
  });

  for (const [lost, loss] of Object.entries<Loss>(LOSSES)) {
    test(`promise 51: after a loss, a call is decided again and never left undecided: ${lost}, ${selection}`, async () => {
      // Dropping questions is slow, so it is tested only where a question was asked.
      const some = CASES.filter(({ points, verdict, setting }) => {
        if (loss.after === 'questions') return verdict === 'allow' && setting === 'user-approval';
        return loss.before === undefined && loss.after === undefined
          ? true
          : points.startsWith('arrive');
      });
      for (const at of selected(some)) {
        const { hasPermit, consulted } = await play(at, loss);
        assert.ok(mayRun(at) || !hasPermit, nameOf(at));
        // The hook saw the call before the loss or after it.
        if (hasPermit) assert.ok(consulted.length > 0, nameOf(at));
      }
    });
  }

  test('promise 51: a call that arrives, is approved and is admitted is decided exactly once', async () => {
    const plain = CASES.filter(
      ({ points, answer }) => points === 'arrive, approve, admit' && answer === 'none',
    );
    for (const at of plain.filter(mayRun)) {
      const { consulted } = await play(at);
      assert.deepEqual(consulted, [{ text: 'a' }], nameOf(at));
    }
  });

  test('each distinct input is decided once, for any number of calls', async () => {
    for (const verdict of ['allow', 'changed arguments']) {
      const stand = await new Stand({ verdict: VERDICTS[verdict] }).load();
      const calls: Made[] = [];
      for (let index = 0; index < 100; index++)
        calls.push(await stand.arrive({ id: `c${index}`, input: { text: `${index}` } }));
      for (const call of calls) await stand.approve(call);
      for (const call of calls) {
        const ticket = await stand.admit({ ...call, metadata: undefined });
        assert.equal(ticket.kind, 'permit');
      }
      const texts = calls.map((_, index) => ({ text: `${index}` }));
      assert.deepEqual(stand.consulted, texts);
    }
  });
});
