import { formatNumber } from '@toolfold/core/internal/values';
import type { Chat } from '../chat/index.ts';
import { type ChatDocument, FRAME } from '../chat-view/index.ts';
import { type Indicator, indicatorNow, type Loaded, ToolPlans } from '../shown/index.ts';
import type { ChatScreen } from './screen.ts';

/** What happens in a chat. It moves the spinner, and calls the user who looks elsewhere. */
export class ChatStatus {
  readonly #host: Chat;
  readonly #screen: ChatScreen;
  readonly #plans: ToolPlans;
  #ticker: NodeJS.Timeout | undefined;

  constructor(host: Chat, screen: ChatScreen, onChange: () => void) {
    this.#host = host;
    this.#screen = screen;
    this.#plans = new ToolPlans({ pool: host.pool, fold: host.fold() }, onChange);
  }

  /** The tokens of the schemas that came with a load. Undefined where it is not known. */
  tokensOf(loaded: Loaded): number | undefined {
    return this.#plans.tokensOf(loaded);
  }

  /** What the turn that runs does. Undefined if none runs. */
  get activity(): string | undefined {
    const { talk, questions } = this.#host;
    if (talk.state === 'idle') return undefined;
    if (questions.open) return 'waits for your answer';
    if (talk.state === 'elsewhere') return 'another process works here';
    if (!talk.canCancel) return 'cancelling';
    const seconds = talk.secondsToRetry;
    const wait = seconds && `the provider is asked again in ${formatNumber(seconds)} s`;
    return `${wait ?? 'working'}, Esc cancels`;
  }

  /** The call about whose unknown outcome the user is asked. */
  get unknownCall(): string | undefined {
    const about = this.#host.questions.open?.about;
    return about?.kind === 'unknown' ? about.call?.id : undefined;
  }

  /** Something has changed. */
  changed(): void {
    const { talk, questions, setUp } = this.#host;
    const isWorking = talk.state === 'running' || talk.queue.length > 0;
    this.#screen.attention.watch(isWorking, questions.open, setUp.settings.notify);
    if (this.activity !== undefined) this.#ticker ??= setInterval(this.#tick, FRAME).unref();
  }

  readonly #tick = (): void => {
    this.#screen.tui.requestRender();
    if (this.activity !== undefined) return;
    clearInterval(this.#ticker);
    this.#ticker = undefined;
  };

  get indicator(): Indicator {
    const { talk, modelName: model, settings, setUp, pool, fold } = this.#host;
    const { roles, settings: configured } = setUp;
    return indicatorNow({
      ...{ talk, settings, roles, model, fold: fold(), plans: this.#plans },
      ...{ currency: configured.currency, servers: pool.servers, remedy: '/tools' },
    });
  }
}

/** The mark on the last line of the conversation while its end is out of sight. */
export class BelowMark {
  /** The newest parts of the conversation when its end was in sight. */
  #seen: readonly unknown[] = [];

  /** The end of the conversation is in sight. */
  see(host: Chat | undefined, document: ChatDocument): void {
    this.#seen = lastTurnAndNotice(host, document);
  }

  text(host: Chat | undefined, document: ChatDocument): string {
    const isNew = lastTurnAndNotice(host, document).some((one, at) => one !== this.#seen[at]);
    return ` ↓ ${isNew ? 'new' : 'more'} below · End `;
  }
}

function lastTurnAndNotice(host: Chat | undefined, document: ChatDocument): readonly unknown[] {
  return [host?.talk.view.turns.at(-1), document.said.at(-1)];
}
