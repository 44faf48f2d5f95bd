/** One task for each number of servers: four calls in a row, with results of a given length. */

/** A call that the task needs. */
export interface Goal {
  readonly server: string;
  readonly tool: string;
  readonly input: object;
}

const file = { path: '/home/ada/notes/release.md' };

const TASKS: ReadonlyMap<number, readonly Goal[]> = new Map([
  [
    1,
    [
      { server: 'filesystem', tool: 'list_directory', input: { path: '/home/ada/notes' } },
      {
        server: 'filesystem',
        tool: 'search_files',
        input: { path: '/home/ada/notes', pattern: '**/*release*' },
      },
      { server: 'filesystem', tool: 'read_text_file', input: file },
      {
        server: 'filesystem',
        tool: 'write_file',
        input: { path: '/home/ada/notes/open.md', content: '- two parts wait for an answer\n' },
      },
    ],
  ],
  [
    3,
    [
      { server: 'filesystem', tool: 'list_directory', input: { path: '/home/ada/notes' } },
      { server: 'filesystem', tool: 'read_text_file', input: file },
      { server: 'memory', tool: 'search_nodes', input: { query: 'release' } },
      { server: 'time', tool: 'current_time', input: { timezone: 'Europe/London' } },
    ],
  ],
  [
    8,
    [
      { server: 'filesystem', tool: 'read_text_file', input: file },
      { server: 'git', tool: 'git_log', input: { path: '/home/ada/notes', maxCount: 5 } },
      { server: 'git', tool: 'git_diff', input: { path: '/home/ada/notes', target: 'HEAD~1' } },
      { server: 'memory', tool: 'search_nodes', input: { query: 'release' } },
    ],
  ],
]);

/** The possible numbers of servers. */
export const SIZES: readonly number[] = [...TASKS.keys()];

export function goalsOf(servers: number): readonly Goal[] {
  return TASKS.get(servers) ?? [];
}

/** Length of the results, in lines of about 30 tokens. */
export const RESULT_LINES: ReadonlyMap<string, number> = new Map([
  ['short', 2],
  ['long', 14],
]);

/** The user message, in words similar to the tool names. */
export function wordsOf(goals: readonly Goal[]): string {
  const steps = goals.map(({ server, tool }) => `${server}: ${tool.replaceAll('_', ' ')}`);
  return `Find out what is open for the release, step by step: ${steps.join('; ')}.`;
}

/** The result of every call. */
export function resultOf(tool: string, lines: number): string {
  const records = Array.from(
    { length: lines },
    (_, n) => `#${n + 1} | 2026-03-${10 + n} | part ${n * 37} | waits for an answer since release`,
  );
  return [`${tool}:`, ...records].join('\n');
}
