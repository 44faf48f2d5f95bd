import { type InOrder, queueOfWork } from '@toolfold/core/internal/values';
import { type Chat, harmlessInput, isCommand } from '../chat/index.ts';
import { cleanLine, cleanText, oneLine } from '../chat-view/index.ts';
import { withFiles } from '../terminal/index.ts';

const WITHOUT_MODEL =
  'No model is chosen, so the message waits. /model chooses one and sends it, Esc takes it back.';

/** What an outbox needs of the screen. */
interface OutboxOptions {
  /** Undefined until it is loaded. */
  readonly host: () => Chat | undefined;
  /** Puts a message back into the input. */
  readonly takeBack: (texts: readonly string[]) => void;
  readonly show: (lines: readonly string[]) => void;
}

/** Messages and commands that wait for the host, and then messages whose files are read. */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #unsent: string[] = [];
  /** Messages that wait for a model. */
  readonly #held: string[] = [];
  /** Messages are sent in the order in which they were typed, however long their files take to read. */
  readonly #inOrder: InOrder = queueOfWork();
  /** The message that was not sent, because it mentions a file that is not attached. */
  #refused: string | undefined;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  add(text: string): void {
    this.#unsent.push(text);
  }

  /** Takes out all. */
  take(): string[] {
    return [...this.#held.splice(0), ...this.#unsent.splice(0)];
  }

  /** What is left when the chat ends, as one text with what stands in the box. */
  left(box: string): string {
    return [...this.take(), box].filter((text) => text !== '').join('\n');
  }

  /** Sends what waits for a model, if there is one now. */
  sendHeld(): void {
    if (this.#options.host()?.modelName === undefined) return;
    this.#unsent.push(...this.#held);
    for (const text of this.#held.splice(0)) void this.send(text);
  }

  /** The message whose turn begins next or begins now. */
  get sending(): string | undefined {
    const { talk } = this.#options.host() ?? {};
    if (talk?.sending !== undefined) return talk.sending;
    const [first] = this.#unsent;
    const isFree = !talk || (talk.state === 'idle' && talk.queue.length === 0);
    return isFree && first !== undefined && !isCommand(first) ? first : undefined;
  }

  /** What waits behind the turn that runs, and behind the message that is being sent. */
  get queue(): readonly string[] {
    const { talk } = this.#options.host() ?? {};
    const isFirstShown = talk?.sending === undefined && this.sending !== undefined;
    return [...(talk?.queue ?? []), ...this.#held, ...this.#unsent.slice(isFirstShown ? 1 : 0)];
  }

  /** Sends a message that was added, with its files. A message whose files cannot be attached goes back. */
  send(text: string): Promise<void> {
    return this.#inOrder(() => this.#send(text));
  }

  async #send(text: string): Promise<void> {
    const { host, takeBack, show } = this.#options;
    if (host()?.modelName === undefined) {
      this.#held.push(...this.#unsent.splice(0, 1));
      return show([WITHOUT_MODEL]);
    }
    const attached = await withFiles(text, process.cwd());
    this.#unsent.shift();
    const wrong = [...attached.problems, ...attached.missing];
    if (wrong.length > 0 && this.#refused !== text) {
      this.#refused = text;
      takeBack([text]);
      return show([...wrong, 'The message was not sent. Enter sends it without that.']);
    }
    this.#refused = undefined;
    host()?.talk.say(attached.text, { typed: text, files: attached.files });
  }
}

/** Most characters of a line above the message box. */
const MAX_LINE = 200;
/** Most lines of a command that runs, and rows of a screen on which there are none. */
const MAX_SAID = 10;
const LOW = 12;

/** What is said of messages that another process has left. */
export const LEFT =
  'What waited when the chat ended is above the input. The next message sends it first, Esc takes it back.';
/** What stands below a line that begins with `!`. */
export const SHELL = 'Enter runs it in your shell. The model sees nothing of it.';

/** Most lines of the output of a command that runs. */
export function mostSaid(rows: number): number {
  return Math.max(0, Math.min(MAX_SAID, (rows - LOW) >> 1));
}

/** What waits above the message box: messages, and the lines of commands that run. */
export function waitingLines(
  queue: readonly string[],
  running: readonly string[],
  width: number,
): readonly string[] {
  return [
    ...queue.map((text) => cleanLine(`↑ ${text}`, MAX_LINE)),
    ...running.map((line) => cleanText(line, MAX_LINE).replaceAll('\n', ' ')),
  ].map((line) => oneLine(line, { width }));
}

/** What Up brings back: what was sent or taken out of the box here, and below it what earlier sessions hold. */
export class InputHistory {
  readonly #put: (text: string) => void;
  /** What was typed before the rest was read. */
  #early: string[] = [];

  /** `put`: the editor takes a text on top of the others. */
  constructor(put: (text: string) => void) {
    this.#put = put;
  }

  add(text: string): void {
    const line = harmlessInput(text);
    this.#early.push(line);
    this.#put(line);
  }

  /** Puts earlier texts, the newest first, below what was typed meanwhile. */
  load(earlier: readonly string[]): void {
    for (const text of [...earlier.toReversed(), ...this.#early.splice(0)]) this.#put(text);
  }
}
