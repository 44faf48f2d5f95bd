import { errorMessage } from '../../errors.ts';
import { isRecord } from '../../tools/values/index.ts';
import type { Batch, BatchRun, Engine, EngineCommand, OnUpdate } from './engine/index.ts';

/** A batch in the hands of an engine, which may break its word in any way: it throws nothing and ends. */
export class SupervisedBatch {
  readonly #patience: number;
  readonly #lost = Promise.withResolvers<never>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #run: BatchRun | undefined;
  /** What it is to be told as soon as it has begun: an engine may report while it starts. */
  readonly #early: EngineCommand[] = [];
  #isOver = false;

  /** `patience`: milliseconds that the engine has to end what is to end. */
  constructor(patience: number) {
    this.#patience = patience;
    // Nobody may be waiting for it.
    this.#lost.promise.catch(() => {});
  }

  /** Resolves when the engine has done with it or has lost it, with what became of tasks without a result. */
  async workIn(engine: Engine, batch: Batch, onUpdate: OnUpdate): Promise<string> {
    try {
      this.#run = runOf(engine.start(batch, onUpdate));
      for (const command of this.#early) this.send(command);
      await Promise.race([this.#run.finished, this.#lost.promise]);
      return 'The engine lost it.';
    } catch (error) {
      return `The engine failed: ${errorMessage(error)}`;
    } finally {
      this.#isOver = true;
      clearTimeout(this.#timer);
    }
  }

  /** It is not waited for any longer, and told to stop. */
  lose(reason: string): void {
    this.#lost.reject(new Error(reason));
    this.send({ type: 'cancel' });
  }

  /** An engine that cannot be told anything has lost what it was given. */
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

  /** From now on it ought to end, and is waited for no longer than there is patience. */
  expectEnd(): void {
    if (this.#isOver) return;
    const lose = () => this.lose('it did not end what was to end');
    this.#timer ??= setTimeout(lose, this.#patience);
  }
}

function runOf(started: unknown): BatchRun {
  if (isRecord(started) && typeof started.send === 'function' && started.finished !== undefined)
    return started as unknown as BatchRun;
  throw new Error('it started nothing that can be told to stop');
}
