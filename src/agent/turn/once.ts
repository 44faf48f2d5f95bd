import { ToolfoldError } from '../../errors.ts';

/** What begins when it is read, and can be read once: a second reading would be another turn. */
export function once<T>(begin: () => AsyncIterator<T>): AsyncIterable<T> {
  let isRead = false;
  return {
    [Symbol.asyncIterator]() {
      if (isRead) {
        throw new ToolfoldError(
          'invalid-option',
          'The events of this turn have been read already.',
          'Keep what you need of them, or begin another turn.',
        );
      }
      isRead = true;
      return begin();
    },
  };
}
