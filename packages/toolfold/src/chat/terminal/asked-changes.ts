import { changeOf, diffIn, type FileChange, withFileNow } from '../../app/changes/index.ts';
import type { QuestionedCall } from '../../app/questions/index.ts';
import { shownText } from '../../app/shown/index.ts';
import { changedLines, type Theme } from '../view/index.ts';

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
    const change = await withFileNow(changeOf(name, given));
    if (!change) return;
    this.#asked.set(id, change);
    this.#options.onChange();
  }
}
