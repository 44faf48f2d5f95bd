import type { Chat } from '../opened/index.ts';
import type { ChatDocument } from '../view/index.ts';

/** The mark on the last line of the conversation while its end is out of sight. */
export class BelowMark {
  /** The newest parts of the conversation when its end was in sight. */
  #seen: readonly unknown[] = [];

  /** The end of the conversation is in sight. */
  see(host: Chat | undefined, document: ChatDocument): void {
    this.#seen = newest(host, document);
  }

  text(host: Chat | undefined, document: ChatDocument): string {
    const isNew = newest(host, document).some((one, at) => one !== this.#seen[at]);
    return ` ↓ ${isNew ? 'new' : 'more'} below · End `;
  }
}

function newest(host: Chat | undefined, document: ChatDocument): readonly unknown[] {
  return [host?.talk.view.turns.at(-1), document.said.at(-1)];
}
