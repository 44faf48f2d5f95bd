import type { SdkToolGroup } from '@toolfold/ai-sdk';
import type { World } from '../scenario.ts';

/** One pixel. */
export const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const text = (value: string) => ({ type: 'text', text: value });

/** What the tools of the group `results` answer. */
const RESULTS = {
  long: { content: [text('1,'.repeat(600))] },
  picture: {
    content: [
      text('A pixel:'),
      { type: 'image', data: PIXEL, mimeType: 'image/png' },
      { type: 'resource', resource: { uri: 'file:///a.txt', mimeType: 'text/plain', text: 'A' } },
      { type: 'resource_link', uri: 'file:///b.txt', name: 'b' },
    ],
    structuredContent: { pixels: 1 },
  },
  failing: { content: [text('No such file.')], isError: true },
};

/** A group of an MCP server: a long result, a picture, and a failure. */
export function resultGroup(world: World): SdkToolGroup {
  return {
    groupId: 'mcp:results',
    toolNames: Object.keys(RESULTS),
    resultFormat: 'mcp',
    loader: async () =>
      Object.entries(RESULTS).map(([name, result]) => ({
        name,
        description: `The tool ${name}.`,
        inputSchema: { type: 'object' },
        execute: async () => {
          world.ran.push(name);
          return result;
        },
      })),
  };
}
