import { ToolfoldError } from '../../errors.ts';

/** An iterable that starts when it is first read. A second reading throws `invalid-option`, because it would start another turn. */
export function once<T>(begin: () => AsyncIterator<T>): AsyncIterable<T> {
  let isRead = false;
  return {
    [Symbol.asyncIterator]() {
      if (isRead) {
        throw new ToolfoldError(
          'invalid-option',
          'The events of this turn have already been read.',
          'Store the events that you need, or start another turn.',
        );
      }
      isRead = true;
      return begin();
    },
  };
}
