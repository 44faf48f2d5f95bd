import type { ModelMessage } from 'ai';
import type { MessageHistory } from '../../ai-sdk/index.ts';
import { sameStart } from '../../tools/values/index.ts';

/** The messages of the last request of an agent. The log never changes a message: each change is another object. */
export class SentMessages implements MessageHistory {
  id: readonly ModelMessage[] = [];
  after: object = {};
  changed = 0;

  /** The next request has these messages. */
  ask(list: readonly ModelMessage[]): void {
    const before = this.id;
    this.id = list;
    this.after = before;
    this.changed = before.length - sameStart(before, list);
  }
}
