/** Runs pieces of work. */
export type InOrder = <T>(work: () => Promise<T>) => Promise<T>;

/** Each piece of work begins when the one before has settled. The result settles as the work does. */
export function queueOfWork(): InOrder {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };
}
