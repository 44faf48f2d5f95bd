import type { Question } from './host.ts';
import { otherKnowledge } from './knowledge.ts';
import type { Random } from './random.ts';
import type { World } from './world.ts';

/** What a change can do in a session. */
export interface Changeable {
  readonly world: World;
  readonly random: Random;
  /** Continues in a new process with the present knowledge of the world. */
  readonly restart: () => Promise<void>;
  /** Updates the groups of the running fold to the present knowledge of the world. */
  readonly update: () => void;
  readonly otherModel: () => void;
  readonly otherRole: () => void;
  readonly switchTools: () => void;
}

/** A change between two turns. To add one, add a row. */
export interface Change {
  readonly name: string;
  readonly weight: number;
  readonly make: (session: Changeable) => Promise<void>;
}

function changeKnowledge({ world, random }: Changeable): void {
  world.knowledge = random.chance(0.4) ? {} : otherKnowledge(random, world.groups);
}

export const CHANGES: readonly Change[] = [
  { name: 'nothing changes', weight: 24, make: async () => {} },
  { name: 'a new process', weight: 4, make: ({ restart }) => restart() },
  {
    name: 'a new process with other knowledge',
    weight: 2,
    make: async (session) => {
      changeKnowledge(session);
      await session.restart();
    },
  },
  {
    name: 'another list of tools',
    weight: 3,
    make: async (session) => {
      changeKnowledge(session);
      session.update();
    },
  },
  { name: 'another model', weight: 1, make: async ({ otherModel }) => otherModel() },
  { name: 'another role', weight: 1, make: async ({ otherRole }) => otherRole() },
  { name: 'tools are switched', weight: 1, make: async ({ switchTools }) => switchTools() },
];

/** What the user does: sends a text, or answers the open questions if there are any. */
export interface UserActionWay {
  readonly name: string;
  readonly weight: number;
  readonly text: (random: Random) => string;
  /** The answer to a question. Without it, the user sends a new text and answers nothing. */
  readonly answer?: (question: Question, random: Random) => boolean;
}

const TEXTS = ['Go on.', 'What is new?', 'plain words please', 'ü 🎉', 'Do it\n\nagain.'];
const someText = (random: Random): string => random.pick(TEXTS);

export const USER_ACTIONS: readonly UserActionWay[] = [
  { name: 'the user sends a text', weight: 8, text: someText },
  { name: 'the user approves', weight: 12, text: someText, answer: () => true },
  { name: 'the user denies', weight: 3, text: someText, answer: () => false },
  {
    name: 'the user approves some',
    weight: 5,
    text: someText,
    answer: (_, random) => random.chance(0.5),
  },
  { name: 'the user sends an empty text', weight: 0.3, text: () => '' },
];

/** The event at which a turn is cancelled. */
export interface Cut {
  readonly at: 'part' | 'request' | 'run';
  readonly count: number;
}

/** How an answer is read. */
export interface Interruption {
  readonly name: string;
  readonly weight: number;
  readonly cut?: (random: Random) => Cut;
  readonly leavesAfter?: (random: Random) => number;
  readonly ticks?: (random: Random) => number;
}

export const INTERRUPTIONS: readonly Interruption[] = [
  { name: 'read to the end', weight: 16 },
  { name: 'read slowly', weight: 3, ticks: (random) => random.int(1, 30) },
  {
    name: 'cancelled while reading',
    weight: 2,
    cut: (random) => ({ at: 'part', count: random.int(1, 40) }),
  },
  {
    name: 'cancelled at a request',
    weight: 1,
    cut: (random) => ({ at: 'request', count: random.int(1, 5) }),
  },
  {
    name: 'cancelled as a tool begins',
    weight: 2,
    cut: (random) => ({ at: 'run', count: random.int(1, 3) }),
  },
  { name: 'left early', weight: 2, leavesAfter: (random) => random.int(1, 40) },
  {
    name: 'read slowly, left early',
    weight: 1,
    ticks: (random) => random.int(1, 30),
    leavesAfter: (random) => random.int(1, 40),
  },
];
