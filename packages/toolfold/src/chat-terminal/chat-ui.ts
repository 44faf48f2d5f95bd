import {
  type Component,
  Editor,
  type Focusable,
  isFocusable,
  isKeyRelease,
  type KeyId,
  matchesKey,
  type Terminal,
  type TUI,
} from '@earendil-works/pi-tui';
import { errorMessage } from '@toolfold/core/internal/errors.ts';
import { within } from '@toolfold/core/internal/values';
import {
  type Chat,
  COMMANDS,
  type CommandUi,
  harmlessInput,
  isCommand,
  type MenuItem,
  readKeys,
  runCommand,
  shellCommandIn,
} from '../chat/index.ts';
import { ChatDocument, statusLine, type Theme } from '../chat-view/index.ts';
import { Typing } from '../terminal/index.ts';
import { completions } from './completions.ts';
import { InputHistory, LEFT, mostSaid, Outbox, SHELL, waitingLines } from './outbox.ts';
import { Picker } from './picker.ts';
import { AskedChanges, QuestionPanel } from './question-panel.ts';
import { type ChatScreen, createChatScreen, editElsewhere, suspend, whileShown } from './screen.ts';
import { RunningCommands, ShellBox } from './shell-box.ts';
import { BelowMark, ChatStatus } from './status.ts';

/** Milliseconds for which the end of the chat waits for the end of its turn. */
const PATIENCE = 1500;

interface ChatUiOptions {
  readonly theme: Theme;
  readonly isInline: boolean;
  /** A message to begin with. */
  readonly prompt?: string | undefined;
  /** The user chooses a session first. */
  readonly choosesSession?: boolean | undefined;
  readonly terminal?: Terminal | undefined;
}

/**
 * The chat on a terminal: what is seen and what is typed. The conversation itself is the host's. As a component it is
 * the lower part of the screen: messages that wait, a question, the input, the status line.
 */
export class ChatUi implements Component, Focusable {
  readonly #options: ChatUiOptions;
  readonly #screen: ChatScreen;
  readonly #document: ChatDocument;
  readonly #editor: Editor;
  readonly #history = new InputHistory((text) => this.#editor.addToHistory(text));
  readonly #ended = Promise.withResolvers<void>();
  /** Undefined until it is loaded. */
  #host: Chat | undefined;
  readonly #outbox: Outbox;
  #picker: Picker | undefined;
  #panel: QuestionPanel | undefined;
  #status: ChatStatus | undefined;
  #focused = false;
  readonly #typing = new Typing();
  readonly #changes: AskedChanges;
  readonly #commands = new RunningCommands(() => this.update());
  readonly #shell: ShellBox;
  readonly #below = new BelowMark();
  #isQuitAsked = false;
  /** The first turn that remains on the terminal when the chat ends. */
  #firstTurn = 0;

  constructor(options: ChatUiOptions) {
    this.#options = options;
    const { theme, isInline, terminal, prompt } = options;
    const box = {
      ...{ host: () => this.#host, show: this.show },
      takeBack: (texts: readonly string[]) => this.#takeBack(texts),
    };
    this.#outbox = new Outbox(box);
    const remember = (text: string) => this.#editor.addToHistory(harmlessInput(text));
    const rest = { remember, commands: this.#commands, typing: this.#typing };
    this.#shell = new ShellBox({ ...box, ...rest });
    if (prompt !== undefined) this.#outbox.add(prompt);
    this.#changes = new AskedChanges({ theme, hide: this.#hide, onChange: this.update });
    this.#document = new ChatDocument({
      ...{ theme, isInline, hide: this.#hide },
      isAtEnd: () => this.#screen.isAtEnd,
      view: () => this.#host?.talk.view ?? { turns: [] },
      sending: () => this.#outbox.sending,
      onToggle: this.update,
      onEarlier: (lines) => {
        this.#tui.renderNow();
        this.#screen.scrollBy(this.#document.height - lines);
      },
      status: () => this.#status,
      changed: this.#changes.lines,
    });
    const belowMark = () => theme.mark(this.#below.text(this.#host, this.#document));
    const beforeMove = () => {
      if (this.#document.complete()) this.#tui.renderNow();
    };
    const { dim } = theme;
    this.#screen = createChatScreen({ isInline, terminal, dim, belowMark, beforeMove });
    this.#screen.show(this.#document, this);
    this.#editor = new Editor(this.#tui, theme.editor);
    this.#editor.onSubmit = (text) => {
      void (this.#shell.submit(text)?.catch(this.#noteError) ?? this.#submit(text));
    };
    this.#editor.onChange = (text) => {
      // The next key may belong to the next message.
      if (text === '') this.#panel?.interrupt();
    };
    this.#tui.addInputListener((data) => this.#key(data) ?? { data: readKeys(data) });
  }

  readonly #hide = (text: string): string => this.#host?.hide(text) ?? text;

  get #tui(): TUI {
    return this.#screen.tui;
  }

  /** The open question. */
  get #question(): QuestionPanel | undefined {
    const open = this.#host?.questions.open;
    const { theme } = this.#options;
    if (this.#panel?.question !== open) {
      this.#panel?.close();
      const call = open?.about.call;
      if (call) void this.#changes.ask(call);
      this.#panel =
        open &&
        new QuestionPanel(open, {
          theme,
          rows: () => Math.min(this.#tui.terminal.rows * 0.6, this.#tui.terminal.rows - 7) | 0,
          isBoxEmpty: () => this.#editor.getText() === '',
          typing: this.#typing,
          onChange: this.update,
          changed: (width) => call && this.#changes.lines(call, width),
        });
    }
    return this.#panel;
  }

  /** What is typed into: a list, else the line of a question, else the editor. */
  get #input(): Component {
    const question = this.#question;
    return this.#picker ?? (question?.takesText ? question : this.#editor);
  }

  get focused(): boolean {
    return this.#focused;
  }

  set focused(focused: boolean) {
    this.#focused = focused;
    const input = this.#input;
    if (isFocusable(input)) input.focused = focused;
  }

  handleInput(data: string): void {
    this.#input.handleInput?.(data);
  }

  render(width: number): string[] {
    this.focused = this.#focused;
    const { theme } = this.#options;
    const input = this.#input;
    const question = this.#question;
    const { rows } = this.#tui.terminal;
    const running = this.#picker ? [] : this.#commands.lines(mostSaid(rows));
    return [
      ...waitingLines(this.#outbox.queue, running.map(this.#hide), width).map(theme.dim),
      // A list takes all keys.
      ...(question && input === this.#editor ? question.render(width) : []),
      ...input.render(width),
      this.#statusLine(width),
    ];
  }

  invalidate(): void {
    this.#input.invalidate();
  }

  /** Draws what has changed. */
  readonly update = (): void => {
    this.#tui.requestRender();
    this.#status?.changed();
  };

  /** Shows a line of the chat itself, once if it comes again and again: a server may fail more than once in a turn. */
  readonly note = (text: string): void => this.show([text], true);

  readonly #noteError = (error: unknown): void => this.show([errorMessage(error)]);

  /** Shows lines of the chat itself behind the conversation so far. */
  readonly show = (lines: readonly string[], isOnce = false): void => {
    this.#document.say(lines, isOnce);
    this.update();
  };

  /**
   * Takes over the terminal, draws the first frame and then calls `open`. What is typed until its host is there
   * waits. Resolves when the user ends the chat, and rejects as `open` does.
   */
  async run(open: () => Promise<Chat>, signal: AbortSignal): Promise<void> {
    this.#tui.setFocus(this);
    const end = () => this.#ended.resolve();
    await whileShown(this.#screen, signal, end, async () => {
      const host = await Promise.race([open(), this.#ended.promise]).catch(async (error) => {
        // Answers of the terminal and keys must not get to the shell.
        await this.#tui.terminal.drainInput();
        throw error;
      });
      if (!host) return;
      this.#use(host);
      void this.#begin(host);
      await this.#ended.promise;
      this.#commands.cancelAll();
      // What cannot be written now must not hold the terminal.
      await within(PATIENCE, host.talk.close(this.#outbox.left(this.#editor.getExpandedText())));
      this.#document.showFrom(this.#firstTurn);
    });
  }

  #use(host: Chat): void {
    this.#host = host;
    this.#begins(host);
    this.#status = new ChatStatus(host, this.#screen, this.update);
    const commands = COMMANDS.map(({ name, summary, values }) => ({
      ...{ name, summary },
      values: () => values?.(host) ?? [],
    }));
    this.#editor.setAutocompleteProvider(completions(commands, process.cwd()));
    this.update();
  }

  /** A session is shown. The chat prints what is said from here on when it ends: not all of what it has opened. */
  #begins({ talk }: Chat): void {
    this.#firstTurn = Math.max(0, talk.view.turns.length - 1);
    this.#takeBack(talk.takeDrafts());
  }

  /** What the chat does first: earlier messages for the arrow keys, the first messages, an open turn. */
  async #begin(host: Chat): Promise<void> {
    const { choosesSession } = this.#options;
    if (choosesSession) await this.#runCommand('/resume').catch(this.#noteError);
    const early = this.#outbox.take();
    if (early.length === 0 && !choosesSession) void this.#offer();
    for (const text of early) this.#submit(text);
    this.#history.load(await host.history().catch(() => []));
  }

  async #offer(): Promise<void> {
    if (this.#host?.talk.areLeft) this.note(LEFT);
    await this.#host?.talk.offerToContinue().catch(this.#noteError);
  }

  /** A message or a command. */
  #submit(given: string): void {
    const text = given.trim();
    if (text === '') return;
    this.#screen.toEnd();
    if (!this.#host || !isCommand(text)) this.#outbox.add(text);
    this.update();
    if (!this.#host) return;
    this.#history.add(text);
    const work = isCommand(text) ? this.#runCommand(text) : this.#outbox.send(text);
    void work.catch(this.#noteError);
  }

  async #runCommand(text: string): Promise<void> {
    const host = this.#host as Chat;
    const before = host.talk.session?.id;
    const said = this.#document.said.length;
    const ui: Omit<CommandUi, 'signal'> = {
      host,
      show: this.show,
      pick: (title, items) => this.#pick(title, items),
      quit: () => this.#ended.resolve(),
      shell: this.#shell.shell,
    };
    await this.#commands.run(text, ({ signal }) => runCommand({ ...ui, signal }, text));
    this.#outbox.sendHeld();
    if (host.talk.session?.id === before) return;
    // Another session is shown now. What the chat said about the one before is gone with it.
    this.#document.forget(said);
    this.#begins(host);
    await this.#offer();
  }

  /** Lets the user choose. Undefined if nothing is chosen. */
  async #pick(title: string, items: readonly MenuItem[]): Promise<string | undefined> {
    if (items.length === 0) return;
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    // It closes at once: the next key is for the input, even if it comes together with the choice.
    const done = (value: string | undefined): void => {
      this.#picker = undefined;
      this.#panel?.interrupt();
      this.update();
      resolve(value);
    };
    this.#picker = new Picker({ theme: this.#options.theme, title }, items, done);
    this.update();
    return promise;
  }

  #key(data: string): { consume: true } | undefined {
    if (isKeyRelease(data)) return;
    this.#typing.pressed();
    this.#shell.pressed(data);
    if (!matchesKey(data, 'ctrl+c')) this.#isQuitAsked = false;
    if (this.#picker) return;
    const isUsed = !this.#editor.isShowingAutocomplete() && this.#question?.takeKey(data);
    const takes = ([key, act]: [string, () => unknown]) =>
      matchesKey(data, key as KeyId) && act() !== false;
    if (!isUsed && !Object.entries(this.#keys).some(takes)) return;
    this.update();
    return { consume: true };
  }

  /** What keys do wherever the cursor is. What returns false has not used its key. */
  readonly #keys: Readonly<Partial<Record<KeyId, () => unknown>>> = {
    'ctrl+c': () => this.#interrupt(),
    escape: () => !this.#editor.isShowingAutocomplete() && this.#cancel(),
    'ctrl+d': () => this.#editor.getText() === '' && !this.#question && this.#ended.resolve(),
    'ctrl+o': () => this.#document.toggleAll(),
    'ctrl+r': () => !this.#question && void this.#searchHistory(),
    'ctrl+g': () => !this.#question && void this.#edit().catch(this.#noteError),
    // Keys that come back with the screen may still be meant for the shell.
    'ctrl+z': () => suspend(this.#screen, () => this.#panel?.interrupt()),
  };

  /** Cancels the command or the turn. Messages that waited come back into the input. */
  #cancel(): boolean {
    const { talk, questions, modelName } = this.#host ?? {};
    if (questions?.open && this.#question?.isShown && talk?.state !== 'running') {
      questions.open.dismiss();
      return true;
    }
    if (this.#commands.cancel()) return true;
    const held = modelName === undefined ? this.#outbox.take() : [];
    if (!talk || (!talk.canCancel && talk.queue.length === 0)) return this.#takeBack(held);
    this.#takeBack([...talk.unqueue(), ...held]);
    void talk.cancelHere();
    return true;
  }

  /** Puts messages that waited back into the input. Returns whether there were any. */
  #takeBack(waiting: readonly string[]): boolean {
    if (waiting.length === 0) return false;
    this.#write([...waiting, this.#editor.getText()].join('\n').trim());
    return true;
  }

  /** Ctrl-C: cancels, else empties the input (Up brings it back), else asks to be pressed again. */
  #interrupt(): void {
    if (this.#cancel()) return;
    const text = this.#editor.getExpandedText();
    if (text !== '') this.#history.add(text);
    if (text !== '') this.#write('');
    else if (this.#isQuitAsked) this.#ended.resolve();
    else this.#isQuitAsked = true;
  }

  #write(text: string): void {
    this.#editor.setText(text);
    this.update();
  }

  async #searchHistory(): Promise<void> {
    const said = (await this.#host?.history()) ?? [];
    if (said.length === 0) this.note('You have written nothing in this folder yet.');
    const items = said.map((text, at) => ({ value: String(at), label: text.slice(0, 500) }));
    const chosen = await this.#pick('Search what you wrote', items);
    if (chosen !== undefined) this.#write(said[Number(chosen)] ?? '');
  }

  async #edit(): Promise<void> {
    this.#write(await editElsewhere(this.#screen, this.#editor.getExpandedText()));
  }

  #statusLine(width: number): string {
    const { theme } = this.#options;
    if (this.#screen.isAtEnd) this.#below.see(this.#host, this.#document);
    if (this.#isQuitAsked)
      return theme.warn('Press Ctrl-C again to end the chat. The session is kept.'.slice(0, width));
    if (shellCommandIn(this.#editor.getText()) !== undefined)
      return theme.warn(SHELL.slice(0, width));
    if (!this.#status) return theme.dim('○ loading'.slice(0, width));
    return statusLine(this.#status.indicator, theme, width);
  }
}
