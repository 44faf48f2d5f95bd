import { errorMessage } from '../../errors.ts';
import { isRecord } from '../../tools/values/index.ts';
import type { Batch, BatchRun, Engine, EngineCommand, OnUpdate } from './engine/index.ts';

/** Runs one batch in an engine and contains the engine's failures. Never throws and always ends. */
export class SupervisedBatch {
  readonly #patience: number;
  readonly #lost = Promise.withResolvers<never>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #run: BatchRun | undefined;
  /** Commands that are sent as soon as the engine has started. An engine may report while it starts. */
  readonly #early: EngineCommand[] = [];
  #isOver = false;

  /** `patience`: milliseconds in which the engine must end the batch after `expectEnd`. */
  constructor(patience: number) {
    this.#patience = patience;
    // The rejection may occur before or after `workIn` waits for it; then it must not count as unhandled.
    this.#lost.promise.catch(() => {});
  }

  /** Runs the batch. Resolves when it has ended or is given up, with the error for tasks without a result. */
  async workIn(engine: Engine, batch: Batch, onUpdate: OnUpdate): Promise<string> {
    try {
      this.#run = runOf(engine.start(batch, onUpdate));
      for (const command of this.#early) this.send(command);
      await Promise.race([this.#run.finished, this.#lost.promise]);
      return 'The engine ended without a result for this task.';
    } catch (error) {
      return `The engine failed: ${errorMessage(error)}`;
    } finally {
      this.#isOver = true;
      clearTimeout(this.#timer);
    }
  }

  /** Stops waiting for the batch and cancels it. */
  lose(reason: string): void {
    this.#lost.reject(new Error(reason));
    this.send({ type: 'cancel' });
  }

  /** Sends a command. If the engine throws, the batch is given up. */
  send(command: EngineCommand): void {
    if (!this.#run) {
      this.#early.push(command);
      return;
    }
    try {
      this.#run.send(command);
    } catch (error) {
      this.#lost.reject(error);
    }
  }

  /** Starts the time limit for the end of the batch. */
  expectEnd(): void {
    if (this.#isOver) return;
    const lose = () => this.lose('it did not end the batch in time');
    this.#timer ??= setTimeout(lose, this.#patience);
  }
}

function runOf(started: unknown): BatchRun {
  if (isRecord(started) && typeof started.send === 'function' && started.finished !== undefined)
    return started as unknown as BatchRun;
  throw new Error('`start` did not return an object with `send` and `finished`');
}
