import type { ModelMessage } from 'ai';
import { CHECKS } from './checks.ts';
import { Conversation } from './conversation.ts';
import { ticks, ticksUntil, watched } from './event-loop.ts';
import type { Question, TurnEnd, UserAction } from './host.ts';
import { Model } from './model.ts';
import type { Plan, Setting, Step } from './plan.ts';
import { nextBase, type Sent } from './prefix.ts';
import { Random } from './random.ts';
import { Trace } from './trace.ts';
import { TurnControl } from './turn-control.ts';
import type { TurnRecord } from './turn-record.ts';
import { CHANGES, INTERRUPTIONS, USER_ACTIONS } from './turns.ts';
import { Wire } from './wire.ts';
import { NARROW_GROUPS, World } from './world.ts';

/** The check that a session violated, and the turns before it. */
export interface Failure {
  readonly check: string;
  readonly message: string;
  readonly turn: number;
  readonly trace: string;
}

/** Strategies whose requests extend each other. `auto` may choose another strategy for other tools. */
const KEEPS_PREFIX: readonly unknown[] = ['dispatch', 'bridge', 'native'];
/** Turns of the event loop within which everything that a turn started must end. */
const SETTLING = 200;
const TRACED_TURNS = 4;

/** Plays a plan to its end, or to the first violation. `ignored`: findings that are no violation. */
export async function play(
  { seed, setting, steps }: Plan,
  ignored?: RegExp,
): Promise<Failure | undefined> {
  const isUi = setting.route === 'UI messages';
  const askers = setting.route === 'agent' ? AGENT_ASKERS : ALL_ASKERS;
  const world = new World(new Random(seed).fork('world'), { askers, isJson: isUi });
  const trace = new Trace();
  const wire = await Wire.open(new Model(world, trace, { canRepeatIds: !isUi }));
  const session = new Session(setting, { world, trace, wire, ignored });
  try {
    for (const [turn, step] of steps.entries()) {
      const broken = await session.play(step, turn);
      if (broken) return { ...broken, turn, trace: trace.last(TRACED_TURNS) };
    }
    return undefined;
  } finally {
    session.end();
    await wire.close();
  }
}

const AGENT_ASKERS = ['hook', 'tool'] as const;
const ALL_ASKERS = ['hook', 'tool', 'setting'] as const;

interface Parts {
  readonly world: World;
  readonly trace: Trace;
  readonly wire: Wire;
  readonly ignored: RegExp | undefined;
}

type Broken = Pick<Failure, 'check' | 'message'>;

class Session {
  readonly #setting: Setting;
  readonly #world: World;
  readonly #trace: Trace;
  readonly #wire: Wire;
  readonly #conversation: Conversation;
  readonly #ignored: RegExp | undefined;
  readonly #userTexts = new Set<string>();
  readonly #rejections: unknown[] = [];
  readonly #onRejection = (reason: unknown) => void this.#rejections.push(reason);

  constructor(setting: Setting, { world, trace, wire, ignored }: Parts) {
    this.#ignored = ignored;
    this.#setting = setting;
    this.#world = world;
    this.#trace = trace;
    this.#wire = wire;
    this.#conversation = new Conversation(setting, world, wire);
    process.on('unhandledRejection', this.#onRejection);
  }

  end(): void {
    process.off('unhandledRejection', this.#onRejection);
  }

  /** Plays one turn and the change before it. Returns the violation, if there is one. */
  async play(step: Step, turn: number): Promise<Broken | undefined> {
    const random = new Random(step.seed);
    this.#trace.begin(turn, `${step.change}; ${step.action}; ${step.interruption}`);
    const difference = await this.#conversation.change(step.change, random.fork('change'));
    if (step.change !== CHANGES[0]?.name) this.#trace.add('tools now', this.#world.knowledge);
    if (difference) return { check: 'another process sends the same', message: difference };
    const record = await this.#turn(step, random, turn);
    if (record === 'hangs') return { check: 'every turn ends', message: 'the turn did not end' };
    for (const { name, broken } of CHECKS) {
      const message = broken(record);
      if (message !== undefined && !this.#ignored?.test(`${name}: ${message}`))
        return { check: name, message };
    }
    return undefined;
  }

  async #turn(step: Step, random: Random, number: number): Promise<TurnRecord | 'hangs'> {
    const world = this.#world;
    const { host } = this.#conversation;
    const before = await host.messages();
    const action = this.#action(step, random.fork('words'), host.questions);
    const interruption = INTERRUPTIONS.find(({ name }) => name === step.interruption);
    const control = new TurnControl(interruption, random.fork('interruption'));
    const active = this.#active(random.fork('active'));
    this.#begin(control, { number, active, random: random.fork('model') });
    const earlier = world.runs.length;
    const { controller, reader } = control;
    const end = await watched(host.turn({ action, controller, reader, active }));
    if (end === 'hangs') return 'hangs';
    await this.#settle(control);
    const runs = world.runs.slice(earlier);
    this.#traceOutcome(end, runs);
    const after = await host.messages();
    const sent = this.#sent(answersIn(after) - answersIn(before));
    const { base } = this.#conversation;
    this.#conversation.base = nextBase(base, {
      sent,
      isCut: !end.isWhole || end.error !== undefined || control.isCancelled,
      keepsCut: this.#setting.route === 'agent',
      hasText: 'text' in action,
    });
    return {
      end,
      isDisturbed: control.isCancelled || this.#wire.model.faults.length > 0,
      sent: base ? [base, ...sent] : sent,
      isNew: (one) => one !== base,
      keepsPrefix: KEEPS_PREFIX.includes(this.#setting.strategy),
      before,
      after,
      waiting: new Set(host.questions.map(({ id }) => id)),
      runs,
      running: world.runs.filter(({ isSettled }) => !isSettled),
      refusals: this.#wire.takeRefusals(),
      offences: world.offences.splice(0),
      rejections: this.#rejections.splice(0),
      userTexts: this.#userTexts,
    };
  }

  #begin(
    control: TurnControl,
    turn: { number: number; active: readonly string[] | undefined; random: Random },
  ): void {
    const { view, areToolsOn } = this.#conversation;
    this.#world.rules = {
      number: turn.number,
      active: turn.active,
      areToolsOn,
      roleGroups: view.role === 'narrow' ? NARROW_GROUPS : undefined,
      onRun: (hangs) => control.runs(hangs),
      released: control.released,
    };
    this.#wire.model.begin(turn.random, () => control.happens('request'));
  }

  /** Waits for tools that still run, because the SDK does not wait for tools that it aborted. */
  async #settle(control: TurnControl): Promise<void> {
    const world = this.#world;
    if (this.#setting.route === 'agent') world.rules = undefined;
    await ticksUntil(() => world.runs.every(({ isSettled }) => isSettled), SETTLING);
    control.release();
    await ticks(2);
  }

  #action(step: Step, random: Random, questions: readonly Question[]): UserAction {
    const row = USER_ACTIONS.find(({ name }) => name === step.action);
    const { answer } = row ?? {};
    if (answer && questions.length > 0) {
      const answers = questions.map((question) => {
        const approved = answer(question, random);
        if (approved) this.#world.approved.set(question.id, JSON.stringify(question.input));
        return [question.approvalId, approved] as const;
      });
      this.#trace.add(
        'answers',
        answers.map(([, approved]) => approved),
      );
      return { answers: Object.fromEntries(answers) };
    }
    const drawn = row?.text(random) ?? '';
    // Only the agent has to handle empty texts; other apps must not send them.
    const text = drawn === '' && this.#setting.route !== 'agent' ? 'Well?' : drawn;
    this.#userTexts.add(text);
    this.#trace.add('user text', text);
    return { text };
  }

  #active(random: Random): readonly string[] | undefined {
    if (this.#setting.route === 'agent' || !random.chance(0.1)) return undefined;
    const { fold, model } = this.#conversation.view;
    const names = this.#world.specs.map(({ name }) => name);
    return [...names.filter(() => random.chance(0.6)), ...fold.bridgeNames(model)];
  }

  /** The requests of the turn. `kept`: how many of their answers are in the messages. */
  #sent(kept: number): Sent[] {
    let answers = 0;
    return this.#wire.takeRequests().map((request) => {
      const { move, reply } = this.#wire.model.answers.get(request) ?? {};
      const isKept = move !== undefined && !move.isFault && ++answers <= kept;
      return { request, reply, isKept, endsEpoch: move?.refuses === true };
    });
  }

  #traceOutcome(end: TurnEnd, runs: TurnRecord['runs']): void {
    if (end.error !== undefined) this.#trace.add('failed', String(end.error));
    this.#trace.events(end.events ?? []);
    for (const { tool, id, input } of runs) this.#trace.add(`ran ${tool} ${id}`, input);
  }
}

/** The number of answers of the model in the messages. */
function answersIn(messages: readonly ModelMessage[]): number {
  return messages.filter(({ role }) => role === 'assistant').length;
}
