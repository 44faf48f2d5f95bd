import type { ApprovalRequest } from '@toolfold/agent/internal/events/user-requests.ts';
import { Questions } from '../../src/chat/open-chat.ts';
import { QuestionPanel } from '../../src/chat-terminal/question-panel.ts';
import { themeWith } from '../../src/chat-view/theme.ts';
import { createAsker } from '../../src/questions/asker.ts';
import type { AnswerChoice } from '../../src/questions/question.ts';
import { type After, Typing } from '../../src/terminal/input.ts';

const call = { id: 'c', name: 'mail__send', arguments: { to: 'Ada' } };
const { signal } = new AbortController();

type Ask = (questions: Questions) => Promise<unknown>;

function askerOf({ ask }: Questions, isDestructive = false) {
  return createAsker({
    ...{ ask, signal, note: () => {} },
    store: { file: 'toolfold.json', save: () => {} },
    marksOf: () => ({ destructiveHint: isDestructive }),
  });
}

function approval(request: Partial<ApprovalRequest> = {}, isDestructive = false): Ask {
  return (questions) =>
    askerOf(questions, isDestructive).approve({ ...call, askedBy: 'setting', ...request });
}

const elicitation =
  (rest: object): Ask =>
  (questions) =>
    askerOf(questions).elicit({
      ...{ name: 'mail__send', server: 'mail', message: 'Who?', fields: [], signal, ...rest },
    });

export type Kind =
  | 'approval'
  | 'a question of a hook'
  | 'destructive'
  | 'long'
  | 'unknown'
  | 'form'
  | 'page';

const long = { text: `${'word '.repeat(600)}the end` };

/** Each kind of question, and where its mark begins. */
export const KINDS: Readonly<Record<Kind, { readonly marked: string; readonly ask: Ask }>> = {
  approval: { marked: 'Allow once', ask: approval() },
  'a question of a hook': { marked: 'Allow once', ask: approval({ askedBy: 'hook' }) },
  destructive: { marked: 'No', ask: approval({}, true) },
  long: { marked: 'Allow once', ask: approval({ arguments: long }) },
  unknown: {
    marked: 'Leave it',
    ask: (questions) => askerOf(questions).decide({ ...call, signal }),
  },
  form: { marked: 'Yes', ask: elicitation({}) },
  page: { marked: 'No', ask: elicitation({ url: 'https://example.org/' }) },
};

/** What Enter answers to each kind. */
export const CHOSEN: Readonly<Record<Kind, unknown>> = {
  approval: { approved: true, scope: 'once' },
  'a question of a hook': { approved: true, scope: 'once' },
  destructive: { approved: false, reason: 'The user denied this call.' },
  long: { approved: true, scope: 'once' },
  unknown: { choice: 'leave' },
  form: { action: 'accept', content: {} },
  page: { action: 'decline' },
};

interface QuestionScene {
  /** Presses a key of the message, and waits. */
  readonly type: (key: string, after: number) => void;
  readonly ask: (kind: Kind) => Promise<void>;
  /** Lets time pass. */
  readonly wait: (milliseconds: number) => void;
  /** Presses a key. Says what it did: see the table of the test. */
  readonly press: (key: string) => Promise<string>;
  readonly setMessage: (text: string) => void;
  readonly screen: () => string;
  readonly answer: () => Promise<unknown>;
  readonly end: () => void;
}

/** A clock that moves when it is told to. */
class Clock {
  #now = 0;
  #calls: { readonly at: number; readonly call: () => void }[] = [];

  readonly after: After = (milliseconds, call) => {
    const one = { at: this.#now + milliseconds, call };
    this.#calls.push(one);
    return () => {
      this.#calls = this.#calls.filter((other) => other !== one);
    };
  };

  pass(milliseconds: number): void {
    const end = this.#now + milliseconds;
    for (;;) {
      const [next] = this.#calls.toSorted((a, b) => a.at - b.at);
      if (!next || next.at > end) break;
      this.#now = next.at;
      this.#calls = this.#calls.filter((other) => other !== next);
      next.call();
    }
    this.#now = end;
  }
}

/** A question above a message box, and a clock that stands still. */
export function questionScene(message: string): QuestionScene {
  const clock = new Clock();
  const settled = async () => {
    for (let at = 0; at < 20; at += 1) await Promise.resolve();
  };
  let text = message;
  let panel: QuestionPanel | undefined;
  let answered: Promise<unknown> = Promise.resolve();
  const typing = new Typing(clock.after);
  const options = {
    ...{ theme: themeWith(false), rows: () => 12, typing, onChange: () => {} },
    isBoxEmpty: () => text === '',
  };
  const questions = new Questions(() => {
    panel?.close();
    panel = questions.open && new QuestionPanel(questions.open, options);
  });
  const screen = () =>
    panel
      ?.render(80)
      .map((line) => line.trimEnd())
      .join('\n') ?? '';
  return {
    screen,
    type: (_, after) => {
      typing.pressed();
      clock.pass(after);
    },
    ask: async (kind) => {
      answered = KINDS[kind].ask(questions);
      answered.catch(() => {});
      await settled();
    },
    wait: (milliseconds) => clock.pass(milliseconds),
    press: async (key) => {
      typing.pressed();
      const { open } = questions;
      const before = markIn(screen(), open?.choices);
      const isUsed = panel?.takeKey(key) ?? false;
      if (!isUsed && panel?.takesText) panel.handleInput(key);
      if (!isUsed) return 'box';
      const isAnswer = questions.open !== open;
      await settled();
      if (isAnswer) return 'answer';
      const mark = markIn(screen(), open?.choices);
      const count = open?.choices.length ?? 1;
      if (key === '1' && mark === 1) return 'first';
      if (key === '2' && mark === 2) return 'second';
      if (mark === before) return '-';
      return mark === (before % count) + 1 && key !== '\u001B[A' && key !== '\u001B[Z'
        ? 'next'
        : 'previous';
    },
    setMessage: (given) => {
      text = given;
      if (text === '') panel?.interrupt();
    },
    answer: () => answered,
    end: () => questions.open?.dismiss(),
  };
}

/** The number of the marked choice. */
function markIn(screen: string, choices: readonly AnswerChoice[] = []): number {
  const [, marked] = /^❯ (?:\d\. )?(.*)$/m.exec(screen) ?? [];
  if (marked === undefined) return 0;
  return 1 + choices.findIndex(({ label }) => label.startsWith(marked));
}
