import { join } from 'node:path';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createFold, type FoldOptions } from '@toolfold/ai-sdk';
import type { DeferredToolGroup } from '@toolfold/core/internal/tool/group.ts';
import { parseConfig } from '@toolfold/mcp/internal/config/read-config.ts';
import { connectServers } from '@toolfold/mcp/internal/pool/connect-servers.ts';
import type { ToolSet } from 'ai';
import { createAgent } from '../../src/agent/agent.ts';
import type { AgentEvent } from '../../src/events/events.ts';
import type { ApprovalAnswer } from '../../src/events/user-requests.ts';
import { inboxMessage } from '../../src/options/inbox.ts';
import type { Agent, AgentFold } from '../../src/options/options.ts';
import {
  createSession,
  openSession,
  type Session,
  type SessionStore,
  sqliteStore,
} from '../../src/sessions.ts';
import { createSubagents } from '../../src/tasks/tool.ts';
import {
  ASKED,
  type HostReport,
  type HostSettings,
  type Kill,
  SERVERS,
  type ServerSettings,
  WORD,
} from './matrix-plan.test-support.ts';

/**
 * Runs an agent on a session in a file and on real MCP servers until its conversation is complete. Ends
 * its process with SIGKILL at the commit `kill`.
 */
export async function converse(settings: HostSettings): Promise<HostReport> {
  const pool = await connectServers(configOf(settings));
  const { store, commits } = deadly(await sqliteStore({ folder: settings.folder }), settings.kill);
  try {
    const asked: Asked = { unknown: [], listed: [], approvals: [] };
    const open = async () => {
      const known = await store.get('s');
      const session = await (known ? openSession(store, 's') : createSession(store, { id: 's' }));
      const talk = await agentOn(settings, session, pool.groups, asked);
      return { talk, look: () => session.look() };
    };
    const { talk, look } = await open();
    let error: string | undefined;
    for (let turn = next(talk, asked); turn && !error; turn = next(talk, asked)) {
      for (const { id } of await talk.unknown()) asked.listed.push(id);
      error = await errorOf(turn, async (event) => {
        if (!settings.hasWord || event.type !== 'request' || talk.messages.length < 3) return;
        await store.post('s', inboxMessage('user', { text: WORD, when: 'now' }, 'word'));
        await look();
      });
    }
    return {
      messages: plain(talk.messages),
      reopened: plain((await open()).talk.messages),
      ...asked,
      commits: commits(),
      ...(error ? { error } : {}),
    };
  } finally {
    await pool.close();
    await store.close();
  }
}

/** What the user was asked. */
interface Asked {
  readonly unknown: string[];
  readonly listed: string[];
  readonly approvals: string[];
}

/** The store, in which the process dies before or after one commit. */
function deadly(
  store: SessionStore,
  kill: Kill | undefined,
): { readonly store: SessionStore; readonly commits: () => number } {
  let commits = 0;
  const die = (when: string, at: number) => {
    if (kill?.when === when && kill.at === at) process.kill(process.pid, 'SIGKILL');
  };
  const append: SessionStore['append'] = async (entries, options) => {
    // Subagents commit at the same time.
    const at = ++commits;
    die('before', at);
    await store.append(entries, options);
    die('after', at);
  };
  return { store: { ...store, append }, commits: () => commits };
}

const script = join(import.meta.dirname, 'effect-server.test-support.ts');

function configOf({ folder, kill }: HostSettings): ReturnType<typeof parseConfig> {
  const entryOf = (tools: ServerSettings['tools']): object => {
    const effects = join(folder, 'effects');
    const given: ServerSettings = { tools, effects, host: process.pid, ...(kill ? { kill } : {}) };
    return { command: process.execPath, args: [script, JSON.stringify(given)] };
  };
  const servers = Object.entries(SERVERS);
  const config = {
    mcpServers: Object.fromEntries(servers.map(([name, tools]) => [name, entryOf(tools)])),
    toolfold: { servers: Object.fromEntries(servers.map(([name]) => [name, { trusted: true }])) },
  };
  return parseConfig(join(folder, 'mcp.json'), JSON.stringify(config), { env: {} });
}

async function agentOn(
  { baseUrl, strategy, asks, isTeam }: HostSettings,
  session: Session,
  groups: readonly DeferredToolGroup[],
  asked: Asked,
): Promise<Agent> {
  const subagents = isTeam ? createSubagents() : undefined;
  const options = { groups, tools: { ...subagents?.tools }, strategy };
  return createAgent({
    model: createAnthropic({ baseURL: baseUrl, apiKey: 'test' })('claude-opus-5-5'),
    fold: createFold(options as FoldOptions<ToolSet>) as unknown as AgentFold,
    session,
    subagents,
    maxRounds: 50,
    routing: 'off',
    settings: { maxRetries: 0 },
    approvals: {
      mode: 'always',
      allow: ['notes__*', 'mail__add', 'mail__send', 'subagents'],
      ...(asks ? { ask: async ({ name }) => approve(name, asked) } : {}),
    },
    onUnknown: async ({ id }) => {
      asked.unknown.push(id);
      return undefined;
    },
  });
}

function approve(name: string, { approvals }: Asked): ApprovalAnswer {
  approvals.push(name);
  return { approved: name === ASKED };
}

/** Reads a turn to its end. Returns what went wrong. */
async function errorOf(
  turn: AsyncIterable<AgentEvent>,
  take: (event: AgentEvent) => Promise<void>,
): Promise<string | undefined> {
  let end: AgentEvent | undefined;
  for await (const event of turn) {
    end = event;
    await take(event);
  }
  if (end?.type !== 'end') return 'no end';
  const { reason, error } = end;
  return reason === 'done' || reason === 'approval' ? undefined : `${reason} ${error?.message}`;
}

/** What the conversation needs next. Undefined if it is complete. */
function next(talk: Agent, asked: Asked): AsyncIterable<AgentEvent> | undefined {
  if (talk.canResume) return talk.resume();
  if (talk.pending.length > 0) {
    const answers = talk.pending.map((one) => [one.approvalId, approve(one.name, asked)] as const);
    return talk.answer(Object.fromEntries(answers));
  }
  return talk.messages.length === 0 ? talk.send('Go.') : undefined;
}

/** The messages as a report of another process has them. */
const plain = (messages: Agent['messages']): readonly unknown[] =>
  JSON.parse(JSON.stringify(messages));
