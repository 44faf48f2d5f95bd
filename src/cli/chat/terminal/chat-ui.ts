import { tmpdir } from 'node:os';
import {
  type Component,
  Editor,
  matchesKey,
  type Terminal,
  type TUI,
} from '@earendil-works/pi-tui';
import { errorMessage } from '../../../errors.ts';
import { COMMANDS, type CommandUi, type Item, isCommand, runCommand } from '../commands/index.ts';
import type { ChatHost } from '../host/index.ts';
import { completions, historyOf, withFiles } from '../input/index.ts';
import {
  type Aside,
  ChatDocument,
  cleanLine,
  statusLine,
  type Theme,
  wrapped,
} from '../view/index.ts';
import { editElsewhere, suspend } from './away.ts';
import { Foot } from './foot.ts';
import { Picker } from './picker.ts';
import { QuestionPanel } from './question-panel.ts';
import { type ChatScreen, createChatScreen, logFolder } from './screen.ts';
import { StatusSource } from './status-source.ts';

/** Most characters of a line of the chat itself. */
const MAX_LINE = 2_000;

export interface ChatUiOptions {
  readonly theme: Theme;
  readonly isInline: boolean;
  /** A message to begin with. */
  readonly prompt?: string | undefined;
  readonly terminal?: Terminal | undefined;
}

/** The chat on a terminal: what is seen and what is typed. The conversation itself is the host's. */
export class ChatUi {
  readonly #options: ChatUiOptions;
  readonly #screen: ChatScreen;
  readonly #document: ChatDocument;
  readonly #editor: Editor;
  readonly #status: StatusSource;
  readonly #foot: Foot;
  readonly #asides: Aside[] = [];
  readonly #ended = Promise.withResolvers<void>();
  #host: ChatHost | undefined;
  #picker: Picker | undefined;
  #panel: QuestionPanel | undefined;
  #command: AbortController | undefined;
  #isQuitAsked = false;

  constructor(options: ChatUiOptions) {
    this.#options = options;
    const { theme, isInline, terminal } = options;
    this.#document = new ChatDocument({
      theme,
      hide: (text) => this.#host?.hide(text) ?? text,
      view: () => this.#host?.talk.view ?? { turns: [] },
      asides: () => this.#asides,
      onToggle: () => this.update(),
    });
    this.#status = new StatusSource(() => this.update());
    this.#foot = new Foot({
      theme,
      input: () => this.#input,
      queue: () => this.#host?.talk.queue ?? [],
      status: (width) => this.#statusLine(width),
    });
    const made: { editor?: Editor } = {};
    const logs = logFolder(tmpdir());
    this.#screen = createChatScreen({ isInline, logs, terminal }, (tui) => {
      made.editor = this.#makeEditor(tui);
      return { document: this.#document, foot: this.#foot, remains: this.#document };
    });
    this.#editor = made.editor as Editor;
    this.#tui.addInputListener((data) => this.#key(data));
  }

  get #tui(): TUI {
    return this.#screen.tui;
  }

  /** What is typed into: a list, else an open question, else the editor. */
  get #input(): Component {
    const open = this.#host?.questions.open;
    if (this.#panel?.question !== open)
      this.#panel = open && new QuestionPanel(open, this.#options.theme);
    return this.#picker ?? this.#panel ?? this.#editor;
  }

  /** Draws what has changed. */
  readonly update = (): void => this.#tui.requestRender();

  /** Shows a line of the chat itself. */
  readonly note = (text: string): void => this.show([text]);

  /** Shows lines of the chat itself behind the conversation so far. */
  readonly show = (lines: readonly string[]): void => {
    const { dim } = this.#options.theme;
    const clean = lines.map((line) => cleanLine2(this.#host?.hide(line) ?? line));
    this.#asides.push({
      after: this.#host?.talk.view.turns.length ?? 0,
      draw: (width) => clean.flatMap((line) => wrapped(line, width).map(dim)),
    });
    this.update();
  };

  /** Takes over the terminal. Resolves when the user ends the chat. */
  async run(host: ChatHost, signal: AbortSignal): Promise<void> {
    this.#host = host;
    this.#status.follow(host);
    this.#editor.setAutocompleteProvider(
      completions(
        COMMANDS.map((command) => ({
          ...{ name: command.name, summary: command.summary },
          values: () => command.values?.(host) ?? [],
        })),
        process.cwd(),
      ),
    );
    const onAbort = () => this.#ended.resolve();
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    const onExit = () => this.#screen.stop({ preserve: true });
    process.once('exit', onExit);
    process.stdin.once('end', onAbort);
    this.#tui.setFocus(this.#foot);
    this.#screen.start();
    this.update();
    try {
      void this.#begin();
      await this.#ended.promise;
      this.#command?.abort();
      await host.talk.close();
    } finally {
      process.off('exit', onExit);
      process.stdin.off('end', onAbort);
      this.#screen.stop();
    }
  }

  /** What the chat does first: earlier messages for the arrow keys, the first message, an open turn. */
  async #begin(): Promise<void> {
    const host = this.#host as ChatHost;
    const { prompt } = this.#options;
    if (prompt !== undefined) this.#submit(prompt);
    const history = await historyOf(host.store, process.cwd()).catch(() => []);
    for (const text of history.toReversed()) this.#editor.addToHistory(text);
  }

  #makeEditor(tui: TUI): Editor {
    const editor = new Editor(tui, this.#options.theme.editor);
    editor.onSubmit = (text) => this.#submit(text);
    return editor;
  }

  /** A message or a command. */
  #submit(given: string): void {
    const text = given.trim();
    if (text === '') return;
    this.#editor.addToHistory(text);
    const work = isCommand(text) ? this.#runCommand(text) : this.#say(text);
    void work.catch((error) => this.note(errorMessage(error)));
  }

  async #say(text: string): Promise<void> {
    const host = this.#host as ChatHost;
    if (host.modelName === undefined) {
      this.#editor.setText(text);
      return this.show(NO_MODEL);
    }
    const { text: whole, problems } = await withFiles(text, process.cwd());
    for (const problem of problems) this.note(problem);
    host.talk.say(whole);
  }

  async #runCommand(text: string): Promise<void> {
    const command = new AbortController();
    this.#command = command;
    const ui: CommandUi = {
      host: this.#host as ChatHost,
      commands: COMMANDS,
      show: this.show,
      pick: (title, items) => this.pick(title, items),
      signal: command.signal,
      quit: () => this.#ended.resolve(),
    };
    try {
      await runCommand(ui, text);
    } finally {
      if (this.#command === command) this.#command = undefined;
    }
  }

  /** Lets the user choose. Undefined if nothing is chosen. */
  async pick(title: string, items: readonly Item[]): Promise<string | undefined> {
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    this.#picker = new Picker({ theme: this.#options.theme, title }, items, resolve);
    this.update();
    try {
      return await promise;
    } finally {
      this.#picker = undefined;
      this.update();
    }
  }

  /** Keys that work wherever the cursor is. */
  #key(data: string): { consume: true } | undefined {
    if (!matchesKey(data, 'ctrl+c')) this.#isQuitAsked = false;
    if (this.#picker) return;
    for (const [key, act] of this.#keys) {
      if (matchesKey(data, key) && act()) {
        this.update();
        return { consume: true };
      }
    }
    return;
  }

  /** Each returns whether it has used the key. */
  readonly #keys: readonly (readonly [Parameters<typeof matchesKey>[1], () => boolean])[] = [
    ['ctrl+c', () => this.#interrupt()],
    ['escape', () => !this.#editor.isShowingAutocomplete() && this.#cancel()],
    ['ctrl+d', () => this.#editor.getText() === '' && !this.#panel && this.#end()],
    ['ctrl+o', () => this.#does(() => this.#document.toggleAll())],
    ['ctrl+r', () => !this.#panel && this.#does(() => void this.#searchHistory())],
    ['ctrl+g', () => !this.#panel && this.#does(() => void this.#edit())],
    ['ctrl+z', () => this.#does(() => suspend(this.#screen))],
  ];

  #does(act: () => void): true {
    act();
    return true;
  }

  #end(): true {
    this.#ended.resolve();
    return true;
  }

  /** Cancels the command or the turn. Messages that waited come back into the input. */
  #cancel(): boolean {
    const { talk } = this.#host as ChatHost;
    if (this.#command && !this.#command.signal.aborted) {
      this.#command.abort(new Error('The user cancelled the command.'));
      return true;
    }
    if (talk.state !== 'running') return false;
    const waiting = talk.unqueue();
    if (waiting.length > 0)
      this.#editor.setText([...waiting, this.#editor.getText()].join('\n').trim());
    void talk.cancel();
    return true;
  }

  /** Ctrl-C: cancels, else empties the input, else asks to be pressed again. */
  #interrupt(): boolean {
    if (this.#cancel()) return true;
    if (this.#editor.getText() !== '') {
      this.#editor.setText('');
      return true;
    }
    if (this.#isQuitAsked) return this.#end();
    this.#isQuitAsked = true;
    return true;
  }

  async #searchHistory(): Promise<void> {
    const host = this.#host as ChatHost;
    const said = await historyOf(host.store, process.cwd());
    const items = said.map((text, at) => ({ value: String(at), label: text.slice(0, 500) }));
    const chosen = await this.pick('Search what you wrote', items);
    if (chosen !== undefined) this.#editor.setText(said[Number(chosen)] ?? '');
  }

  async #edit(): Promise<void> {
    try {
      this.#editor.setText(await editElsewhere(this.#screen, this.#editor.getExpandedText()));
    } catch (error) {
      this.note(errorMessage(error));
    }
  }

  #statusLine(width: number): string {
    const { theme } = this.#options;
    const host = this.#host;
    if (!host) return '';
    if (this.#isQuitAsked)
      return theme.warn('Press Ctrl-C again to end the chat. The session is kept.'.slice(0, width));
    return statusLine(host.talk.view, this.#status.facts(host), theme, width);
  }
}

const NO_MODEL = [
  'No model is chosen, so nothing can be asked. There are three ways:',
  '  a key:      set ANTHROPIC_API_KEY or OPENAI_API_KEY, and start again with --model provider/name',
  '  by name:    /model provider/name, --model, or TOOLFOLD_MODEL',
  '  a local one: toolfold chat --model local/qwen3 --base-url http://127.0.0.1:11434/v1',
];

/** A line with its leading spaces. */
function cleanLine2(line: string): string {
  const indent = /^ */.exec(line)?.[0] ?? '';
  return `${indent}${cleanLine(line, MAX_LINE)}`;
}
