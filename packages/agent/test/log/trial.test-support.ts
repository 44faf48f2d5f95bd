import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorMessage } from '@toolfold/core/internal/errors.ts';
import { isRecord, ownProperty } from '@toolfold/core/internal/values/json.ts';
import {
  type ModelServer,
  startModelServer,
} from '@toolfold/testing/internal/doubles/model-server.ts';
import { environment, outcomeOf } from 'toolfold/test/cli/process.test-support.ts';
import { USER_WROTE } from '../../src/state/messages.ts';
import { assertHeld } from '../agent.test-support.ts';
import { taskIn } from '../subagents/team.test-support.ts';
import { converse } from './converse.test-support.ts';
import {
  CALLS,
  dialectOf,
  type Effect,
  type HostReport,
  type HostSettings,
  isUnsafe,
  type Kill,
  modelOfMatrix,
  type StrategyOfMatrix,
  WORD,
} from './matrix-plan.test-support.ts';
import { modelOfTeam, NAMES } from './team-plan.test-support.ts';

const host = join(import.meta.dirname, 'host.test-support.ts');

/** How the trials of a matrix run. */
export interface Way {
  readonly strategy: StrategyOfMatrix;
  readonly asks: boolean;
  readonly isTeam?: boolean;
  readonly hasWord?: boolean;
}

/** What came of the hosts of one trial. */
export interface Trial {
  readonly report: HostReport;
  readonly effects: readonly Effect[];
}

/** Runs hosts on one session, one after the other, each killed. This process completes the conversation. */
export async function runTrial(way: Way, kills: readonly Kill[]): Promise<Trial> {
  const folder = await mkdtemp(join(tmpdir(), 'toolfold-'));
  const { strategy, isTeam } = way;
  const script = isTeam ? modelOfTeam(strategy) : modelOfMatrix(dialectOf(strategy));
  const server = await startModelServer({ script });
  try {
    const settings = { ...way, folder, baseUrl: server.baseUrl('anthropic') };
    for (const kill of kills) await endHost({ ...settings, kill });
    const report = await converse(settings);
    assert.equal(report.error, undefined, JSON.stringify(kills));
    const talks = Map.groupBy(server.requests, taskIn);
    for (const requests of talks.values()) assertHeld({ ...server, requests });
    assertAnswered(server);
    const lines = (await readFile(join(folder, 'effects'), 'utf8')).trimEnd().split('\n');
    const effects = lines.map((line): Effect => JSON.parse(line));
    return { report, effects };
  } finally {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs a host that is killed. */
async function endHost(settings: HostSettings): Promise<void> {
  const args = [host, JSON.stringify(settings)];
  const child = spawn(process.execPath, args, {
    env: environment(settings.folder, {}),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { stdout, stderr } = await outcomeOf(child);
  const { signalCode } = child;
  const { kill } = settings;
  if (signalCode === null && (kill?.when === 'before' || kill?.when === 'after')) {
    // Entries that come fast are committed together, so the last commits of another trial may not come here.
    const { commits, error }: HostReport = JSON.parse(stdout);
    assert.equal(error, undefined, JSON.stringify(kill));
    assert.ok(commits < kill.at && kill.at - commits <= 2, `${JSON.stringify(kill)} of ${commits}`);
    return;
  }
  assert.equal(signalCode, 'SIGKILL', `${JSON.stringify(kill)} ${stdout} ${stderr}`);
}

interface Block {
  readonly type: string;
  readonly id?: string;
  readonly tool_use_id?: string;
}

/** Each call in a request has its result in the next message. */
export function assertAnswered({ requests }: ModelServer): void {
  for (const { body } of requests) {
    const messages = body.messages as readonly { readonly content: readonly Block[] | string }[];
    for (const [index, { content }] of messages.entries()) {
      const blocks = typeof content === 'string' ? [] : content;
      const calls = blocks.flatMap(({ type, id }) => (type === 'tool_use' ? [id] : []));
      if (calls.length === 0) continue;
      const next = messages[index + 1]?.content ?? [];
      const answered = new Set(typeof next === 'string' ? [] : next.map((one) => one.tool_use_id));
      for (const id of calls) assert.ok(answered.has(id), `the call ${id} has no result`);
    }
  }
}

/** What must be true of each trial, wherever its hosts were killed. `whole`: the trial without a kill. */
export function judge(trial: Trial, whole: Trial, kills: readonly Kill[]): void {
  const at = JSON.stringify(kills);
  const { report } = trial;
  judgeEffects(trial, at);
  const unknown = callsWith(report, 'its outcome is unknown');
  if (kills.length === 1) assert.deepEqual(new Set(report.unknown), unknown, at);
  if (JSON.stringify(whole.report.messages).includes(WORD)) {
    // A request that is sent again has the message, and another one in the whole trial.
    const said = JSON.stringify(report.messages).split(WORD).length - 1;
    assert.equal(said, 1, at);
    return;
  }
  assert.deepEqual(
    comparable(report.messages, unknown),
    comparable(whole.report.messages, unknown),
    at,
  );
}

/** Each call has happened as its result says, and at most once where it must not be repeated. */
export function judgeEffects({ report, effects }: Trial, at: string): void {
  const unknown = callsWith(report, 'its outcome is unknown');
  const refused = callsWith(report, USER_WROTE);
  assert.deepEqual(report.reopened, report.messages, at);
  for (const id of report.unknown) assert.ok(unknown.has(id), `${at}: ${id} was asked about`);
  for (const [index, name] of CALLS.entries()) {
    const id = `call_${index + 1}`;
    const times = effects.filter(({ n }) => n === index + 1);
    if (isUnsafe(name)) assert.ok(times.length <= 1, `${at}: ${name} ${id} happened twice`);
    if (refused.has(id)) assert.equal(times.length, 0, `${at}: ${name} ${id} happened`);
    else if (!unknown.has(id)) assert.ok(times.length >= 1, `${at}: ${name} ${id} never happened`);
    else assert.ok(isUnsafe(name), `${at}: ${name} ${id} could be repeated`);
  }
}

/** What must be true of each trial with subagents. */
function judgeTeam({ report, effects }: Trial, kills: readonly Kill[]): void {
  const at = JSON.stringify(kills);
  for (let n = 1; n <= 7; n++) {
    const name = effects.find((effect) => effect.n === n)?.name;
    const times = effects.filter((effect) => effect.n === n).length;
    const isAsked = report.unknown.some((id) => `/${id}`.endsWith(`/call_${n}`));
    if (n === 7 || n % 2 === 0) assert.ok(times <= 1, `${at}: ${name} ${n} happened twice`);
    if (!isAsked) assert.ok(times >= 1, `${at}: ${n} never happened`);
  }
  assert.ok(report.unknown.length <= 4, `${at}: ${report.unknown}`);
  assert.deepEqual(report.reopened, report.messages, at);
  const text = JSON.stringify(report.messages);
  for (const name of NAMES) assert.match(text, new RegExp(`${name} has worked`), at);
  assert.match(text, /All done/, at);
}

interface Part {
  readonly type: string;
  readonly toolCallId?: string;
  readonly output?: unknown;
}

/** Ids of the calls whose results say this. */
function callsWith({ messages }: HostReport, text: string): ReadonlySet<string> {
  const parts = (messages as readonly { readonly content: readonly Part[] }[]).flatMap(
    ({ content }) => (Array.isArray(content) ? content : []),
  );
  return new Set(
    parts.flatMap(({ type, toolCallId, output }) =>
      type === 'tool-result' && JSON.stringify(output).includes(text) ? [toolCallId ?? ''] : [],
    ),
  );
}

/** The messages without random ids and without the results of these calls. */
function comparable(messages: readonly unknown[], unknown: ReadonlySet<string>): unknown {
  const approvals: string[] = [];
  const text = JSON.stringify(messages, (key, value) => {
    if (key === 'approvalId') {
      if (!approvals.includes(value)) approvals.push(value);
      return approvals.indexOf(value);
    }
    if (value?.type === 'tool-result' && unknown.has(value.toolCallId))
      return { ...value, output: 'unknown' };
    if (Array.isArray(value)) return value.filter((part) => !isNoteOf(part, unknown));
    if (key === 'id' && /^msg_/.test(value)) return 'msg';
    // What a tool is known by: its definition, or what its group lists while that has not loaded.
    if (key === 'd' && /^[dl][0-9a-f]{16}$/.test(value)) return undefined;
    // Counted by the server from the requests before.
    return key === 'usage' ? undefined : value;
  });
  return JSON.parse(text);
}

/** Whether a part of an answer is a note that keeps nothing but the error texts of these calls. */
function isNoteOf(part: unknown, calls: ReadonlySet<string>): boolean {
  const note = ownProperty(ownProperty(part, 'providerOptions'), 'toolfold');
  const ids = Object.keys(ownProperty(note, 'errors') ?? {});
  return (
    isRecord(note) &&
    Object.keys(note).length === 1 &&
    ids.length > 0 &&
    ids.every((id) => calls.has(id))
  );
}

/** Every point at which a host can be killed in a trial. `whole`: the trial without a kill. */
export function pointsOf({ isTeam }: Way, { report, effects }: Trial): readonly Kill[] {
  // Subagents work at the same time, so the number of commits differs a little.
  const commits = isTeam ? Math.floor(report.commits * 0.9) : report.commits;
  const at = (count: number, ...whens: readonly Kill['when'][]) =>
    Array.from({ length: count }, (_, index) => whens.map((when) => ({ when, at: index + 1 })));
  return [...at(commits, 'before', 'after'), ...at(effects.length, 'called', 'effect')].flat();
}

/** What came of the trials of a matrix. */
export interface MatrixResult {
  /** How many calls were unknown. */
  readonly unknown: number;
  readonly failures: readonly string[];
}

/** Runs trials with these kills, two at the same time. */
export async function runMatrix(
  way: Way,
  whole: Trial,
  trials: readonly (readonly Kill[])[],
): Promise<MatrixResult> {
  const left = [...trials];
  const failures: string[] = [];
  let unknown = 0;
  const work = async () => {
    for (let kills = left.shift(); kills; kills = left.shift()) {
      try {
        const trial = await runTrial(way, kills);
        unknown += trial.report.unknown.length;
        const { report } = trial;
        for (const id of report.unknown)
          assert.ok(report.listed.includes(id), `${id} was not listed`);
        if (way.isTeam) judgeTeam(trial, kills);
        else judge(trial, whole, kills);
      } catch (error) {
        failures.push(`${JSON.stringify(kills)}: ${errorMessage(error)}`);
      }
    }
  };
  await Promise.all([work(), work()]);
  return { unknown, failures };
}
