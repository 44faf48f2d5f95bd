import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import type { JsonValue } from '@toolfold/core/internal/values';
import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { quote } from './quote.ts';

/** Levels of nesting, counting both a property and its value; real files have fewer than 20. */
const MAX_DEPTH = 500;

/** The kind of a JSON value. */
export type JsonKind = Node['type'];

/** Parses JSON with comments and trailing commas, and keeps the position of each value. */
export class JsonSource {
  readonly file: string;
  readonly root: Node;
  readonly #text: string;
  readonly #hasPlaces: boolean;

  /**
   * Throws `invalid-config` with file, line and column if the text is not valid JSON. `isTranslated`: the file has another
   * format, so errors name the file alone.
   */
  constructor(
    file: string,
    text: string,
    { isTranslated = false }: { readonly isTranslated?: boolean } = {},
  ) {
    this.file = file;
    this.#hasPlaces = !isTranslated;
    this.#text = text.replace(/^\uFEFF/, '');
    this.root = this.#parse();
  }

  /** The members of an object with their positions. Throws if a key occurs twice. */
  members(object: Node): Map<string, { key: Node; value: Node }> {
    const members = new Map<string, { key: Node; value: Node }>();
    for (const property of object.children ?? []) {
      const [key, value] = property.children ?? [];
      if (key === undefined || value === undefined) continue;
      const name = String(key.value);
      const first = members.get(name);
      if (first !== undefined) {
        throw this.error(
          key,
          `The key ${quote(name)} stands twice, first at ${this.position(first.key)}.`,
          'Remove one of the two.',
        );
      }
      members.set(name, { key, value });
    }
    return members;
  }

  /**
   * The value at a path, or its nearest existing parent; also the key node of a member. Call `value`
   * on `from` first: it checks that no key occurs twice.
   */
  at(
    from: Node,
    path: readonly PropertyKey[],
  ): { node: Node; key: Node | undefined; isThere: boolean } {
    let place: { node: Node; key: Node | undefined } = { node: from, key: undefined };
    for (const key of path) {
      const { node } = place;
      const item = node.type === 'array' ? node.children?.[Number(key)] : undefined;
      const member = node.type === 'object' ? this.members(node).get(String(key)) : undefined;
      const value = item ?? member?.value;
      if (!value) return { ...place, isThere: false };
      place = { node: value, key: member?.key };
    }
    return { ...place, isThere: true };
  }

  /** The value as plain JSON. Throws if a key occurs twice in the same object, at any depth. */
  value(node: Node): JsonValue {
    if (node.type === 'array') return (node.children ?? []).map((item) => this.value(item));
    if (node.type !== 'object') return node.value as JsonValue;
    // fromEntries defines own properties, so `__proto__` is an ordinary key.
    return Object.fromEntries(
      [...this.members(node)].map(([name, { value }]) => [name, this.value(value)]),
    );
  }

  /** `line:column` of a value, both counted from 1. */
  position(node: Node): string {
    return this.#position(node.offset);
  }

  /** An error about the value at `node`. Its message starts with `file:line:column`, or with the file if it is translated. */
  error(node: Node, message: string, hint: string): ToolfoldError {
    return this.#error(node.offset, message, hint);
  }

  #parse(): Node {
    const errors: ParseError[] = [];
    let root: Node | undefined;
    try {
      root = parseTree(this.#text, errors, { allowTrailingComma: true });
    } catch (error) {
      // The parser is recursive: only extreme nesting overflows the stack.
      if (!(error instanceof RangeError)) throw error;
      throw this.#error(0, 'The file is nested too deeply.', 'Flatten it.');
    }
    const first = errors[0];
    if (first !== undefined || root === undefined) {
      const what = first === undefined ? 'ValueExpected' : printParseErrorCode(first.error);
      const words = what.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
      throw this.#error(
        first?.offset ?? 0,
        `Not valid JSON: ${words.toLowerCase()}.`,
        'Correct the syntax; comments and trailing commas are allowed.',
      );
    }
    this.#checkDepth(root);
    return root;
  }

  /** Limits the depth: code that reads the parsed file is recursive. */
  #checkDepth(root: Node): void {
    let level: Node[] = [root];
    for (let depth = 0; level.length > 0; depth += 1) {
      const first = level[0];
      if (depth > MAX_DEPTH && first !== undefined) {
        throw this.error(first, 'The file is nested too deeply.', 'Flatten it.');
      }
      level = level.flatMap((node) => node.children ?? []);
    }
  }

  #error(offset: number, message: string, hint: string): ToolfoldError {
    const place = this.#hasPlaces ? `:${this.#position(offset)}` : '';
    return new ToolfoldError('invalid-config', `${this.file}${place}: ${message}`, hint);
  }

  #position(offset: number): string {
    const lines = this.#text.slice(0, offset).split(/\r\n|\r|\n/);
    return `${lines.length}:${(lines.at(-1)?.length ?? 0) + 1}`;
  }
}

/** The kind with its article, for messages: `a string`, `an object`. */
export function aKind(kind: JsonKind): string {
  if (kind === 'null') return 'null';
  return /^[aeiou]/.test(kind) ? `an ${kind}` : `a ${kind}`;
}

export type { Node };
