import type { CallHost } from 'toolfold';
import type { SdkToolGroup } from 'toolfold/ai-sdk';
import type { World } from '../scenario.ts';

/** One pixel. */
export const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

type Run = (host: CallHost, signal: AbortSignal) => Promise<unknown> | unknown;

const text = (value: string) => ({ type: 'text', text: value });

/** What the tools of the group `results` do. When their session is continued, nobody is asked. */
const runsOf = ({ isPlayed }: World): Readonly<Record<string, Run>> => ({
  long: () => ({ content: [text('1,'.repeat(3_000))] }),
  picture: () => ({
    content: [
      text('A pixel:'),
      { type: 'image', data: PIXEL, mimeType: 'image/png' },
      { type: 'resource', resource: { uri: 'file:///a.txt', mimeType: 'text/plain', text: 'A' } },
      { type: 'resource_link', uri: 'file:///b.txt', name: 'b' },
    ],
    structuredContent: { pixels: 1 },
  }),
  failing: () => ({ content: [text('No such file.')], isError: true }),
  form: async (host, signal) => {
    host.onProgress?.({ progress: 1, total: 2, message: 'Half.' });
    host.onLog?.({ server: 'results', level: 'info', text: 'Here.' });
    const fields = [{ type: 'text', name: 'who', isRequired: true }] as const;
    const form = { server: 'results', message: 'Who?', fields, signal };
    const answer = isPlayed ? await host.elicit?.(form) : undefined;
    return { content: [text(JSON.stringify(answer ?? 'nobody'))] };
  },
  sample: async (host, signal) => {
    const messages = [{ role: 'user', text: 'A word?' }] as const;
    const request = { server: 'results', messages, maxTokens: 10, signal };
    const answer = await host.sample?.(request);
    return { content: [text(answer?.text ?? 'none')] };
  },
});

/** A group of an MCP server: long results, pictures, and calls that ask the user or the model. */
export function resultGroup(world: World): SdkToolGroup {
  const runs = runsOf(world);
  return {
    groupId: 'mcp:results',
    toolNames: Object.keys(runs),
    resultFormat: 'mcp',
    loader: async () =>
      Object.entries(runs).map(([name, run]) => ({
        name,
        description: `The tool ${name}.`,
        inputSchema: { type: 'object' },
        execute: async (_: unknown, { host = {}, signal = new AbortController().signal }) => {
          world.ran.push(name);
          return run(host, signal);
        },
      })),
  };
}
