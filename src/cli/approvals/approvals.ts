import {
  type ApprovalAnswer,
  type ApprovalRequest,
  type ApprovalScope,
  approvalScopes,
} from '../../agent/index.ts';
import { errorMessage } from '../../errors.ts';
import { formatNumber, oneLine } from '../terminal/index.ts';
import { ANSWERS, TOO_DEEP } from './answers.ts';
import { visibleArguments } from './visible-arguments.ts';

export type AskLine = (
  question: string,
  signal: AbortSignal,
  keys?: string,
) => Promise<string | undefined>;

/** How the command line asks for approvals. */
export interface ApproverOptions {
  /** Writes a line to stderr at once, also while `hold` is pending. */
  readonly note: (text: string) => void;
  /**
   * Runs `ask`, and holds back all other lines meanwhile. They would separate a question from its
   * subject.
   */
  readonly hold: <T>(ask: () => Promise<T>) => Promise<T>;
  /**
   * Asks a question. `keys`: the letters that are an answer by themselves. `undefined` means that no
   * answer can come, now or later. Throws when the signal aborts. Undefined if nobody can be asked.
   */
  readonly askLine: AskLine | undefined;
  /** The signal of the whole run. After it aborts, nothing is asked. */
  readonly signal: AbortSignal;
  /** Globs that the configuration already allows. */
  readonly allowed: readonly string[];
  /** Where "always" is saved. Without it, "always" is not offered. */
  readonly store?: ApprovalStore | undefined;
}

/** The file in which approvals are saved. */
export interface ApprovalStore {
  /** The path as the user sees it. */
  readonly file: string;
  /** Throws if the approval cannot be saved. */
  readonly save: (name: string) => void;
}

/** Asks the user at the terminal. Denies the call if nobody can be asked. */
export interface Approver {
  readonly ask: (request: ApprovalRequest) => Promise<ApprovalAnswer>;
  /** Saves the approval, and writes a line about the result. */
  readonly onAlways: (name: string) => void;
  /** Tools that were denied because nobody could be asked. */
  readonly unasked: ReadonlySet<string>;
}

/** Most characters of the arguments in a question: their beginning and their end. `v` shows all. */
const MAX_ARGUMENTS = 2_000;
/** Most characters of the app's reason. */
const MAX_REASON = 300;
/** Most characters of the tool's name and of the subagent's path in a question. */
const MAX_NAME = 64;
/** Most characters of the path of the file in which "always" is saved. */
const MAX_FILE = 80;

const LETTERS: ReadonlyMap<string, string> = new Map([
  ['y', 'once'],
  ['s', 'session'],
  ['a', 'always'],
  ['n', 'reject'],
]);

/** The letters of all answers. */
const KEYS = 'yvsan';

/** The answers that show the arguments in full. */
const VIEW = new Set(['v', '?']);

/**
 * The first letter of an answer such as "yes" counts. After any other answer the question is
 * repeated. The text before the question hides nothing: invisible characters are escaped, padding
 * is replaced by its length, long arguments are shown by their beginning, end and length, and `v`
 * shows them in full. Calls with arguments that cannot be shown are denied.
 */
export function createApprover(options: ApproverOptions): Approver {
  const { note, hold, allowed, store } = options;
  let { askLine } = options;
  const unasked = new Set<string>();

  /** Asks until the answer is one of those that are offered. `undefined` if nobody answers. */
  async function answerTo(
    question: string,
    full: string,
    scopes: readonly ApprovalScope[],
    signal: AbortSignal,
  ) {
    while (askLine !== undefined) {
      const line = await askLine(question, signal, keysOf(scopes));
      if (line === undefined) askLine = undefined;
      const letter = (line ?? '').trim().slice(0, 1).toLowerCase();
      if (VIEW.has(letter)) note(full);
      const answer = ANSWERS.get(LETTERS.get(letter) ?? '');
      if (answer && (answer.scope === undefined || scopes.includes(answer.scope))) return answer;
    }
    return;
  }

  return {
    unasked,
    async ask(request) {
      const { name, arguments: callArguments, reason, subagent, signal: callSignal } = request;
      const signal = callSignal ? AbortSignal.any([options.signal, callSignal]) : options.signal;
      signal.throwIfAborted();
      const asker = subagent === undefined ? '' : `[${oneLine(subagent, MAX_NAME)}] `;
      const subject = `${asker}${oneLine(name, MAX_NAME)}`;
      const shown = visibleArguments(callArguments, MAX_ARGUMENTS);
      if (shown === undefined) {
        note(`${subject} did not run: its arguments are nested too deeply to be shown.`);
        return TOO_DEEP;
      }
      if (askLine !== undefined) {
        const { full, short, length, isShortened } = shown;
        const answer = await hold(() => {
          const why = reason === undefined ? '' : ` (${oneLine(reason, MAX_REASON)})`;
          const rest = isShortened
            ? `\nThe arguments have ${formatNumber(length)} characters. Answer v to see all of them.`
            : '';
          note(`${`${subject} ${short}`.trimEnd()}${rest}\nneeds your approval${why}.`);
          const view = isShortened ? 'v: view in full, ' : '';
          const scopes = approvalScopes(request).filter((scope) => store || scope !== 'always');
          const session = scopes.includes('session') ? 's: every time in this run, ' : '';
          const file = oneLine(store?.file ?? '', MAX_FILE);
          const always = scopes.includes('always') ? `a: always (saved in ${file}), ` : '';
          const choices = `${view}y: once, ${session}${always}n: no`;
          return answerTo(`Run ${subject}? ${choices} > `, `${subject} ${full}`, scopes, signal);
        });
        if (answer !== undefined) return answer;
      }
      note(`${subject} did not run: it needs approval, and nobody could be asked.`);
      // Many subagents may call the same tool; the advice is written once.
      if (!unasked.has(name) && request.askedBy === 'setting')
        note(`  To allow it: --allow '${name}', or ${configLine([...allowed, name])}`);
      unasked.add(name);
      return {
        approved: false,
        reason: 'This call needs the approval of the user, and nobody can be asked now.',
      };
    },
    onAlways: (name) => store && saveAlways(store, name, note),
  };
}

/** The letters that are an answer to a question with these scopes. */
function keysOf(scopes: readonly ApprovalScope[]): string {
  const without = [
    ...(scopes.includes('session') ? [] : ['s']),
    ...(scopes.includes('always') ? [] : ['a']),
  ];
  return [...KEYS].filter((key) => !without.includes(key)).join('');
}

/** Saves an approval, and writes a line about the result. */
export function saveAlways(
  { file, save }: ApprovalStore,
  name: string,
  note: (text: string) => void,
): void {
  try {
    save(name);
    note(`Saved in ${file}: ${name} runs without a question from now on.`);
  } catch (error) {
    note(`The approval could not be saved and holds for this run only: ${errorMessage(error)}`);
  }
}

function configLine(allow: readonly string[]): string {
  return `"approvals": { "allow": ${JSON.stringify(allow).replaceAll('","', '", "')} }`;
}
