import {
  type ApprovalAnswer,
  type ApprovalRequest,
  type ApprovalScope,
  approvalScopes,
} from '../../agent/index.ts';
import { errorMessage } from '../../errors.ts';
import { type AskLine, byLine, type Choice, type Choose } from '../questions/index.ts';
import { formatNumber, oneLine } from '../terminal/index.ts';
import { ANSWERS, deniedBecause, TOO_DEEP } from './answers.ts';
import { visibleArguments } from './visible-arguments.ts';

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
   * Asks for a line. `undefined` means that no answer can come, now or later. Throws when the signal
   * aborts. Undefined if nobody can be asked.
   */
  readonly askLine: AskLine | undefined;
  /** Asks on a screen, with a mark at one of the choices. Left out, the choices are letters of a line. */
  readonly choose?: Choose | undefined;
  /** Whether a tool says that it may destroy something. */
  readonly isDestructive?: ((name: string) => boolean) | undefined;
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

/**
 * On a line, the first letter of an answer such as "yes" counts. After any other answer the question is
 * repeated. The text before the question hides nothing: invisible characters are escaped, padding
 * is replaced by its length, long arguments are shown by their beginning, end and length, and one choice
 * shows them in full. Calls with arguments that cannot be shown are denied.
 */
export function createApprover(options: ApproverOptions): Approver {
  const { note, hold, allowed, store, choose: onScreen, isDestructive = () => false } = options;
  const { askLine = async () => undefined } = options;
  let choose = onScreen ?? (options.askLine && byLine(options.askLine));
  const unasked = new Set<string>();

  /** Asks until there is an answer. `undefined` if nobody answers. */
  async function answerTo(asked: Asked, signal: AbortSignal): Promise<ApprovalAnswer | undefined> {
    const { subject, name, file, choices } = asked;
    const marked = isDestructive(name) ? 'reject' : 'once';
    note(asked.about);
    while (choose !== undefined) {
      const chosen = await choose({ text: `Run ${subject}?`, choices, marked }, signal);
      if (chosen === undefined) choose = undefined;
      if (chosen === 'view') note(asked.full);
      else if (chosen === 'because') {
        const reason = await askLine(`Why not run ${subject}? The model reads it > `, signal);
        return deniedBecause(reason ?? '');
      } else if (chosen !== 'always' || !onScreen) {
        const answer = ANSWERS.get(chosen ?? '');
        if (answer) return answer;
      } else if ((await onScreen(alwaysQuestion(name, file), signal)) === 'always')
        return ANSWERS.get('always');
      else note(asked.about);
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
      if (choose !== undefined) {
        const { full, short, length, isShortened } = shown;
        const answer = await hold(() => {
          const why = reason === undefined ? '' : ` (${oneLine(reason, MAX_REASON)})`;
          const view = isShortened && (onScreen ? '“Show all arguments”' : 'v');
          const rest = view
            ? `\nThe arguments have ${formatNumber(length)} characters. Answer ${view} to see all of them.`
            : '';
          const danger =
            onScreen && isDestructive(name) ? ' The tool says that it may destroy something.' : '';
          const about = `${`${subject} ${short}`.trimEnd()}${rest}\nneeds your approval${why}.${danger}`;
          const file = oneLine(store?.file ?? '', MAX_FILE);
          const scopes = approvalScopes(request).filter((scope) => store || scope !== 'always');
          const choices = choicesOf(scopes, file, isShortened);
          const asked = { subject, name, file, about, choices, full: `${subject} ${full}` };
          return answerTo(asked, signal);
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

/** What is asked about a call. */
interface Asked {
  /** The call, in words. */
  readonly subject: string;
  readonly name: string;
  /** The file in which "always" is saved. */
  readonly file: string;
  readonly about: string;
  readonly choices: readonly Choice[];
  /** The call with all its arguments. */
  readonly full: string;
}

function choicesOf(
  scopes: readonly ApprovalScope[],
  file: string,
  isShortened: boolean,
): readonly Choice[] {
  const view = { id: 'view', label: 'Show all arguments' };
  const all: readonly Choice[] = [
    { id: 'once', label: 'Allow once', line: { letters: 'y', words: 'once' } },
    {
      id: 'session',
      label: 'Allow for this session',
      line: { letters: 's', words: 'every time in this run' },
    },
    {
      id: 'always',
      label: `Always allow (saved in ${file})`,
      line: { letters: 'a', words: `always (saved in ${file})` },
    },
    { id: 'reject', label: 'No', line: { letters: 'n', words: 'no' } },
    { id: 'because', label: 'No, because …' },
    { ...view, line: { letters: 'v?', words: 'view in full' } },
  ];
  const left: readonly string[] = [
    ...(['session', 'always'] as const).filter((scope) => !scopes.includes(scope)),
    ...(isShortened ? [] : ['view']),
  ];
  return all.filter(({ id }) => !left.includes(id));
}

/** "Always" is confirmed where one key has chosen it. */
function alwaysQuestion(name: string, file: string) {
  return {
    text: `From now on, run ${oneLine(name, MAX_NAME)} without a question? ${file} keeps this.`,
    choices: [
      { id: 'back', label: 'No, go back' },
      { id: 'always', label: 'Yes, always' },
    ],
    marked: 'back',
  };
}

/** Saves an approval, and writes a line about the result. */
function saveAlways(
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
