import { within } from '../../packages/core/src/values/promises.ts';
import {
  answerQuestion,
  behaviours,
  CAPABILITIES,
  type Pair,
} from '../../packages/mcp/test/gateway/fidelity.test-support.ts';
import { StdioClient } from '../../packages/mcp/test/gateway/raw-client.test-support.ts';
import type { Candidate } from './candidates.ts';

/** Milliseconds for one behaviour. */
const TIME = 10_000;

/** Behaviours by what became of them. */
export interface Kept {
  /** Equal in each byte of `result` or `error`, or, for notices and lists, in each field. */
  readonly kept: readonly string[];
  /** Equal apart from the order of fields, and fields that the protocol does not name. */
  readonly named: readonly string[];
  readonly lost: readonly string[];
}

/** Which behaviours of a faithful server are the same through a gateway as without it. */
export async function keptBy(candidate: Candidate, fixture: readonly string[]): Promise<Kept> {
  const found = { kept: [] as string[], named: [] as string[], lost: [] as string[] };
  let opened = await open(candidate, fixture);
  for (const [name, holds] of Object.entries(behaviours)) {
    const passes = async (pair: Pair): Promise<boolean> => {
      const held = holds(pair).then(
        () => true,
        () => false,
      );
      if ((await within(TIME, held)) === true) return true;
      // The state of the server is unknown after a failure.
      await opened.close();
      opened = await open(candidate, fixture);
      return false;
    };
    if (await passes(opened.pair)) found.kept.push(name);
    else if (await passes({ ...opened.pair, isLoose: true })) found.named.push(name);
    else found.lost.push(name);
  }
  await opened.close();
  return found;
}

async function open(
  candidate: Candidate,
  fixture: readonly string[],
): Promise<{ readonly pair: Pair; close(): Promise<void> }> {
  const options = { era: 'legacy', capabilities: CAPABILITIES, answer: answerQuestion } as const;
  const running = await candidate.start({ fixture }, options);
  const direct = new StdioClient(fixture, options, process.env);
  await Promise.all([within(30_000, running.client.begin()), direct.begin()]);
  const pair: Pair = {
    ...{ client: running.client, direct, clientEra: 'legacy', serverEra: 'legacy' },
    call: (name, args, others) => candidate.call('fixture', name, args, others),
    named: (name) => candidate.named('fixture', name),
    isEager: candidate.isEager === true,
  };
  // Until the gateway knows the server.
  for (const end = performance.now() + 20_000; performance.now() < end; ) {
    const { result, error } = await running.client.request('tools/call', pair.call('given', {}));
    if (!error && result?.isError !== true) break;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return {
    pair,
    close: async () => {
      await Promise.all([running.close(), direct.close()]);
    },
  };
}
