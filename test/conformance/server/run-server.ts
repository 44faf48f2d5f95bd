/**
 * Runs the server scenarios of the MCP conformance suite at the gateway, in front of a fixture of each
 * revision, as one server passed through and through a bridge. Prints a table. Run:
 * `npm run conformance:server`, or with `-- --scenario NAME`, `--back legacy|modern`, `--mode bridge`.
 * Exits 1 if a scored scenario fails that is not exempt.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Gateway } from '../../../packages/mcp/src/gateway/gateway.ts';
import { serveHttp } from '../../../packages/mcp/src/gateway-clients/http-server.ts';
import type { ServerEntry } from '../../../packages/mcp/src/index.ts';
import { root } from '../../tree.ts';
import { type Check, REVISIONS, type Revision } from '../suite.ts';
import { EXEMPT } from './exempt.ts';
import { openShim, SERVER } from './shim.ts';

const SUITE = 'node_modules/@modelcontextprotocol/conformance';
const FIXTURE = fileURLToPath(new URL('fixture.ts', import.meta.url));

const { values } = parseArgs({
  options: {
    scenario: { type: 'string' },
    back: { type: 'string' },
    mode: { type: 'string' },
    revision: { type: 'string' },
  },
});

/** The scenarios that a revision requires of servers. */
async function scoredAt(revision: Revision): Promise<readonly string[]> {
  const file = await readFile(join(root, SUITE, `requirements/${revision}.yaml`), 'utf8');
  const section = /^server:\n((?: {2}- .+\n)+)/m.exec(file)?.[1] ?? '';
  return [...section.matchAll(/- (\S+)/g)].map((match) => match[1] ?? '');
}

async function suite(url: string, revision: Revision): Promise<Map<string, readonly Check[]>> {
  const folder = await mkdtemp(join(tmpdir(), 'toolfold-conformance-'));
  const { scenario } = values;
  const what =
    scenario === undefined
      ? ['--requirements', revision]
      : ['--scenario', scenario, '--spec-version', revision, '--force'];
  const args = [join(SUITE, 'dist/index.js'), 'server', '--url', url, '--output-dir', folder];
  const child = spawn(process.execPath, [...args, ...what], { cwd: root, stdio: 'ignore' });
  await new Promise((resolve) => child.once('close', resolve));
  const files = await readdir(folder, { recursive: true });
  const results = new Map<string, readonly Check[]>();
  for (const file of files.filter((name) => name.endsWith('checks.json'))) {
    const name = dirname(file).replace(/^server-(?=.*-\d{4})/, '');
    const scenarioName = name.replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, '');
    results.set(scenarioName, JSON.parse(await readFile(join(folder, file), 'utf8')));
  }
  await rm(folder, { recursive: true, force: true });
  return results;
}

let failed = 0;
for (const back of ['legacy', 'modern'] as const) {
  if (values.back !== undefined && values.back !== back) continue;
  for (const mode of ['passthrough', 'bridge'] as const) {
    if (values.mode !== undefined && values.mode !== mode) continue;
    const args = [FIXTURE, back];
    const command = process.execPath;
    const entry: ServerEntry = { kind: 'stdio', command, args, env: new Map(), secrets: [] };
    const gateway = new Gateway(
      { servers: new Map([[SERVER, entry]]), settings: undefined },
      { mode, check: true, manifests: false, logins: false, log: () => {} },
    );
    const server = await serveHttp(gateway, {
      ...{ host: '127.0.0.1', port: 0, token: undefined },
      ...{ schemaOf: gateway.schemaOf, health: () => ({}) },
    });
    const shim = mode === 'bridge' ? await openShim(server.url) : undefined;
    for (const revision of REVISIONS) {
      if (values.revision !== undefined && values.revision !== revision) continue;
      const results = await suite(shim?.url ?? server.url, revision);
      const scored = await scoredAt(revision);
      const pairing = `${revision} client, ${back} server, ${mode}`;
      const bad = [...results].flatMap(([name, checks]) => {
        const faults = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING');
        return faults.length === 0 ? [] : [{ name, faults }];
      });
      const wrong = bad.filter(({ name }) => scored.includes(name));
      const exempt = wrong.filter(({ name }) => EXEMPT[`${pairing}: ${name}`] !== undefined);
      failed += wrong.length - exempt.length;
      const ran = scored.filter((name) => results.has(name)).length;
      const exempted = exempt.length > 0 ? `, ${exempt.length} exempt` : '';
      console.log(
        `${pairing}: ${ran - wrong.length} of ${scored.length} scored scenarios passed${exempted}`,
      );
      for (const { name, faults } of bad) {
        console.log(`  ${name}${scored.includes(name) ? '' : ' (not scored)'}`);
        for (const { id, errorMessage, description } of faults)
          console.log(`    ${id}: ${errorMessage ?? description}`.slice(0, 400));
      }
    }
    shim?.close();
    await server.close();
    await gateway.close();
  }
}
if (failed > 0) process.exitCode = 1;
process.exit();
