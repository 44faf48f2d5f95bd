import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { fixtureCommand } from '../../packages/mcp/test/gateway/scene.test-support.ts';
import { type Candidate, candidates } from './candidates.ts';
import { keptBy } from './kept.ts';
import { poolServer } from './place.ts';
import { shownSpeed, speedOf } from './speed.ts';
import { manyTools } from './thousand.ts';

/** Calls of each measurement: some gateways take milliseconds for one. */
const CALLS = 3000;

/** Milliseconds for a gateway to know a thousand tools. */
const LISTING = 60_000;

/** Characters by which a name is recognised. */
const LIKENESS = 14;

const number = (value: number): string => value.toLocaleString('en-US');

async function speed(candidate: Candidate): Promise<string> {
  const running = await candidate.start({ work: poolServer({}) });
  await running.client.begin();
  const params = candidate.call('work', 'work', { text: 'x' });
  const call = () => running.client.request('tools/call', params);
  const { result, error } = await call();
  const isFine = error === undefined && result?.isError !== true;
  const shown = isFine ? shownSpeed(await speedOf(call, CALLS)) : 'no call was answered';
  await running.close();
  return shown;
}

async function tokens(candidate: Candidate, catalogs: string | undefined): Promise<string> {
  if (candidate.isOfOne) return 'one server only';
  const { servers, lists } = manyTools(catalogs);
  const running = await candidate.start(servers);
  const { result: welcome } = await running.client.begin();
  const names = lists.flatMap((tools) => tools.map(({ name }) => String(name)));
  let listed = '';
  // The list is complete when it stays as it is.
  for (let same = 0, end = performance.now() + LISTING; same < 6 && performance.now() < end; ) {
    const { result } = await running.client.request('tools/list');
    const next = JSON.stringify(result?.tools ?? []);
    same = next === listed ? same + 1 : 0;
    listed = next;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  // Gateways shorten long names, or put the name of the server before them.
  const start = (name: string): string => name.slice(0, LIKENESS);
  const words = listed.match(/[\w-]+/g) ?? [];
  const starts = new Set(words.flatMap((word) => [word, word.replace(/^.*?__/, '')].map(start)));
  const visible = names.filter((name) => starts.has(start(name))).length;
  const size = countTokens(listed) + countTokens(String(welcome?.instructions ?? ''));
  const shown = `${number(size)} tokens with ${number(visible)} of ${number(names.length)} names, ${running.megabytes().toFixed(0)} MB`;
  await running.close();
  return shown;
}

/**
 * Gateways from npm and this one, in one run: the same rows for each. `from`: where they are installed.
 * `isFidelityOnly`: whether only the behaviours are compared, which do not depend on the load of the machine.
 */
export async function peers(
  from: string | undefined,
  catalogs: string | undefined,
  isFidelityOnly = false,
): Promise<void> {
  console.log('Gateways, clients and servers of 2025-11-25, one run');
  for (const candidate of candidates(from)) {
    console.log(`  ${candidate.name}`);
    if (candidate.skipped !== undefined) {
      console.log(`    skipped: ${candidate.skipped}`);
      continue;
    }
    const { kept, named, lost } = await keptBy(candidate, fixtureCommand('legacy'));
    const total = kept.length + named.length + lost.length;
    console.log(`    behaviours kept  ${kept.length} of ${total}`);
    if (named.length > 0) console.log(`    named fields     ${named.join('; ')}`);
    if (lost.length > 0) console.log(`    lost             ${lost.join('; ')}`);
    if (isFidelityOnly) continue;
    console.log(`    at connection    ${await tokens(candidate, catalogs)}`);
    console.log(`    calls            ${await speed(candidate)}`);
  }
}
