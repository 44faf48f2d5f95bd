import type { ApprovalAnswer, ApprovalRequest } from '../../agent/index.ts';
import { errorMessage } from '../../errors.ts';
import { figure, oneLine } from '../terminal/index.ts';
import { visibleArguments } from './visible-arguments.ts';

/** Where approvals are asked. */
export interface ApproverOptions {
  /** Writes a line for people at once, while `hold` is under way too. */
  readonly note: (text: string) => void;
  /** Does it with all lines of others held back: they would part a question from what it is about. */
  readonly hold: <T>(ask: () => Promise<T>) => Promise<T>;
  /**
   * Asks a question; `undefined` for no answer, now and ever after, and throws when the signal fires:
   * nobody waits for one any more. Left out where there is nobody to ask.
   */
  readonly askLine:
    | ((question: string, signal: AbortSignal) => Promise<string | undefined>)
    | undefined;
  /** Of the whole run: once it fires nothing is asked. */
  readonly signal: AbortSignal;
  /** Globs that the configuration allows already. */
  readonly allowed: readonly string[];
  /** Where "always" is saved; left out, it is not offered. */
  readonly keep?: ApprovalStore | undefined;
}

/** A file that approvals are saved in. */
export interface ApprovalStore {
  /** As it is shown. */
  readonly file: string;
  /** Throws where it cannot be saved. */
  readonly save: (name: string) => void;
}

/** Asks the person at the terminal, or refuses for want of one. */
export interface Approver {
  readonly ask: (request: ApprovalRequest) => Promise<ApprovalAnswer>;
  /** Saves it, and says so. */
  readonly onAlways: (name: string) => void;
  /** Tools that were refused because nobody could be asked. */
  readonly unasked: ReadonlySet<string>;
}

/** Characters of the arguments shown with the question, their beginning and their end; `v` shows all. */
const MAX_ARGUMENTS = 2_000;
/** Characters of the app's reason. */
const MAX_REASON = 300;
/** Characters of the tool's name in a question, and of the subagent's path. */
const MAX_NAME = 64;
/** Characters of the path of the file that "always" is saved in. */
const MAX_FILE = 80;

const answers: ReadonlyMap<string, ApprovalAnswer> = new Map([
  ['y', { approved: true, scope: 'once' }],
  ['s', { approved: true, scope: 'session' }],
  ['a', { approved: true, scope: 'always' }],
  ['n', { approved: false, reason: 'The user does not want this call.' }],
]);

/** What shows the arguments in full. */
const VIEW = new Set(['v', '?']);

/**
 * Of words such as "yes" the first letter counts; anything else is asked again. What is shown before
 * the question hides nothing: invisible characters are escaped, padding is told as a number, of long
 * arguments beginning, end and length are shown, and `v` shows them in full. Arguments that cannot
 * be shown are refused.
 */
export function createApprover(options: ApproverOptions): Approver {
  const { note, hold, allowed, keep } = options;
  let { askLine } = options;
  const unasked = new Set<string>();

  /** Until the answer is one; `undefined` where nobody gives any. */
  async function answerTo(question: string, full: string, signal: AbortSignal) {
    while (askLine !== undefined) {
      const line = await askLine(question, signal);
      if (line === undefined) askLine = undefined;
      const letter = (line ?? '').trim().slice(0, 1).toLowerCase();
      if (VIEW.has(letter)) note(full);
      const answer = answers.get(letter);
      if (answer !== undefined && (keep || answer.scope !== 'always')) return answer;
    }
    return;
  }

  return {
    unasked,
    async ask({ name, arguments: given, reason, subagent, signal: own }) {
      const signal = own ? AbortSignal.any([options.signal, own]) : options.signal;
      signal.throwIfAborted();
      const who = subagent === undefined ? '' : `[${oneLine(subagent, MAX_NAME)}] `;
      const what = `${who}${oneLine(name, MAX_NAME)}`;
      const shown = visibleArguments(given, MAX_ARGUMENTS);
      if (shown === undefined) {
        note(`${what} was not run: its arguments are nested too deeply to be shown.`);
        return {
          approved: false,
          reason: 'The arguments are nested too deeply to be shown to the user. Flatten them.',
        };
      }
      if (askLine !== undefined) {
        const { full, short, length, isShortened } = shown;
        const answer = await hold(() => {
          const why = reason === undefined ? '' : ` (${oneLine(reason, MAX_REASON)})`;
          const rest = isShortened
            ? `\n${figure(length)} characters in all; answer v to see them.`
            : '';
          note(`${`${what} ${short}`.trimEnd()}${rest}\nneeds your approval${why}.`);
          const view = isShortened ? 'v: view in full, ' : '';
          const always = keep ? `a: always (saved in ${oneLine(keep.file, MAX_FILE)}), ` : '';
          const choices = `${view}y: once, s: every time in this run, ${always}n: no`;
          return answerTo(`Run ${what}? ${choices} > `, `${what} ${full}`, signal);
        });
        if (answer !== undefined) return answer;
      }
      note(`${what} was not run: it needs approval, and nobody could be asked.`);
      // Many subagents may want the same tool.
      if (!unasked.has(name))
        note(`  To let it run: --allow '${name}', or ${configLine([...allowed, name])}`);
      unasked.add(name);
      return {
        approved: false,
        reason: 'This call needs the approval of the user, and nobody can be asked now.',
      };
    },
    onAlways(name) {
      if (!keep) return;
      try {
        keep.save(name);
        note(`Saved in ${keep.file}: ${name} runs without asking.`);
      } catch (error) {
        note(`Not saved, so it holds for this run only: ${errorMessage(error)}`);
      }
    },
  };
}

function configLine(allow: readonly string[]): string {
  return `"approvals": { "allow": ${JSON.stringify(allow).replaceAll('","', '", "')} }`;
}
