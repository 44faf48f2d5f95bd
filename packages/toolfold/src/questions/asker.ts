import type { UnknownChoice } from '@toolfold/agent/internal/entries';
import type { ApprovalAnswer, ApprovalRequest } from '@toolfold/agent/internal/events';
import { type AskedUnknownCall, isAllowedCall } from '@toolfold/agent/internal/options';
import type { AllowedCall, AllowRule } from '@toolfold/config/internal/settings';
import { errorMessage } from '@toolfold/core/internal/errors.ts';
import type { ElicitationAnswer } from '@toolfold/core/internal/tool';
import { type InOrder, queueOfWork } from '@toolfold/core/internal/values';
import { type ApprovalStore, approvalAnswer, approvalQuestion } from './approval.ts';
import { elicitationAnswer, elicitationQuestion, type ShownElicitation } from './elicitation.ts';
import { type MarksOf, offeredTools, patternOf, runsText, type ToolLookup } from './patterns.ts';
import {
  type Answer,
  type Ask,
  MAX_ARGUMENTS,
  type Question,
  subjectOf,
  visibleArguments,
} from './question.ts';

/** How the user is asked. */
export interface AskerOptions {
  /** Draws a question and resolves with the answer. Undefined if nobody can be asked. */
  readonly ask: Ask | undefined;
  /** Shows a line beside the questions. */
  readonly note: (text: string) => void;
  /** After it aborts, nothing is asked. */
  readonly signal: AbortSignal;
  /** Runs one question after the other. */
  readonly inOrder?: InOrder;
  /** What a tool says of itself. Its server need not be trusted. */
  readonly marksOf?: MarksOf | undefined;
  /** The tools. Without them, a longer approval is for the whole tool of the question only. */
  readonly tools?: (() => ToolLookup) | undefined;
  /** The folder of the session. Without it, no path is widened to its folder. */
  readonly folder?: string | undefined;
  /** What the configuration already allows. */
  readonly allowed?: readonly AllowRule[];
  /** Where "always" is saved. Without it, "always" is not offered. */
  readonly store?: ApprovalStore | undefined;
}

/** All that an agent asks of its user. */
export interface Asker {
  /** Asks a question of any kind after those before it. */
  readonly ask: Ask;
  readonly approve: (request: ApprovalRequest) => Promise<ApprovalAnswer>;
  readonly decide: (call: AskedUnknownCall) => Promise<UnknownChoice | undefined>;
  readonly elicit: (
    asked: ShownElicitation & { readonly signal: AbortSignal },
  ) => Promise<ElicitationAnswer>;
  /** Saves the approval, and shows a line about the result. */
  readonly onAlways: (name: string) => void;
  /** Tools that were denied because nobody could be asked. */
  readonly unasked: ReadonlySet<string>;
}

/** The questions of agents for one surface. They are asked one after the other. */
export function createAsker(options: AskerOptions): Asker {
  const { note, signal: run, inOrder = queueOfWork(), allowed = [], store } = options;
  const { marksOf = () => undefined, folder } = options;
  /** The calls that were allowed for good since the agent was made. */
  const kept: AllowedCall[] = [];
  const unasked = new Set<string>();
  let isGone = options.ask === undefined;

  const ask: Ask = (question, given) => {
    const signal = AbortSignal.any([run, given]);
    return inOrder(async () => {
      signal.throwIfAborted();
      return isGone ? undefined : options.ask?.(question, signal);
    });
  };

  async function approve(request: ApprovalRequest): Promise<ApprovalAnswer> {
    const { name, askedBy, signal = run } = request;
    AbortSignal.any([run, signal]).throwIfAborted();
    const tools = options.tools?.();
    const { arguments: given, reason } = request;
    if (
      tools &&
      askedBy === 'setting' &&
      reason === undefined &&
      isAllowedCall(kept, request, tools)
    )
      return { approved: true };
    const pattern = tools && patternOf(name, given, tools, folder);
    const offer = tools && offeredTools(name, tools, marksOf);
    const facts = {
      ...{ file: store?.file, pattern, offer },
      isDestructive: marksOf(name)?.destructiveHint === true,
      canHold: tools === undefined || tools.fingerprintOf(name) !== undefined,
    };
    const question = approvalQuestion(request, facts);
    const subject = subjectOf(request);
    if (!question) {
      note(`${subject} did not run: its arguments are nested too deeply to be shown.`);
      return denied('The arguments are nested too deeply to be shown to the user. Flatten them.');
    }
    const answer = isGone ? undefined : await ask(question, signal);
    if (answer) {
      const said = approvalAnswer(question, answer, offer?.tools);
      const { choice } = answer;
      if (said.approved && choice === 'calls' && pattern) {
        kept.push(pattern);
        save(pattern);
      }
      if (said.tools && choice.endsWith('-always')) save({ tools: said.tools });
      return said;
    }
    isGone = true;
    note(`${subject} did not run: it needs approval, and nobody could be asked.`);
    // Many subagents may call the same tool; the advice is written once.
    if (!unasked.has(name) && askedBy === 'setting')
      note(`  To allow it: --allow '${name}', or ${configLine([...allowed, name])}`);
    unasked.add(name);
    return denied('This call needs the approval of the user, and nobody can be asked now.');
  }

  function save(allowed: AllowRule): void {
    if (!store) return;
    try {
      store.save(allowed);
      note(`Saved in ${store.file}: ${runsText(allowed)} without a question from now on.`);
    } catch (error) {
      note(
        `The approval could not be saved and holds for this session only: ${errorMessage(error)}`,
      );
    }
  }

  return {
    ...{ ask, approve, unasked },
    async decide({ signal, ...call }) {
      const answer = await ask(unknownQuestion(call), signal);
      return answer && unknownAnswer(answer);
    },
    elicit: async ({ signal, ...asked }) =>
      elicitationAnswer(await ask(elicitationQuestion(asked), signal)),
    onAlways: (name) => {
      const definition = options.tools?.().fingerprintOf(name);
      save(definition === undefined ? name : { tools: { [name]: definition } });
    },
  };
}

function denied(reason: string): ApprovalAnswer {
  return { approved: false, reason };
}

function configLine(allow: readonly AllowRule[]): string {
  const list = allow.map((one) => JSON.stringify(one)).join(', ');
  return `"approvals": { "allow": [${list}] }`;
}

/** The question about a call that had started when its process ended. The mark begins where nothing runs. */
export function unknownQuestion(call: Omit<AskedUnknownCall, 'signal'>): Question {
  const { id, name, arguments: given, subagent } = call;
  const subject = subjectOf(call);
  return {
    ...{ kind: 'unknown', text: `What about ${subject}?`, subject, isDangerous: true },
    shown: visibleArguments(given, MAX_ARGUMENTS)?.short ?? '',
    details: ['had started when the session broke off. It may have taken effect.'],
    choices: [
      {
        id: 'leave',
        label: 'Leave it: the model reads that nobody knows',
        line: { letters: 'l', words: 'leave it, the model is told that nobody knows' },
      },
      {
        id: 'happened',
        label: 'It has happened',
        line: { letters: 'h', words: 'it has happened' },
        asks: 'What happened, for the model? (may be empty)',
      },
      { id: 'again', label: 'Run it again', line: { letters: 'r', words: 'run it again' } },
    ],
    marked: 'leave',
    call: { id, name, arguments: given, subagent },
  };
}

/** What the agent is told. Any other answer leaves the call unknown. */
function unknownAnswer({ choice, text = '' }: Answer): UnknownChoice {
  if (choice === 'again') return { choice };
  if (choice !== 'happened') return { choice: 'leave' };
  return text.trim() === '' ? { choice } : { choice, note: text.trim() };
}
