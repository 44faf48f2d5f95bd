/**
 * Measures the speed of the core and the size of its code. The ratios and targets are those of
 * docs/contributing/measurements.md.
 */
import { createToolLayer } from '@toolfold/core';
import { fakeGroup, fakeTools } from '@toolfold/testing';
import { bundleCore, type Chunk, sizeOfImport } from './core-size.ts';

const groupsOf = (tools: number, size: number) =>
  Array.from({ length: tools / size }, (_, n) => {
    const group = fakeGroup({ groupId: `mcp:server${n}`, count: size, seed: n + 1 });
    const toolNames = fakeTools(size, n + 1).map((tool) => tool.name);
    return { ...group, toolNames };
  });

/** Median milliseconds of the runs. A run may start its time measurement after its preparation. */
async function median(runs: number, run: (startClock: () => void) => unknown): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < runs; n++) {
    let start = performance.now();
    await run(() => {
      start = performance.now();
    });
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[runs >> 1] ?? 0;
}

function say(what: string, ms: number, target: number): void {
  const unit = target < 1 ? `${(ms * 1000).toFixed(1)} µs` : `${ms.toFixed(2)} ms`;
  const limit = target < 1 ? `${target * 1000} µs` : `${target} ms`;
  console.log(
    `  ${what.padEnd(52)}${unit.padStart(12)}   target ${limit}, ${ms <= target ? `${(target / ms).toFixed(1)} × inside` : 'MISSED'}`,
  );
}

const groups = groupsOf(1_000, 25);
const layer = createToolLayer({ groups, strategy: 'dispatch' });
for (const group of groups) {
  await layer
    .session()
    .route({ id: 'load', name: 'load_tools', input: { group_id: group.groupId } });
}
const session = layer.session();
const messages = [{ role: 'user' as const }];
session.present(messages);
const name = `server3__${groups[3]?.toolNames[0]}`;
const call = { id: '1', name: 'deferred_tool_call', input: { tool_name: name, arguments: {} } };
console.log('1,000 tools in 40 groups, all loaded');
say('present()', await median(500, () => session.present(messages)), 1);
say('route() of a dispatched call', await median(2_000, () => session.turn([]).route(call)), 0.05);
say(
  'route() of a native call',
  await median(2_000, () => session.turn([]).route({ ...call, name, input: {} })),
  0.05,
);

const many = groupsOf(10_000, 100);
console.log('10,000 tools in 100 groups');
const large = createToolLayer({ groups: many, strategy: 'dispatch' });
say('first session and present()', await median(1, () => large.session().present([])), 50);
const starts = await median(9, () =>
  createToolLayer({ groups: many, strategy: 'dispatch' }).session().present([]),
);
say('a new layer, its session and present()', starts, 50);
say('a further session and present()', await median(200, () => large.session().present([])), 50);

/** A tool with a schema of 5 MB, of properties with descriptions, as a server might send it. */
const large5 = {
  type: 'object',
  properties: Object.fromEntries(
    Array.from({ length: 20_000 }, (_, n) => [
      `property_${n}`,
      { type: 'string', description: `Value number ${n} of the thing that is made. `.repeat(5) },
    ]),
  ),
  required: ['property_0'],
};
const schemaBytes = JSON.stringify(large5).length;
const loaderOf = (schema: typeof large5) => async () => [{ name: 'big', inputSchema: schema }];
/** Creates everything again for each run, so that no cache of an earlier run is used. */
const inLayer = (
  strategy: 'dispatch' | 'bridge',
  ...calls: readonly (readonly [string, object])[]
) =>
  median(5, async (clock) => {
    const schema = structuredClone(large5);
    const bigGroup = { groupId: 'mcp:big', toolNames: ['big'], loader: loaderOf(schema) };
    const fresh = createToolLayer({ groups: [bigGroup], strategy }).session();
    fresh.present([]);
    for (const [n, [tool, input]] of calls.entries()) {
      if (n === calls.length - 1) clock();
      await fresh.route({ id: String(n), name: tool, input });
    }
  });
const load = ['load_tools', { group_id: 'mcp:big' }] as const;
const bad = { tool_name: 'big__big', arguments: { property_1: 7 } };
console.log(`A tool whose schema has ${(schemaBytes / 1e6).toFixed(1)} MB`);
say('loading it', await inLayer('dispatch', load), 150);
say(
  'a call with invalid arguments, loaded',
  await inLayer('dispatch', load, ['deferred_tool_call', bad]),
  150,
);
say(
  'tool_describe, not loaded',
  await inLayer('bridge', ['tool_describe', { name: 'big__big' }]),
  150,
);

console.log('50,000 tools in 500 groups');
const crowd = createToolLayer({ groups: groupsOf(50_000, 100), strategy: 'bridge' });
const crowded = crowd.session();
crowded.present([]);
let queries = 0;
const unknown = () => `server${++queries}__create_isue_${queries}`;
const wrong = () =>
  crowded.route({
    id: String(++queries),
    name: 'tool_call',
    input: { name: unknown(), arguments: {} },
  });
say('the first call of an unknown name', await median(1, wrong), 50);
say('a further one', await median(20, wrong), 50);
const ten = () =>
  crowded.route({
    id: String(++queries),
    name: 'tool_describe',
    input: { names: Array.from({ length: 10 }, unknown) },
  });
say('tool_describe of ten unknown names', await median(9, ten), 500);

const { first, later, firstImports, laterImports } = await bundleCore();
const kB = (size: number) => `${(size / 1000).toFixed(1)} kB`;
const sum = (chunks: readonly Chunk[]) => chunks.reduce((all, { size }) => all + size, 0);
console.log(
  "Size of the core's own code, minified and gzipped, of an app that creates a tool layer",
);
console.log(`  loaded at once: ${kB(sum(first))} (target 26 kB)`);
console.log(`  loaded when first needed: ${kB(sum(later))}`);
for (const { name, size } of later)
  console.log(`    ${name.replace(/-\w+\.js$/, '').padEnd(16)}${kB(size)}`);
for (const [when, imports] of [
  ['at once', firstImports],
  ['when first needed', laterImports],
] as const) {
  for (const name of imports)
    console.log(`  dependency, loaded ${when}: ${name} ${kB(await sizeOfImport(name))}`);
}
