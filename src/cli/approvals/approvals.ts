import type { ApprovalAnswer, ApprovalRequest } from '../../agent/index.ts';
import { oneLine } from '../terminal/index.ts';
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
}

/** Asks the person at the terminal, or refuses for want of one. */
export interface Approver {
  readonly ask: (request: ApprovalRequest) => Promise<ApprovalAnswer>;
  /** Says what to write into the configuration. */
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
  const { note, hold, allowed } = options;
  let { askLine } = options;
  const unasked = new Set<string>();
  const always = [...allowed];

  /** Until the answer is one; `undefined` where nobody gives any. */
  async function answerTo(question: string, full: string, signal: AbortSignal) {
    while (askLine !== undefined) {
      const line = await askLine(question, signal);
      if (line === undefined) askLine = undefined;
      const letter = (line ?? '').trim().slice(0, 1).toLowerCase();
      if (VIEW.has(letter)) note(full);
      const answer = answers.get(letter);
      if (answer !== undefined) return answer;
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
          const rest = isShortened ? `\n${length} characters in all; answer v to see them.` : '';
          note(`${`${what} ${short}`.trimEnd()}${rest}\nneeds your approval${why}.`);
          const view = isShortened ? 'v: view in full, ' : '';
          const choices = `${view}y: once, s: for this session, a: always, n: no`;
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
      always.push(name);
      note(`To keep this, put into the toolfold block: ${configLine(always)}`);
    },
  };
}

function configLine(allow: readonly string[]): string {
  return `"approvals": { "allow": ${JSON.stringify(allow).replaceAll('","', '", "')} }`;
}
