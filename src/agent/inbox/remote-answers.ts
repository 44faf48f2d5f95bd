import { Recent } from '../../tools/values/index.ts';

/** Answers that are kept while their question is not asked yet. */
const MAX_EARLY = 1_000;

interface Asking<ANSWER, RESULT> {
  readonly signal: AbortSignal;
  /** Asks the user of this process. Its signal also fires when the question is withdrawn. */
  readonly ask: (signal: AbortSignal) => Promise<RESULT>;
  /** Takes the answer of another process, if it was the first one. */
  readonly take: (answer: ANSWER) => RESULT;
}

/**
 * Answers of other processes to questions of one kind, by the id of the question. An answer that comes before its
 * question is asked here waits for it: questions are asked one after the other, and another process may show
 * all at once. The first answer counts.
 */
export class RemoteAnswers<ANSWER> {
  #early: Recent<ANSWER> | undefined;
  readonly #waiting = new Map<string, (answer: ANSWER) => void>();

  /** Gives an answer to its question, now or when the question is asked. */
  give(id: string, answer: ANSWER): void {
    const take = this.#waiting.get(id);
    if (take) take(answer);
    else {
      this.#early ??= new Recent(MAX_EARLY);
      if (!this.#early.get(id)) this.#early.set(id, answer);
    }
  }

  /** Calls `take` with an answer that has come, and with each later one. Returns a function that ends this. */
  wait(id: string, take: (answer: ANSWER) => void): () => void {
    const early = this.#early?.get(id);
    this.#early?.delete(id);
    if (early !== undefined) take(early);
    this.#waiting.set(id, take);
    return () => this.#waiting.delete(id);
  }

  /** The answer of this process's user, or that of another process, whichever comes first. */
  async first<RESULT>(id: string, { signal, ask, take }: Asking<ANSWER, RESULT>): Promise<RESULT> {
    const withdrawn = new AbortController();
    const given = Promise.withResolvers<{ readonly answer: ANSWER }>();
    const end = this.wait(id, (answer) => {
      given.resolve({ answer });
      withdrawn.abort();
    });
    try {
      // Nobody is asked what has been answered.
      const asked = withdrawn.signal.aborted
        ? given.promise
        : ask(AbortSignal.any([signal, withdrawn.signal])).then((result) => ({ result }));
      const first = await Promise.race([given.promise, asked]);
      return 'answer' in first ? take(first.answer) : first.result;
    } finally {
      end();
      withdrawn.abort();
    }
  }

  /** Drops an answer that was given to an earlier form of the question. */
  forget(id: string): void {
    this.#early?.delete(id);
  }

  /** Drops all answers that wait: they were given to questions of an earlier turn. */
  reset(): void {
    this.#early = undefined;
  }
}
