import { type ToolSet, tool } from 'ai';
import { z } from 'zod';

/** The tools of the app whose route the README changes, in few. */
export const tools: ToolSet = {
  find_customer: tool({
    description: 'Finds a customer by name.',
    inputSchema: z.object({ name: z.string() }),
    execute: async ({ name }: { name: string }) => ({ name, since: 1843 }),
  }),
  delete_customer: tool({
    description: 'Deletes a customer.',
    inputSchema: z.object({ name: z.string() }),
    needsApproval: true,
    execute: async () => 'deleted',
  }),
};
