import { formatCount } from '../../app/terminal/index.ts';
import { type FileChange, MOST_SHOWN } from './changes.ts';
import { cleanLine, cleanText } from './clean.ts';
import { wrapped } from './drawing.ts';
import { LazyLibrary } from './libraries/index.ts';
import type { Theme } from './theme.ts';

/** Most characters of a path. */
const MAX_PATH = 300;
/** Lines around a change, and milliseconds after which two texts count as wholly different. */
const CONTEXT = 2;
const TIMEOUT = 50;

type Library = Pick<typeof import('diff'), 'structuredPatch'>;

/** Draws what calls change. The library is loaded for the first change; `onLoad` is called when it is there. */
export class Differ {
  readonly #theme: Theme;
  readonly #hide: (text: string) => string;
  readonly #library: LazyLibrary<Library>;

  constructor(
    { theme, hide }: { readonly theme: Theme; readonly hide: (text: string) => string },
    onLoad: () => void,
  ) {
    this.#theme = theme;
    this.#hide = hide;
    this.#library = new LazyLibrary(() => import('diff'), onLoad);
  }

  /** The path, and the lines that go and come. Only the path before the library is there. */
  lines({ path, parts }: FileChange, width: number): string[] {
    const library = this.#library.get();
    const theme = this.#theme;
    const marked = library ? parts.map((part) => this.#marked(part, library)) : [];
    const all = marked.flatMap((lines, at) => (at === 0 ? lines : ['⋯', ...lines]));
    const count = (sign: string) => all.filter((line) => line.startsWith(sign)).length;
    const [{ before } = { before: '' }] = parts;
    const whole = before === undefined ? ', the whole file' : '';
    const sums = library
      ? ` ${theme.good(`+${count('+')}`)} ${theme.bad(`-${count('-')}`)}${theme.dim(whole)}`
      : '';
    const head = `${cleanLine(this.#hide(path), MAX_PATH)}${sums}`;
    return [...wrapped(head, width), ...all.flatMap((line) => this.#drawn(line, width))];
  }

  #marked({ before = '', after }: FileChange['parts'][number], library: Library): string[] {
    // A last line without its end would differ from the same line with it.
    const [old, now] = [before, after].map((text) => this.#safe(text).replace(/(?<=[^\n])$/, '\n'));
    const patch = library.structuredPatch('', '', old ?? '', now ?? '', '', '', {
      ...{ context: CONTEXT, timeout: TIMEOUT },
    });
    if (!patch) return [`… ${formatCount(after.split('\n').length, 'line')}, too many to compare`];
    const hunks = patch.hunks.map(({ lines }) => lines.filter((line) => !line.startsWith('\\')));
    return hunks.flatMap((lines, at) => (at === 0 ? lines : ['⋯', ...lines]));
  }

  #drawn(line: string, width: number): string[] {
    const { good, bad, dim } = this.#theme;
    const paint = line.startsWith('+') ? good : line.startsWith('-') ? bad : dim;
    const [sign, text] = [line.slice(0, 1), line.slice(1)];
    return wrapped(text, Math.max(1, width - 2)).map((part) => paint(`${sign} ${part}`));
  }

  #safe(text: string): string {
    return cleanText(this.#hide(text.slice(0, MOST_SHOWN)), MOST_SHOWN);
  }
}
