import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Reply, startModelServer } from '@toolfold/testing/internal/doubles/model-server.ts';
import type { RecordedRequest } from '@toolfold/testing/internal/wire/recorded-request.ts';
import { environment, outcomeOf } from 'toolfold/test/cli/process.test-support.ts';
import { inboxMessage, type When } from '../../src/options/inbox.ts';
import { newOwner, type SessionStore, sqliteStore } from '../../src/sessions.ts';
import { assertHeld } from '../agent.test-support.ts';
import { Dice } from '../random-talk.test-support.ts';
import { converse } from './converse.test-support.ts';
import {
  CALLS,
  dialectOf,
  type HostReport,
  type HostSettings,
  type Kill,
  modelOfMatrix,
  STEPS,
} from './matrix-plan.test-support.ts';
import { assertAnswered, judgeEffects } from './trial.test-support.ts';

const host = join(import.meta.dirname, 'host.test-support.ts');
const STRATEGIES = ['dispatch', 'bridge', 'native', 'eager'] as const;

/** How a host ends: at a point of its own, or some milliseconds after a request of the conversation. */
type End = Kill | { readonly request: number; readonly after: number };

interface Posted {
  readonly id: string;
  readonly when: When;
}

/**
 * A conversation whose hosts are killed at random, while another process posts messages of the user at random: during
 * requests and calls, and while no host is there. The same seed plans the same trial.
 */
export class PostedTrial {
  readonly #dice: Dice;
  readonly #settings: Omit<HostSettings, 'folder' | 'baseUrl'>;
  readonly #ends: readonly End[];
  /** The requests during which messages are posted. */
  readonly #at: ReadonlySet<number>;
  readonly #posted: Posted[] = [];
  /** Posts one after the other. */
  #posting: Promise<void> = Promise.resolve();
  #requests = 0;
  #store: SessionStore | undefined;
  #child: ChildProcess | undefined;

  constructor(seed: number) {
    const dice = new Dice(seed);
    this.#dice = dice;
    this.#settings = { strategy: dice.one(STRATEGIES), asks: dice.chance(50) };
    this.#ends = Array.from({ length: 1 + dice.below(3) }, () => this.#end());
    this.#at = new Set(Array.from({ length: 4 }, () => 1 + dice.below(STEPS.length)));
  }

  /** The plan, for the message of a failure. */
  get plan(): string {
    return JSON.stringify([this.#settings, this.#ends, [...this.#at], this.#posted]);
  }

  #end(): End {
    const dice = this.#dice;
    if (dice.chance(30)) return { request: 1 + dice.below(STEPS.length), after: dice.below(120) };
    const when = dice.one(['before', 'after', 'called', 'effect'] as const);
    const isCommit = when === 'before' || when === 'after';
    return { when, at: 1 + dice.below(isCommit ? 60 : CALLS.length) };
  }

  async run(): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), 'toolfold-'));
    const model = modelOfMatrix(dialectOf(this.#settings.strategy));
    const server = await startModelServer({ script: (request) => this.#reply(model, request) });
    try {
      this.#store = await sqliteStore({ folder });
      const settings = { ...this.#settings, folder, baseUrl: server.baseUrl('anthropic') };
      for (const end of this.#ends) {
        await this.#runHost(settings, end);
        // Nobody holds the session.
        if (this.#dice.chance(50) && (await this.#store.get('s'))) this.#post(0);
        await this.#posting;
      }
      const report = await converse(settings);
      await this.#posting;
      assert.equal(report.error, undefined, this.plan);
      assertHeld(server);
      assertAnswered(server);
      const lines = (await readFile(join(folder, 'effects'), 'utf8')).trimEnd().split('\n');
      const effects = lines.map((line) => JSON.parse(line));
      judgeEffects({ report, effects }, this.plan);
      await this.#judgeMessages(report);
    } finally {
      this.#child?.kill('SIGKILL');
      await this.#store?.close();
      await server.close();
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Each message is said once, or still waits; each kind is said in the order in which it was posted. */
  async #judgeMessages({ messages }: HostReport): Promise<void> {
    const store = this.#store ?? assert.fail();
    const entries = await store.read('s');
    const lease = await store.acquire('s', newOwner());
    const waiting = new Set((await store.look(lease)).messages.map(({ id }) => id));
    await store.release(lease);
    const users = entries.flatMap(({ kind, body }) => (kind === 'user' ? (body.id ?? []) : []));
    const text = JSON.stringify(messages);
    for (const { id } of this.#posted) {
      const said = text.split(textOf(id)).length - 1;
      assert.equal(said, waiting.has(id) ? 0 : 1, `${this.plan}: ${id}`);
    }
    for (const kind of ['now', 'after']) {
      const ids = this.#posted.flatMap(({ id, when }) => (when === kind ? [id] : []));
      const inOrder = ids.filter((id) => !waiting.has(id));
      assert.deepEqual(
        users.filter((id) => ids.includes(String(id))),
        inOrder,
        `${this.plan}: ${kind}`,
      );
    }
  }

  async #runHost(settings: HostSettings, end: End): Promise<void> {
    const kill = 'when' in end ? { kill: end } : {};
    const args = [host, JSON.stringify({ ...settings, ...kill })];
    const child = spawn(process.execPath, args, {
      env: environment(settings.folder, {}),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    const { stdout, stderr } = await outcomeOf(child);
    // It may have come to its end before.
    if (child.signalCode === 'SIGKILL') return;
    const { error }: HostReport = JSON.parse(stdout);
    assert.equal(error, undefined, `${this.plan} ${stderr}`);
  }

  #reply(model: (request: RecordedRequest) => Reply, request: RecordedRequest): Reply {
    this.#requests += 1;
    const count = this.#requests;
    const [dice, child] = [this.#dice, this.#child];
    if (this.#at.has(count)) this.#post(dice.below(150));
    for (const end of this.#ends)
      if ('request' in end && end.request === count)
        void sleep(end.after).then(() => child?.kill('SIGKILL'));
    return model(request);
  }

  #post(delay: number): void {
    const id = `w${this.#posted.length + 1}`;
    const when = this.#dice.chance(75) ? 'now' : 'after';
    this.#posted.push({ id, when });
    const message = inboxMessage('user', { text: textOf(id), when }, id);
    this.#posting = this.#posting
      .then(() => sleep(delay))
      .then(() => this.#store?.post('s', message));
  }
}

const textOf = (id: string): string => `The message ${id}.`;
