/** The work that is done again and again, by the time between, with the timer of each. */
const REPEATED = new Map<number, { readonly works: Set<() => void>; readonly stop: () => void }>();

/**
 * Calls `work` every `time` milliseconds, at the same moments as all other work of this process with that time, so that
 * a store can join what is asked of it. Keeps no process alive. Returns what ends it.
 */
export function every(time: number, work: () => void): () => void {
  const repeated = REPEATED.get(time) ?? startRepeating(time);
  // The same function may be given twice.
  const own = () => work();
  repeated.works.add(own);
  return () => {
    repeated.works.delete(own);
    if (repeated.works.size > 0 || REPEATED.get(time) !== repeated) return;
    repeated.stop();
    REPEATED.delete(time);
  };
}

function startRepeating(time: number): NonNullable<ReturnType<typeof REPEATED.get>> {
  const works = new Set<() => void>();
  const timer = setInterval(() => {
    for (const work of [...works]) work();
  }, time).unref();
  const repeated = { works, stop: () => clearInterval(timer) };
  REPEATED.set(time, repeated);
  return repeated;
}

/**
 * A function whose calls of one moment are done by one call of `work`. It gets all their arguments and resolves with
 * an answer to each, in order. An answer that is an error rejects its own call alone.
 */
export function joined<ARG, ANSWER>(
  work: (args: readonly ARG[]) => Promise<readonly ANSWER[]>,
): (arg: ARG) => Promise<Exclude<ANSWER, Error>> {
  let next: { readonly args: ARG[]; readonly answers: ReturnType<typeof work> } | undefined;
  const start = () => {
    const args: ARG[] = [];
    const answers = Promise.resolve().then(() => {
      next = undefined;
      return work(args);
    });
    return { args, answers };
  };
  return async (arg) => {
    next ??= start();
    const { args, answers } = next;
    const at = args.push(arg) - 1;
    const answer = (await answers)[at];
    if (answer instanceof Error) throw answer;
    return answer as Exclude<ANSWER, Error>;
  };
}
