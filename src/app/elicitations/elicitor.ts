import type { AskedElicitation } from '../../agent/index.ts';
import type { ElicitationAnswer, FormValue } from '../../tools/tool/index.ts';
import { type AskLine, byLine, type Choose, type Question } from '../questions/index.ts';
import { oneLine } from '../terminal/index.ts';
import { fieldLines, fieldQuestion, readField } from './field-line.ts';

/** How the command line asks what servers want to know. */
export interface ElicitorOptions {
  /** Writes a line to stderr at once, also while `hold` is pending. */
  readonly note: (text: string) => void;
  /** Runs `ask` after earlier questions, and holds back all other lines meanwhile. */
  readonly hold: <T>(ask: () => Promise<T>) => Promise<T>;
  /** Asks a question. `undefined` if no answer can come. Throws when the signal aborts. */
  readonly askLine: AskLine;
  /** Asks on a screen whether to answer. Left out, the choices are letters of a line. */
  readonly choose?: Choose;
  /** The signal of the whole run. */
  readonly signal: AbortSignal;
}

/** Most characters of the names of a server and of a tool. */
const MAX_NAME = 64;

/** What is shown of an elicitation. */
type Asked = Omit<AskedElicitation, 'elicitationId' | 'id'>;

const YES_OR_NO = [
  { id: 'yes', label: 'Yes', line: { letters: 'y', words: 'yes' } },
  { id: 'no', label: 'No', line: { letters: 'n', words: 'no' } },
];
const FORM: Question = { text: 'Answer?', choices: YES_OR_NO, marked: 'yes' };
const PAGE: Question = { text: 'Have you opened the page?', choices: YES_OR_NO, marked: 'no' };

const CANCEL: ElicitationAnswer = { action: 'cancel' };

/**
 * Asks the user at the terminal: first whether to answer at all, then one field after the other. A line
 * that does not fit is asked again. The end of the input cancels.
 */
export function createElicitor({
  note,
  hold,
  askLine,
  choose = byLine(askLine),
  signal: run,
}: ElicitorOptions): (asked: Asked) => Promise<ElicitationAnswer> {
  async function fill({ fields }: Asked, signal: AbortSignal) {
    const content: Record<string, FormValue> = {};
    for (const field of fields) {
      for (const line of fieldLines(field)) note(line);
      for (;;) {
        const line = await askLine(fieldQuestion(field), signal);
        if (line === undefined) return;
        const { value, problem } = { value: undefined, ...readField(field, line) };
        if (problem !== undefined) note(`  Not accepted: ${problem}.`);
        else if (value !== undefined) content[field.name] = value;
        if (problem === undefined) break;
      }
    }
    return content;
  }

  async function answerTo(asked: Asked, signal: AbortSignal): Promise<ElicitationAnswer> {
    const { name, message, url, problems = [], subagent } = asked;
    const server = oneLine(asked.server, MAX_NAME);
    const who = subagent === undefined ? '' : `[${oneLine(subagent, MAX_NAME)}] `;
    note(`${who}The server ${server} asks you while ${oneLine(name, MAX_NAME)} runs:`);
    for (const line of message.split('\n')) note(`  ${line}`);
    for (const { field, problem } of problems) note(`  ${field}: ${problem}.`);
    const what = url === undefined ? 'Your answers are sent to' : 'The page was chosen by';
    note(`${what} ${server}. Give no passwords or keys.`);
    if (url !== undefined) note(`  ${url}`);
    const chosen = await choose(url === undefined ? FORM : PAGE, signal);
    if (chosen === undefined) return CANCEL;
    if (chosen === 'no') return { action: 'decline' };
    if (url !== undefined) return { action: 'accept' };
    const content = await fill(asked, signal);
    return content === undefined ? CANCEL : { action: 'accept', content };
  }

  return (asked) => {
    const signal = AbortSignal.any([run, asked.signal]);
    return hold(async () => {
      signal.throwIfAborted();
      return answerTo(asked, signal);
    });
  };
}
