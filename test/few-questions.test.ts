// test: slow
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { createAnthropic } from '@ai-sdk/anthropic';
import { type Agent, createAgent } from '../packages/agent/src/index.ts';
import {
  createSession,
  memoryStore,
  openSession,
  type Session,
} from '../packages/agent/src/sessions.ts';
import { collect } from '../packages/agent/test/agent.test-support.ts';
import { contextOf } from '../packages/core/src/request/layer-context.ts';
import { createServerPool } from '../packages/mcp/src/index.ts';
import { WebServer } from '../packages/mcp/test/chaos/web-server.test-support.ts';
import { type ReplyCall, startModelServer } from '../packages/testing/src/index.ts';
import { createAsker } from '../packages/toolfold/src/questions/asker.ts';
import type { Question } from '../packages/toolfold/src/questions/question.ts';

const limited = { timeout: 30_000 };
const inputSchema = { type: 'object', properties: { n: { type: 'integer' } } };
const READS = { readOnlyHint: true };
const WRITES = { readOnlyHint: false, destructiveHint: false };
const DESTROYS = { readOnlyHint: false, destructiveHint: true };

const toolsWith = (marks: Readonly<Record<string, object | undefined>>) =>
  Object.entries(marks).map(([name, annotations]) => ({ name, annotations, inputSchema }));

/** What servers like the published ones say of their tools. */
const SERVERS = {
  files: toolsWith({
    ...{ read_file: READS, list_directory: READS, search_files: READS },
    ...{ edit_file: DESTROYS, write_file: DESTROYS },
  }),
  git: toolsWith({
    ...{ git_status: READS, git_log: READS },
    ...{ git_add: WRITES, git_commit: WRITES, git_reset: DESTROYS },
  }),
  shell: toolsWith({ run: undefined }),
};

interface Scene {
  readonly servers: Readonly<Record<keyof typeof SERVERS, WebServer>>;
  /** Plays a turn whose model makes these calls, each in an answer of its own. Returns what was asked. */
  readonly play: (calls: readonly string[]) => Promise<readonly string[]>;
  /** The turn after a restart of the process. */
  readonly restart: () => Promise<void>;
  /** The tools that have run, in order. */
  readonly ran: () => readonly string[];
}

/** Servers that nobody trusts, and a user who gives the widest answer for the session. */
async function sceneOf(context: TestContext): Promise<Scene> {
  const servers = {} as Record<keyof typeof SERVERS, WebServer>;
  for (const [name, tools] of Object.entries(SERVERS) as [keyof typeof SERVERS, object[]][]) {
    servers[name] = await WebServer.begin(context);
    servers[name].tools = tools;
  }
  const entries = Object.entries(servers).map(([name, web]) => [name, web.entry()] as const);
  const pool = await createServerPool(
    { servers: new Map(entries), settings: undefined },
    { manifests: false },
  );
  context.after(() => pool.close());
  await pool.ready();
  const store = memoryStore();
  let session: Session = await createSession(store);
  const asked: string[] = [];
  let script: { text: string }[] | { calls: ReplyCall[] }[] = [];
  let agent: Agent | undefined;
  const asker = createAsker({
    note: () => {},
    signal: new AbortController().signal,
    tools: () => (agent ?? assert.fail()).fold.layer,
    marksOf: (name) => {
      const { toolbox } = contextOf((agent ?? assert.fail()).fold.layer);
      const entry = toolbox.registry.get(name);
      return entry && toolbox.toolOf(entry)?.annotations;
    },
    ask: async (question) => {
      asked.push(question.call?.name ?? '');
      return { choice: widest(question) };
    },
  });
  return {
    servers,
    ran: () =>
      Object.values(servers).flatMap(({ received }) =>
        received.flatMap(({ method, name = '' }) => (method === 'tools/call' ? [name] : [])),
      ),
    restart: async () => {
      agent = undefined;
      session = (await openSession(store, session.id)) ?? assert.fail();
    },
    play: async (calls) => {
      asked.length = 0;
      script = calls.map((name, n) => ({ calls: [{ name, arguments: { n } }] }));
      await using server = await startModelServer({ script: [...script, { text: 'Done.' }] });
      const provider = createAnthropic({ apiKey: 'none', baseURL: server.baseUrl('anthropic') });
      const model = provider('claude-opus-5-5');
      agent ??= createAgent({
        ...{ model, groups: pool, strategy: 'eager', session, maxRounds: 20 },
        approvals: { ask: asker.approve },
      });
      agent.configure({ model });
      await collect(agent.send('Mend it.'));
      return [...asked];
    },
  };
}

function widest({ choices }: Question): string {
  const ids = choices.flatMap(({ id, confirm }) => [
    id,
    ...(confirm?.choices.map((one) => one.id) ?? []),
  ]);
  return ['reads-session', 'changes-session', 'session'].find((id) => ids.includes(id)) ?? 'reject';
}

describe('a small mend', limited, () => {
  for (const calls of [
    // Read, edit, run, commit.
    [
      ...['files__read_file', 'files__search_files', 'files__edit_file', 'shell__run'],
      ...['files__edit_file', 'shell__run', 'git__git_commit'],
    ],
    [
      ...['files__list_directory', 'files__read_file', 'files__edit_file', 'files__edit_file'],
      ...['shell__run', 'git__git_add', 'git__git_commit'],
    ],
  ])
    test(`of seven calls has at most three questions behind the one about reads: ${calls.at(-2)}`, async (context) => {
      const { play, ran } = await sceneOf(context);
      const asked = await play(calls);
      assert.equal(ran().length, 7);
      assert.equal(asked[0], calls[0]);
      assert.ok(asked.length <= 4, asked.join());
      // The next mend needs none.
      assert.deepEqual(await play(calls), []);
      assert.equal(ran().length, 14);
    });

  test('what was agreed to holds after a restart, and covers nothing that destroys', async (context) => {
    const { play, restart } = await sceneOf(context);
    assert.deepEqual(await play(['git__git_log', 'git__git_status']), ['git__git_log']);
    await restart();
    assert.deepEqual(await play(['git__git_status', 'git__git_log']), []);
    const writes = ['git__git_add', 'git__git_commit', 'git__git_reset'];
    assert.deepEqual(await play(writes), ['git__git_add', 'git__git_reset']);
  });
});

describe('reads that were agreed to ask again', limited, () => {
  const CHANGES: Readonly<Record<string, object>> = {
    'if the mark goes': { name: 'git_status', inputSchema },
    'if the tool says that it destroys': { name: 'git_status', annotations: DESTROYS, inputSchema },
    'if a mark comes': {
      name: 'git_status',
      annotations: { ...READS, openWorldHint: true },
      inputSchema,
    },
    'if the description changes': {
      ...{ name: 'git_status', annotations: READS, inputSchema },
      description: 'More.',
    },
  };
  for (const [what, changed] of Object.entries(CHANGES))
    test(what, async (context) => {
      const { play, servers, ran } = await sceneOf(context);
      await play(['git__git_log', 'git__git_status']);
      const before = ran().length;
      let passed = 0;
      const now = performance.now.bind(performance);
      context.mock.method(performance, 'now', () => now() + passed);
      servers.git.tools = [
        ...servers.git.tools.filter((one) => !('name' in one && one.name === 'git_status')),
        changed,
      ];
      passed = 61_000;
      const [asked, ...others] = await play(['git__git_status', 'git__git_status', 'git__git_log']);
      assert.deepEqual([asked, others], ['git__git_status', []]);
      assert.ok(ran().length > before);
    });

  test('if a tool is new or renamed', async (context) => {
    const { play, servers } = await sceneOf(context);
    await play(['git__git_log']);
    let passed = 0;
    const now = performance.now.bind(performance);
    context.mock.method(performance, 'now', () => now() + passed);
    servers.git.tools = [...SERVERS.git, ...toolsWith({ git_show: READS, git_log2: READS })];
    passed = 61_000;
    await play(['git__git_status']);
    const asked = await play(['git__git_show', 'git__git_log']);
    assert.deepEqual(asked, ['git__git_show']);
  });
});
