import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type Made,
  Stand,
  type StandOptions,
  type Verdict,
} from './permits/policy.test-support.ts';
import type { Setting } from './permits/setting.ts';

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

/** What may be lost on the way, and where: by name, how a case goes on without it. */
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

interface Case {
  readonly points: (typeof POINTS)[number];
  readonly verdict: string;
  readonly setting: Setting['type'];
  readonly answer: (typeof ANSWERS)[number];
}

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
  /** What the hook was shown until the tool was to run. */
  readonly consulted: readonly unknown[];
  readonly stand: Stand;
  readonly call: Made;
}

/** Takes one case through its points; where the host would not run the call, its tool is asked all the same. */
async function play(at: Case, loss: Loss = {}): Promise<Outcome> {
  const options = { verdict: VERDICTS[at.verdict], setting: { type: at.setting } } as const;
  let stand = await new Stand(options).load();
  let call: Made = { input: { text: 'a' } };
  if (at.points.startsWith('arrive')) call = await stand.arrive(call);
  stand = await without(stand, loss.before, options);
  if (loss.metadata) call = { ...call, metadata: undefined };
  call = { ...call, answer: answerOf(at, stand, call.input) };
  let approval: string | undefined;
  if (at.points.includes('approve')) approval = (await stand.approve(call)).type;
  stand = await without(stand, loss.after, options);
  const conversation = loss.permits ? { conversation: {} } : {};
  // Where a tool runs, the AI SDK passes no metadata on.
  const ticket = await stand.admit({ ...call, ...conversation, metadata: undefined });
  const hasPermit = ticket.kind === 'permit';
  const final = hasPermit ? ticket.subject.final : undefined;
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

function answerOf({ answer }: Case, stand: Stand, input: unknown): Made['answer'] {
  switch (answer) {
    case 'none':
      return;
    case 'bound':
      return stand.answer(input);
    case 'other binding':
      return stand.answer(input, 'd0123456789abcdef');
    case 'other arguments':
      return { ...stand.answer(input), digest: stand.answer({ text: 'z' }).digest };
    case 'says nothing':
      return { binding: undefined, digest: undefined, wireName: undefined };
  }
}

/** Whether the call may run: the whole of what the policy promises, said another way. */
function mayRun({ points, verdict, setting, answer }: Case): boolean {
  if (verdict === 'deny' || verdict === 'throw' || setting === 'denied') return false;
  if (answer !== 'none' && answer !== 'bound') return false;
  const isAsked = verdict === 'ask' || setting === 'user-approval';
  if (answer === 'none') return !isAsked;
  // What a hook makes of an answered call is not what was answered; where it was changed when it
  // came from the model, the user was shown the change.
  return verdict !== 'changed arguments' || points.startsWith('arrive');
}

describe('policy, every case', () => {
  for (const points of POINTS) {
    test(`promise 51: ${points}: a permit where policy lets the call run, and nowhere else`, async () => {
      for (const at of CASES.filter((one) => one.points === points)) {
        const { hasPermit, final } = await play(at);
        assert.equal(hasPermit, mayRun(at), nameOf(at));
        const expected = at.verdict === 'changed arguments' ? { text: 'changed' } : { text: 'a' };
        if (hasPermit) assert.deepEqual(final, expected, nameOf(at));
      }
    });
  }

  test('promise 51: denied never gets a permit, whatever else is said', async () => {
    const denied = CASES.filter(
      ({ verdict, setting }) => verdict === 'deny' || verdict === 'throw' || setting === 'denied',
    );
    for (const at of denied) {
      const { hasPermit, approval } = await play(at);
      assert.equal(hasPermit, false, nameOf(at));
      // One that a user's answer is no longer for is answered by the tool, which is not run.
      if (approval !== undefined && at.answer === 'none')
        assert.equal(approval, 'denied', nameOf(at));
    }
  });

  test('promise 51: what a user has to be asked about gets no permit without an answer', async () => {
    const asked = CASES.filter(
      ({ verdict, setting, answer }) =>
        answer === 'none' && (verdict === 'ask' || setting === 'user-approval'),
    );
    for (const at of asked) assert.equal((await play(at)).hasPermit, false, nameOf(at));
  });

  test('promise 50: an answer bound to another definition or other arguments gives no permit', async () => {
    const other = CASES.filter(({ answer }) => answer.startsWith('other'));
    for (const at of other) assert.equal((await play(at)).hasPermit, false, nameOf(at));
  });

  test('promise 51: a permit is good once, for one conversation, one id and one input', async () => {
    for (const at of CASES.filter(mayRun)) {
      const { stand, call } = await play(at);
      // From now on nothing is let pass: only what is left of what was decided could.
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
    test(`promise 51: lost memory costs a second look, never a missing one: ${lost}`, async () => {
      // Forgetting takes its time: questions are forgotten where one was asked.
      const some = CASES.filter(({ points, verdict, setting }) => {
        if (loss.after === 'questions') return verdict === 'allow' && setting === 'user-approval';
        return loss.before === undefined && loss.after === undefined
          ? true
          : points.startsWith('arrive');
      });
      for (const at of some) {
        const { hasPermit, consulted } = await play(at, loss);
        assert.ok(mayRun(at) || !hasPermit, nameOf(at));
        // The look was taken before the process was lost, or is taken after.
        if (hasPermit) assert.ok(consulted.length > 0, nameOf(at));
      }
    });
  }

  test('promise 51: arrived, approved and admitted, each call is judged exactly once', async () => {
    const plain = CASES.filter(
      ({ points, answer }) => points === 'arrive, approve, admit' && answer === 'none',
    );
    for (const at of plain.filter(mayRun)) {
      const { consulted } = await play(at);
      assert.deepEqual(consulted, [{ text: 'a' }], nameOf(at));
    }
  });

  test('each distinct input is judged once, however many calls there are', async () => {
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
