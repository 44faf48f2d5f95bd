/**
 * Plays the cases of one way for each message, in a thread of its own: the test runner follows every
 * promise of its own thread, which would double the time of some thousands of conversations.
 */
import { parentPort } from 'node:worker_threads';
import {
  type ModelServer,
  type Reply,
  startModelServer,
} from '@toolfold/testing/internal/doubles/model-server.ts';
import type { RecordedRequest } from '@toolfold/testing/internal/wire/recorded-request.ts';
import { play, problemsOf, type Stage } from './check.test-support.ts';
import { type Extent, sparsePlan, wholePlan } from './plan.test-support.ts';
import type { StrategyName } from './strategies.test-support.ts';
import { WAYS } from './table.test-support.ts';
import { nameOf } from './trial.test-support.ts';

export interface Order {
  readonly way: string;
  readonly strategy: StrategyName;
  readonly extent: Extent;
  /** A part of a case's coordinates: those alone are played. */
  readonly only: string;
}

export interface Played {
  readonly count: number;
  readonly failures: readonly { readonly at: string; readonly problems: readonly string[] }[];
  /** How many cases were left out, by reason. */
  readonly left: ReadonlyMap<string, number>;
}

let server: ModelServer | undefined;
const staged = new Map<string, { requests: RecordedRequest[]; replies: Reply[] }>();
let cases = 0;

/** A server for a few cases: it compares each request with all before, to count what a cache holds. */
async function open(strict: boolean): Promise<ModelServer> {
  await server?.close();
  staged.clear();
  return startModelServer({
    strict,
    countTokens: () => 1,
    script: (request) => {
      const stage = staged.get(/case-\d+/.exec(request.url)?.[0] ?? '');
      stage?.requests.push(request);
      return stage?.replies.shift() ?? { text: 'Done.' };
    },
  });
}

/** An address of the server's for one case alone. */
function stageOn(model: ModelServer): Stage {
  return (provider) => {
    const id = `case-${++cases}`;
    const stage = { requests: [] as RecordedRequest[], replies: [] as Reply[] };
    staged.set(id, stage);
    const baseUrl = model.baseUrl(provider).replace(/\/v1$/, `/${id}/v1`);
    return {
      server: { ...model, baseUrl: () => baseUrl },
      requests: stage.requests,
      reply: (trial) => stage.replies.push(...trial.replies()),
    };
  };
}

async function playAll({ way: name, strategy, extent, only }: Order): Promise<Played> {
  const way = WAYS.find((row) => row.name === name);
  if (!way) throw new Error(`no row ${name}`);
  const plan =
    extent === 'every combination' ? wholePlan(way, strategy) : sparsePlan(way, strategy, extent);
  const played = plan.cases.filter((at) => nameOf(at).includes(only));
  const failures: { at: string; problems: string[] }[] = [];
  for (const [index, at] of played.entries()) {
    if (index % 10 === 0 || !server) server = await open(way.isOdd !== true);
    const problems = problemsOf(await play(at, way, stageOn(server)));
    if (problems.length > 0) failures.push({ at: nameOf(at), problems });
  }
  return { count: played.length, failures, left: plan.left };
}

const port = parentPort;
port?.on('message', async (order: Order | 'end') => {
  if (order === 'end') {
    await server?.close();
    return port.close();
  }
  port.postMessage(await playAll(order));
});
