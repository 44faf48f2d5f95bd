/**
 * The client under test: one server of a configuration file, used through the pool as a host uses it.
 * The conformance suite starts it once for each scenario; `run.ts` starts the suite. Prints how it
 * ended as JSON. Exits 1 if the server cannot be used or a call fails.
 */
import { connectServers, parseConfig } from 'toolfold/mcp';
import { errorMessage } from '../../src/errors.ts';
import { plannedCalls, toolsOf } from './calls.ts';
import { readRequest } from './request.ts';

/** Milliseconds for the whole scenario. The suite runs all of them at once. */
const LIMIT = 100_000;

const request = readRequest(process.argv.slice(2), process.env);
const signal = AbortSignal.timeout(LIMIT);

async function main(): Promise<void> {
  const file = JSON.stringify({ mcpServers: { conformance: { url: request.url } } });
  const config = parseConfig('mcp.json', file, { env: {} });
  await using pool = await connectServers(config, { signal, timeout: LIMIT });
  for (const { state, reason } of pool.servers) {
    if (state !== 'ready') throw new Error(`the server is ${state}: ${reason}`);
  }
  const tools = await toolsOf(pool.groups, signal);
  for (const { tool, input } of plannedCalls(tools, request))
    await tool.execute?.(input, { signal });
}

try {
  await main();
  process.stdout.write(`${JSON.stringify({ end: 'completed' })}\n`);
} catch (error) {
  process.stdout.write(`${JSON.stringify({ end: errorMessage(error) })}\n`);
  process.exitCode = 1;
}
