import { isAbsolute } from 'node:path';
import { readText } from '../../app/content/index.ts';
import type { QuestionedCall } from '../../app/questions/index.ts';
import { shownText } from '../../app/shown/index.ts';
import { changedLines, changeOf, diffIn, type FileChange, type Theme } from '../view/index.ts';

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
    { id, name, arguments: given, output }: QuestionedCall & { readonly output?: unknown },
    width: number,
  ): readonly string[] | undefined => {
    const change = this.#asked.get(id) ?? changeOf(name, given);
    const made = change && output !== undefined ? diffIn(shownText(output)) : undefined;
    return change && changedLines({ ...change, made }, { ...this.#options, width });
  };

  /** The user is asked about the call. */
  async ask({ id, name, arguments: given }: QuestionedCall): Promise<void> {
    const change = changeOf(name, given);
    if (!change?.isWhole || !isAbsolute(change.path)) return;
    const { path, parts } = change;
    const read = await readText(path);
    // What cannot be read may be anything.
    if (read && 'problem' in read) return;
    const before = read?.text ?? '';
    this.#asked.set(id, { ...change, parts: parts.map(({ after }) => ({ before, after })) });
    this.#options.onChange();
  }
}
