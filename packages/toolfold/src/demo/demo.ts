import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ownProperty } from '@toolfold/core/internal/values';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles';
import type { LanguageModel } from 'ai';
import { importOptional } from '../terminal/index.ts';

/** Its writes run without a question, but for the commit: that shows how approvals look. */
const SETTINGS = {
  strategy: 'dispatch',
  maxRounds: 20,
  approvals: {
    allow: ['mcp:filesystem/*', 'mcp:memory/*', 'mcp:git/git_init', 'mcp:git/git_add'],
  },
};

/** The servers and the model of `--demo`. */
export interface Demo extends AsyncDisposable {
  readonly workplace: Workplace;
  readonly model: LanguageModel;
}

/** Characters of a piece of a streamed answer. */
const PIECE = 8;

const REST: Reply = {
  text:
    'This model follows a script, and it has done its **one task**.\n\n' +
    'On a terminal:\n\n' +
    '- `/tools` lists the tools, `/tools commit` searches them.\n' +
    '- `/context` shows what the last request held.\n' +
    '- `/cost` shows what the conversation has used.\n' +
    '- `/fork` and `/tree` go other ways, `/help` shows the rest.',
};

/** Starts the scripted model. What the user says does not matter to it. */
export async function startDemo(): Promise<Demo> {
  // A package that each surface needs anyway: a first try has no other.
  const name = '@ai-sdk/openai-compatible';
  const load = () => import('@ai-sdk/openai-compatible');
  // Before anything is made that would be left behind without the package.
  const { createOpenAICompatible } = await importOptional(name, 'The demo', load);
  const workplace = await createWorkplace(SETTINGS);
  const next = scriptFor(workplace);
  const server = await startModelServer({ script: () => ({ chunkSize: PIECE, ...next() }) });
  const baseURL = server.baseUrl('openai-chat');
  const provider = createOpenAICompatible({ name: 'demo', baseURL, includeUsage: true });
  return {
    workplace,
    model: provider('scripted'),
    [Symbol.asyncDispose]: async () => {
      await server.close();
      await workplace[Symbol.asyncDispose]();
    },
  };
}

/** The file of the knowledge graph. */
const MEMORY = 'memory.jsonl';

export const FILE = 'haiku.txt';
export const TEXT = 'Names on the map,\nmanuals stay on the shelf:\nthe prompt keeps its shape.\n';
export const MESSAGE = 'Add a haiku about folded tools';

/** The prompt of the task. */
export function taskFor(workplace: Workplace): string {
  return [
    `Make a git repository in ${workplace.repository}.`,
    `Write the file ${FILE} into it with exactly this text:\n${TEXT}`,
    `Commit it with the message "${MESSAGE}".`,
    'Remember in the knowledge graph that the repository exists and what it holds.',
    'Read the file and the graph back, and tell me what they say.',
  ].join('\n');
}

/** The script of the model: its next answer, each time. Behind the calls, one says what has happened. */
export function scriptFor(workplace: Workplace): () => Reply {
  const calls = callsFor(workplace);
  let step = 0;
  return () => {
    const reply = calls[step++];
    if (reply) return reply;
    return step === calls.length + 1 ? { text: reportOn(workplace) } : REST;
  };
}

function callsFor(workplace: Workplace): Reply[] {
  const { repository } = workplace;
  const path = join(repository, FILE);
  const load = (group: string, ...names: string[]) => ({
    name: 'load_tools',
    arguments: { group_id: `mcp:${group}`, tool_names: names },
  });
  const call = (name: string, args: object) => ({
    name: 'deferred_tool_call',
    arguments: { tool_name: name, arguments: args },
  });
  const entity = {
    name: 'notes repository',
    entityType: 'git repository',
    observations: [`lives in ${repository}`, `holds ${FILE}`],
  };
  return [
    {
      text: 'I need git and the file system.',
      calls: [load('git', 'git_init', 'git_add', 'git_commit'), load('filesystem', 'write_file')],
    },
    { calls: [call('git__git_init', { path: repository, initialBranch: 'main' })] },
    { calls: [call('filesystem__write_file', { path, content: TEXT })] },
    { calls: [call('git__git_add', { path: repository, paths: [FILE] })] },
    { calls: [call('git__git_commit', { path: repository, message: MESSAGE })] },
    // This tool is called without a load, because its arguments are simple.
    { calls: [call('memory__create_entities', { entities: [entity] })] },
    {
      calls: [call('filesystem__read_text_file', { path }), call('memory__read_graph', {})],
    },
  ];
}

/** What a workplace holds. A call may have failed, or the user may have denied it. */
function reportOn({ folder, repository }: Workplace): string {
  const isCommitted = existsSync(join(repository, '.git', 'refs', 'heads', 'main'));
  const isWritten = existsSync(join(repository, FILE));
  const isKnown = existsSync(join(folder, MEMORY));
  const graph = `the knowledge graph ${isKnown ? 'knows' : 'does not know'} of it`;
  if (isCommitted)
    return `${isKnown ? 'Done: ' : ''}${FILE} is committed in ${repository}, and ${graph}.`;
  const file = isWritten ? `${FILE} is in ${repository}` : `${FILE} was not written`;
  return `Not all is done: ${file}, the commit was not made, and ${graph}.`;
}

/** The published servers of the demo, with the versions that it was written for. */
const VERSIONS = {
  '@modelcontextprotocol/server-filesystem': '2026.8.31',
  '@modelcontextprotocol/server-memory': '2026.8.31',
  '@modelcontextprotocol/server-everything': '2026.8.31',
  '@modelcontextprotocol/server-sequential-thinking': '2026.8.31',
  '@cyanheads/git-mcp-server': '2.15.3',
  'time-mcp': '1.0.6',
} as const;

type Package = keyof typeof VERSIONS;

/** Six downloads at once take longer than the start of a server may take by default. */
const DOWNLOAD_SECONDS = 180;

/** A temporary folder with everything that the servers of the demo may change. */
export interface Workplace extends AsyncDisposable {
  readonly folder: string;
  readonly repository: string;
  /** The file of the configuration. */
  readonly config: string;
}

/**
 * Writes an ordinary MCP client configuration for six published servers into a new folder. `toolfold`:
 * settings for it.
 */
export async function createWorkplace(toolfold?: object): Promise<Workplace> {
  const folder = await mkdtemp(join(tmpdir(), 'toolfold-demo-'));
  const repository = join(folder, 'notes');
  await mkdir(repository);
  const mcpServers = {
    filesystem: serverCommand('@modelcontextprotocol/server-filesystem', [folder]),
    memory: serverCommand('@modelcontextprotocol/server-memory', [], {
      MEMORY_FILE_PATH: join(folder, MEMORY),
    }),
    everything: serverCommand('@modelcontextprotocol/server-everything'),
    'sequential-thinking': serverCommand('@modelcontextprotocol/server-sequential-thinking'),
    git: serverCommand('@cyanheads/git-mcp-server', [], {
      GIT_BASE_DIR: folder,
      GIT_USERNAME: 'Toolfold demo',
      GIT_EMAIL: 'demo@example.com',
      LOGS_DIR: join(folder, 'logs'),
      HOME: folder,
    }),
    time: serverCommand('time-mcp'),
  };
  const config = join(folder, 'mcp.json');
  await writeFile(
    config,
    JSON.stringify({ mcpServers, ...(toolfold ? { toolfold } : {}) }, null, 2),
  );
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 3 });
  return { folder, repository, config, [Symbol.asyncDispose]: remove };
}

/**
 * A server's entry in a configuration: it is started from `node_modules` where it is installed, else by npx, which downloads it. `env`:
 * its variables.
 */
function serverCommand(
  name: Package,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): object {
  const file = installed(name);
  if (file !== undefined) return { command: process.execPath, args: [file, ...args], env };
  return {
    ...{ command: 'npx', args: ['-y', `${name}@${VERSIONS[name]}`, ...args] },
    env: { ...networkSettings(process.env), ...env },
    startSeconds: DOWNLOAD_SECONDS,
  };
}

/** What npx needs to reach a registry. Servers inherit only a part of it. */
const NETWORK =
  /^(https?_proxy|no_proxy|all_proxy|npm_config_.*|node_extra_ca_certs|ssl_cert_(file|dir))$/i;

/** Proxies, certificates and the settings of npm. */
function networkSettings(env: NodeJS.ProcessEnv): Record<string, string> {
  const names = Object.keys(env).filter((name) => NETWORK.test(name));
  return {
    // A server may have another home folder.
    NPM_CONFIG_USERCONFIG: join(homedir(), '.npmrc'),
    ...Object.fromEntries(names.map((name) => [name, env[name] ?? ''])),
  };
}

/** The program of an installed package. */
function installed(name: Package): string | undefined {
  const require = createRequire(import.meta.url);
  for (const folder of require.resolve.paths(name) ?? []) {
    try {
      const file = join(folder, name, 'package.json');
      const bin: unknown = ownProperty(require(file), 'bin');
      const [program] = typeof bin === 'string' ? [bin] : Object.values(bin ?? {});
      if (typeof program === 'string') return join(dirname(file), program);
    } catch {
      // It is not in this folder.
    }
  }
  return;
}
