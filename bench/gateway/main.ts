/**
 * Measures the gateway: calls over stdio beside a bare Node relay, calls over HTTP beside a bare handler of
 * the SDK, the tokens that a client gets at its connection, start times, what a server that hangs costs the
 * others, and other gateways in the same run. Run: `npm run bench:gateway`, or `-- --only calls,http`.
 * `--only fidelity` compares only what gateways keep, which does not depend on the load of the machine.
 * `--catalogs DIR` takes captured tools from DIR (files `NAME.json` with `tools`). `--peers DIR` is a folder in
 * which other gateways were installed with npm; the run says which. It measures the built package if
 * `npm run build` was run before. A name that `--only` does not know ends it with code 2.
 */
import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { calls } from './calls.ts';
import { http } from './http.ts';
import { hung } from './hung.ts';
import { peers } from './peers.ts';
import { folder, isBuilt } from './place.ts';
import { starts } from './starts.ts';
import { thousand } from './thousand.ts';

const { values } = parseArgs({
  options: {
    catalogs: { type: 'string' },
    peers: { type: 'string' },
    only: { type: 'string' },
  },
});

const from = values.peers ?? process.env.TOOLFOLD_BENCH_PEERS;

const parts: Readonly<Record<string, () => Promise<void>>> = {
  calls,
  http,
  tokens: () => thousand(values.catalogs),
  starts,
  hung,
  peers: () => peers(from, values.catalogs),
};

/** Parts of others. They run only by name. */
const named: typeof parts = { fidelity: () => peers(from, values.catalogs, true) };

const all = { ...parts, ...named };
const wanted = values.only?.split(',') ?? Object.keys(parts);
const unknown = wanted.find((part) => !Object.hasOwn(all, part));
try {
  if (unknown === undefined) {
    console.log(isBuilt ? 'The built package' : 'The sources, without a build');
    for (const part of wanted) await all[part]?.();
  } else {
    const names = Object.keys(all).join(', ');
    console.error(`There is no part "${unknown}". The parts are: ${names}.`);
    process.exitCode = 2;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
