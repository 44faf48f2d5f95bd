/** Speed of the core and size of its code. Ratios and targets are those of DESIGN.md. */

import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { createToolLayer } from 'toolfold';
import { fakeGroup, fakeTools } from 'toolfold/testing';

const groupsOf = (tools: number, size: number) =>
  Array.from({ length: tools / size }, (_, n) => {
    const group = fakeGroup({ groupId: `mcp:server${n}`, count: size, seed: n + 1 });
    const toolNames = fakeTools(size, n + 1).map((tool) => tool.name);
    return { ...group, toolNames };
  });

async function median(runs: number, run: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < runs; n++) {
    const start = performance.now();
    await run();
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[runs >> 1] ?? 0;
}

function say(what: string, ms: number, target: number): void {
  const unit = target < 1 ? `${(ms * 1000).toFixed(1)} µs` : `${ms.toFixed(2)} ms`;
  const limit = target < 1 ? `${target * 1000} µs` : `${target} ms`;
  console.log(
    `  ${what.padEnd(52)}${unit.padStart(12)}   target ${limit}, ${(target / ms).toFixed(1)} × inside`,
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

const bundle = async (external: string[]) => {
  const options = { stdin: { contents: "export * from 'toolfold'", resolveDir: process.cwd() } };
  const result = await build({
    ...options,
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['toolfold-source', 'import'],
    external,
  });
  return gzipSync(result.outputFiles[0]?.contents ?? new Uint8Array(), { level: 9 }).length;
};
const own = await bundle(['@cfworker/json-schema', '@noble/hashes/*']);
const all = await bundle([]);
console.log('Size of the core, minified and gzipped');
console.log(
  `  own code ${(own / 1000).toFixed(1)} kB (target under 15 kB); with its dependencies @cfworker/json-schema and @noble/hashes ${(all / 1000).toFixed(1)} kB`,
);
