import { plannedCalls } from './calls.ts';
import { Host } from './host.ts';
import { readRequest } from './request.ts';

/** Milliseconds for the whole scenario. */
const LIMIT = 100_000;

/** Lists the server's tools and makes the calls of the scenario. Rejects with the first failure. */
export async function useServer(folder: string): Promise<void> {
  const request = readRequest(process.argv.slice(2), process.env);
  const signal = AbortSignal.timeout(LIMIT);
  const host = await Host.open(request, { folder, signal, timeout: LIMIT });
  try {
    const tools = await host.tools();
    for (const { name, input } of plannedCalls(tools, request)) await host.call(name, input);
  } finally {
    await host.close();
  }
}
