import type { SdkToolGroup } from '@toolfold/ai-sdk';
import type { World } from './scenario.ts';

/** The usual tools of the group `work`, by what a trusted source says of them. */
const HINTS = {
  read: { readOnlyHint: true },
  set: { idempotentHint: true },
  add: {},
  send: {},
} as const;

/** These too, where a scenario has tools that break or hang. */
const ODD = { fail: {}, hang: {} } as const;

const inputSchema = {
  type: 'object',
  properties: { n: { type: 'integer' } },
  required: ['n'],
} as const;

interface GroupOptions {
  /** Ends the descriptions of the tools. */
  readonly remark?: string;
  readonly hasOddTools?: boolean | undefined;
}

/** A trusted group. Each tool records its run. */
export function workGroup(
  world: World,
  { remark = '', hasOddTools = false }: GroupOptions = {},
): SdkToolGroup {
  const hints = { ...HINTS, ...(hasOddTools ? ODD : {}) };
  return {
    groupId: 'mcp:work',
    trusted: true,
    toolNames: Object.keys(hints),
    loader: async () =>
      Object.entries(hints).map(([name, annotations]) => ({
        name,
        description: `The tool ${name}.${remark}`,
        annotations,
        inputSchema,
        execute: async (input: unknown, { signal }: { signal?: AbortSignal }) => {
          const { n } = input as { n: number };
          world.ran.push(`${name}:${n}`);
          if (name === 'fail') throw new Error('It broke.');
          if (name === 'hang' && world.isPlayed) await aborted(world, signal);
          return { done: name, n };
        },
      })),
  };
}

/** Waits until the turn is cancelled. */
async function aborted({ onHang }: World, signal?: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  signal?.addEventListener('abort', () => reject(new Error('Stopped.')));
  onHang();
  return promise;
}
