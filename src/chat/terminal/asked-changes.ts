import { isAbsolute } from 'node:path';
import type { QuestionedCall } from '../../app/questions/index.ts';
import { readText } from '../input/index.ts';
import { changeOf, type FileChange } from '../view/index.ts';

/** What the calls change that the user was asked about. A file that is written anew is read before. */
export class AskedChanges {
  readonly #onChange: () => void;
  readonly #known = new Map<string, FileChange>();

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** What the call of a question changes. Undefined if that is not known. */
  get(call: QuestionedCall | undefined): FileChange | undefined {
    if (!call) return;
    const known = this.#known.get(call.id);
    const change = known ?? changeOf(call.name, call.arguments);
    if (change && !known) {
      this.#known.set(call.id, change);
      void this.#read(call.id, change);
    }
    return change;
  }

  /** What is known of a call. */
  known(id: string): FileChange | undefined {
    return this.#known.get(id);
  }

  async #read(id: string, change: FileChange): Promise<void> {
    const { path, parts } = change;
    if (!isAbsolute(path) || parts.every(({ before }) => before !== undefined)) return;
    const read = await readText(path);
    // What cannot be read may be anything.
    if (read && 'problem' in read) return;
    const before = read?.text ?? '';
    this.#known.set(id, { path, parts: parts.map(({ after }) => ({ before, after })) });
    this.#onChange();
  }
}
