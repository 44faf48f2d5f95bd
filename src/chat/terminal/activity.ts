import type { Chat } from '../opened/index.ts';
import { FRAME } from '../view/index.ts';
import type { ChatScreen } from './screen/index.ts';

/** What happens now. It moves the spinner, and calls the user who looks elsewhere. */
export class Activity {
  readonly #host: () => Chat | undefined;
  readonly #screen: () => ChatScreen;
  #ticker: NodeJS.Timeout | undefined;

  constructor(host: () => Chat | undefined, screen: () => ChatScreen) {
    this.#host = host;
    this.#screen = screen;
  }

  /** What the turn that runs does. Undefined if none runs. */
  get words(): string | undefined {
    const { talk, questions } = this.#host() ?? {};
    if (!talk || talk.state === 'idle') return undefined;
    if (questions?.open) return 'waits for your answer';
    if (talk.state === 'running' && !talk.canCancel) return 'cancelling';
    return talk.state === 'running' ? 'working, Esc cancels' : 'another process works here';
  }

  /** Something has changed. */
  changed(): void {
    const host = this.#host();
    if (host) {
      const isWorking = host.talk.state === 'running' || host.talk.queue.length > 0;
      const now = { isWorking, question: host.questions.open };
      this.#screen().attention.watch(now, host.setUp.settings.notify);
    }
    if (this.words !== undefined) this.#ticker ??= setInterval(this.#tick, FRAME).unref();
  }

  readonly #tick = (): void => {
    this.#screen().tui.requestRender();
    if (this.words !== undefined) return;
    clearInterval(this.#ticker);
    this.#ticker = undefined;
  };
}
