import { isAbsolute } from 'node:path';
import type { QuestionedCall } from '../../app/questions/index.ts';
import { readText } from '../input/index.ts';
import { changedLines, changeOf, type FileChange, type Theme } from '../view/index.ts';

interface ChangeOptions {
  readonly theme: Theme;
  readonly hide: (text: string) => string;
  readonly onChange: () => void;
}

/** What calls change in files. A file that is written anew is read when the user is asked about it. */
export class AskedChanges {
  readonly #options: ChangeOptions;
  readonly #asked = new Map<string, FileChange>();

  constructor(options: ChangeOptions) {
    this.#options = options;
  }

  /** The lines of what the call changes, as far as it is known. Undefined for other calls. */
  readonly lines = (
    { id, name, arguments: given }: QuestionedCall,
    width: number,
  ): readonly string[] | undefined => {
    const change = this.#asked.get(id) ?? changeOf(name, given);
    return change && changedLines(change, { ...this.#options, width });
  };

  /** The user is asked about the call. */
  async ask({ id, name, arguments: given }: QuestionedCall): Promise<void> {
    const { path = '', parts = [] } = changeOf(name, given) ?? {};
    if (!isAbsolute(path) || parts.every(({ before }) => before !== undefined)) return;
    const read = await readText(path);
    // What cannot be read may be anything.
    if (read && 'problem' in read) return;
    const before = read?.text ?? '';
    this.#asked.set(id, { path, parts: parts.map(({ after }) => ({ before, after })) });
    this.#options.onChange();
  }
}
