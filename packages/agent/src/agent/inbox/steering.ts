import type { UserModelMessage } from 'ai';

/** When a message that is sent during a turn reaches the model: with the next request, or behind the answer. */
export type When = 'now' | 'after';

/** A message of the user for the turn that runs. */
interface SteeringMessage {
  /** The id of the message. It is given to the model once. */
  readonly id?: string | undefined;
  readonly message: UserModelMessage;
  readonly when: When;
  /** When another process has posted it. It stays in the inbox until its `user` entry takes it. */
  readonly posted?: number | undefined;
}

interface Waiting extends SteeringMessage {
  readonly taken: (isTaken: boolean) => void;
}

/**
 * What the user writes while a turn runs. First in, first out holds within each kind. The log has a message once its
 * `user` entry is written. What a turn has not taken is not kept here: its sender has it, or the inbox.
 */
export class SteeringQueue {
  #waiting: Waiting[] = [];
  #written = new AbortController();
  /** Whether the model accepts a message of the user behind results. Where not, each one waits for the end of an answer of its own. */
  isAccepted = true;

  /** Adds a message. Resolves with whether the turn has taken it. `signal` takes it back. */
  add(message: SteeringMessage, signal?: AbortSignal): Promise<boolean> {
    const { promise, resolve: taken } = Promise.withResolvers<boolean>();
    if (signal?.aborted) return Promise.resolve(false);
    const waiting = { ...message, taken };
    this.#waiting.push(waiting);
    const leave = () => {
      this.#waiting = this.#waiting.filter((one) => one !== waiting);
      if (!this.isDue) this.#renew();
      taken(false);
    };
    signal?.addEventListener('abort', leave, { once: true });
    if (this.isDue) this.#written.abort();
    return promise;
  }

  /** Whether a message waits for the next request. Calls that have not begun do not run then. */
  get isDue(): boolean {
    return this.isAccepted && this.#waiting.some(({ when }) => when === 'now');
  }

  /** Whether any message waits. */
  get hasAny(): boolean {
    return this.#waiting.length > 0;
  }

  /** Fires when a message comes that is due. A question that is open then is withdrawn. */
  get written(): AbortSignal {
    return this.#written.signal;
  }

  /** Writes what the next request sends, in one step. `isEnd`: the answer has ended. Rejects as `write`. */
  async take(
    isEnd: boolean,
    write: (due: readonly SteeringMessage[]) => Promise<void>,
  ): Promise<void> {
    const isTaken = ({ when }: SteeringMessage) => isEnd || (this.isAccepted && when === 'now');
    const all = this.#waiting.filter(isTaken);
    // Such a model refuses two messages of the user in a row, too: the next one waits for the next answer.
    const due = this.isAccepted ? all : all.slice(0, 1);
    if (due.length === 0) return;
    this.#waiting = this.#waiting.filter((one) => !due.includes(one));
    this.#renew();
    // What cannot be written is not taken.
    const written = write(due);
    for (const { taken } of due)
      void written.then(
        () => taken(true),
        () => taken(false),
      );
    await written;
  }

  /** The turn has ended. */
  end(): void {
    const left = this.#waiting.splice(0);
    this.#renew();
    for (const { taken } of left) taken(false);
  }

  #renew(): void {
    if (this.#written.signal.aborted) this.#written = new AbortController();
  }
}
