import { isAllowedCall } from '../../agent/approvals/index.ts';
import type {
  ApprovalAnswer,
  ApprovalRequest,
  AskedUnknownCall,
  UnknownChoice,
} from '../../agent/index.ts';
import { errorMessage } from '../../errors.ts';
import type { ElicitationAnswer } from '../../tools/tool/index.ts';
import { type InOrder, queueOfWork } from '../../tools/values/index.ts';
import type { Ask } from '../questions/index.ts';
import { approvalAnswer, approvalQuestion } from './approval.ts';
import { type KnownTools, type Pattern, patternsOf, patternText } from './patterns.ts';
import type { ApprovalStore } from './save-approval.ts';
import {
  elicitationAnswer,
  elicitationQuestion,
  type ShownElicitation,
  subjectOf,
} from './steps/index.ts';
import { unknownAnswer, unknownQuestion } from './unknown-call.ts';

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
  /** Whether a tool says that it may destroy something. */
  readonly isDestructive?: ((name: string) => boolean) | undefined;
  /** The tools. Without them, "always" is for whole tools only. */
  readonly tools?: (() => KnownTools) | undefined;
  /** What the configuration already allows. */
  readonly allowed?: readonly Pattern[];
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
  const { isDestructive = () => false } = options;
  /** What was allowed for good since the agent was made. */
  const kept: Pattern[] = [];
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
    const isDangerous = isDestructive(name);
    const patterns = tools ? patternsOf(name, given, tools, isDangerous) : [];
    const facts = { file: store?.file, isDestructive: isDangerous, patterns };
    const question = approvalQuestion(request, facts);
    const subject = subjectOf(request);
    if (!question) {
      note(`${subject} did not run: its arguments are nested too deeply to be shown.`);
      return denied('The arguments are nested too deeply to be shown to the user. Flatten them.');
    }
    const answer = isGone ? undefined : await ask(question, signal);
    const pattern = patterns.find((_, at) => answer?.choice === `always-${at}`);
    if (pattern !== undefined && question.choices.some(({ id }) => id === answer?.choice)) {
      kept.push(pattern);
      save(pattern);
      return { approved: true };
    }
    if (answer) return approvalAnswer(question, answer);
    isGone = true;
    note(`${subject} did not run: it needs approval, and nobody could be asked.`);
    // Many subagents may call the same tool; the advice is written once.
    if (!unasked.has(name) && askedBy === 'setting')
      note(`  To allow it: --allow '${name}', or ${configLine([...allowed, name])}`);
    unasked.add(name);
    return denied('This call needs the approval of the user, and nobody can be asked now.');
  }

  function save(allowed: Pattern): void {
    if (!store) return;
    try {
      store.save(allowed);
      const what = typeof allowed === 'string' ? allowed : patternText(allowed);
      note(`Saved in ${store.file}: ${what} runs without a question from now on.`);
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
    onAlways: save,
  };
}

function denied(reason: string): ApprovalAnswer {
  return { approved: false, reason };
}

function configLine(allow: readonly Pattern[]): string {
  const list = allow.map((one) => JSON.stringify(one)).join(', ');
  return `"approvals": { "allow": [${list}] }`;
}
