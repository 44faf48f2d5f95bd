import { Recent } from '../../tools/values/index.ts';

/** Questions whose answers are kept while they are not asked yet. */
const MAX_EARLY = 1_000;

interface Given<ANSWER> {
  readonly answer: ANSWER;
  /** When it was posted. */
  readonly at: number;
}

interface Asking<ANSWER, RESULT> {
  readonly signal: AbortSignal;
  /** When the question was written. What was posted before is an answer to another one. */
  readonly since: number;
  /** Asks the user of this process. Its signal also fires when the question is withdrawn. */
  readonly ask: (signal: AbortSignal) => Promise<RESULT>;
  /** Takes the answer of another process, if it was the first one. */
  readonly take: (answer: ANSWER) => RESULT;
}

/**
 * Answers of other processes to questions of one kind, by the id of the question. An answer that comes before its
 * question is asked here waits for it: questions are asked one after the other, and another process may show
 * all at once. The first answer that was posted after the question was written counts.
 */
export class RemoteAnswers<ANSWER> {
  #early: Recent<readonly Given<ANSWER>[]> | undefined;
  readonly #waiting = new Map<string, (given: Given<ANSWER>) => void>();

  /** Gives an answer to its question, now or when the question is asked. */
  give(id: string, answer: ANSWER, at: number): void {
    const take = this.#waiting.get(id);
    if (take) {
      take({ answer, at });
      return;
    }
    this.#early ??= new Recent(MAX_EARLY);
    const known = this.#early.get(id) ?? [];
    // A message may be given again after the one who took it has ended.
    if (!known.some((given) => given.at === at)) this.#early.set(id, [...known, { answer, at }]);
  }

  /** The answer of this process's user, or that of another process, whichever comes first. */
  async first<RESULT>(
    id: string,
    { signal, since, ask, take }: Asking<ANSWER, RESULT>,
  ): Promise<RESULT> {
    const withdrawn = new AbortController();
    const given = Promise.withResolvers<Given<ANSWER>>();
    const accept = (one: Given<ANSWER>) => {
      if (one.at <= since) return;
      given.resolve(one);
      withdrawn.abort();
    };
    for (const one of this.#early?.get(id) ?? []) accept(one);
    this.#early?.delete(id);
    this.#waiting.set(id, accept);
    try {
      // Nobody is asked what has been answered.
      const asked = withdrawn.signal.aborted
        ? given.promise
        : ask(AbortSignal.any([signal, withdrawn.signal])).then((result) => ({ result }));
      const first = await Promise.race([given.promise, asked]);
      return 'answer' in first ? take(first.answer) : first.result;
    } finally {
      this.#waiting.delete(id);
      withdrawn.abort();
    }
  }
}
