import { Recent } from '@toolfold/core/internal/tools/values';

/** Questions whose answers are kept while they are not asked yet. */
const MAX_EARLY = 1_000;

interface Given<ANSWER> {
  readonly answer: ANSWER;
  /** When it was posted. */
  readonly at: number;
}

interface Asking<RESULT> {
  readonly signal: AbortSignal;
  /** When the question was written. What was posted before is an answer to another one. */
  readonly since: number;
  /** Asks the user of this process. Its signal also fires when the question is withdrawn. */
  readonly ask: (signal: AbortSignal) => Promise<RESULT>;
}

/**
 * Answers of other processes to questions of one kind, by the id of the question. An answer that comes before its
 * question is asked here waits for it: questions are asked one after the other, and another process may show
 * all at once. The first answer that was posted after the question was written counts.
 */
export class RemoteAnswers<ANSWER> {
  readonly #early = new Recent<readonly Given<ANSWER>[]>(MAX_EARLY);
  readonly #waiting = new Map<string, (given: Given<ANSWER>) => void>();

  /** Gives an answer to its question, now or when the question is asked. */
  give(id: string, answer: ANSWER, at: number): void {
    const take = this.#waiting.get(id);
    if (take) {
      take({ answer, at });
      return;
    }
    const known = this.#early.get(id) ?? [];
    // A message may be given again after the one who took it has ended.
    if (!known.some((given) => given.at === at)) this.#early.set(id, [...known, { answer, at }]);
  }

  /** Whether an answer waits that was posted after the question was written. */
  has(id: string, since: number): boolean {
    return (this.#early.get(id) ?? []).some(({ at }) => at > since);
  }

  /** Removes and returns the first answer that was posted after the question was written. */
  take(id: string, since: number): ANSWER | undefined {
    const first = (this.#early.get(id) ?? []).find(({ at }) => at > since);
    this.#early.delete(id);
    return first?.answer;
  }

  /** The answer of this process's user, or that of another process, whichever comes first. */
  async first<RESULT>(
    id: string,
    { signal, since, ask }: Asking<RESULT>,
  ): Promise<ANSWER | RESULT> {
    const withdrawn = new AbortController();
    const given = Promise.withResolvers<ANSWER>();
    const accept = ({ answer, at }: Given<ANSWER>) => {
      if (at <= since) return;
      given.resolve(answer);
      withdrawn.abort();
    };
    for (const one of this.#early.get(id) ?? []) accept(one);
    this.#early.delete(id);
    this.#waiting.set(id, accept);
    try {
      // Nobody is asked what has been answered.
      if (withdrawn.signal.aborted) return await given.promise;
      const either = AbortSignal.any([signal, withdrawn.signal]);
      return await Promise.race([given.promise, ask(either)]);
    } finally {
      this.#waiting.delete(id);
      withdrawn.abort();
    }
  }
}
