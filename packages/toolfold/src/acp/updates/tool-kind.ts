import type { ToolKind } from '@agentclientprotocol/sdk';

/** The kinds by the words of a tool's name. The first word that is known decides. */
const WORDS: Readonly<Record<Exclude<ToolKind, 'other' | 'switch_mode'>, readonly string[]>> = {
  read: ['read', 'get', 'list', 'show', 'view', 'describe', 'cat', 'head', 'tail', 'recall'],
  search: ['search', 'find', 'grep', 'glob', 'query', 'lookup'],
  edit: ['write', 'edit', 'create', 'update', 'add', 'set', 'append', 'insert', 'replace', 'patch'],
  delete: ['delete', 'remove', 'rm', 'drop', 'clear'],
  move: ['move', 'rename', 'mv'],
  execute: ['run', 'exec', 'execute', 'shell', 'bash', 'command', 'start', 'invoke', 'eval'],
  fetch: ['fetch', 'download', 'http', 'curl', 'browse', 'navigate'],
  think: ['think', 'sequentialthinking', 'plan'],
};

const KINDS: ReadonlyMap<string, ToolKind> = new Map(
  Object.entries(WORDS).flatMap(([kind, words]) =>
    words.map((word) => [word, kind as ToolKind] as const),
  ),
);

/**
 * The kind of a tool for the icon of its call, guessed from its name, such as `read` for `files__read_file`.
 * `other` if no word is known. It decides nothing else.
 */
export function kindOf(name: string): ToolKind {
  const bare = name.slice(name.lastIndexOf('__') + 1);
  const words = bare
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z]+/);
  for (const word of words) {
    const kind = KINDS.get(word);
    if (kind !== undefined) return kind;
  }
  return 'other';
}
