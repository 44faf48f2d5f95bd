import { type ToolSet, tool } from 'ai';
import { z } from 'zod';

const kinds = ['customer', 'order', 'invoice', 'product', 'supplier', 'shipment', 'ticket'];
const actions = ['find', 'create', 'update', 'archive', 'export', 'count'];

/** The names of 45 tools. */
export const NAMES: readonly string[] = [
  ...actions.flatMap((action) => kinds.map((kind) => `${action}_${kind}`)),
  ...['ask_user', 'send_mail', 'plan_trip'],
];

/** Runs, checks and outputs of one user's tools: what closures did. */
export interface UserLog {
  readonly user: string;
  readonly seen: string[];
}

/** How a user's tools get their schemas: the same zod objects each time, or new ones. */
export type Schemas = 'kept' | 'fresh';

const inputOf = (name: string, check: (id: string) => boolean) =>
  z.object({
    id: z.string().min(1).describe(`Which record ${name} is about.`).refine(check),
    state: z.enum(['open', 'closed']).optional(),
    limit: z.number().int().max(500).default(50),
  });

type Input = ReturnType<typeof inputOf>;

const kept = new Map<string, Input>(NAMES.map((name) => [name, inputOf(name, () => true)]));

/** The tools of a user. Those of two users are equal but for their functions. */
export function toolsOf(
  { user, seen }: UserLog,
  schemas: Schemas,
  names: readonly string[] = NAMES,
): ToolSet {
  const schemaOf = (name: string): Input =>
    (schemas === 'kept' ? kept.get(name) : undefined) ??
    inputOf(name, (id) => seen.push(`${user} checks ${name} ${id}`) > 0);
  return Object.fromEntries(
    names.map((name) => [
      name,
      tool({
        description: `Use ${name} for records of the company. It answers with the fields of the record.`,
        inputSchema: schemaOf(name),
        execute: async ({ id }) => {
          seen.push(`${user} runs ${name} ${id}`);
          return { id, name, user };
        },
        toModelOutput: ({ output }) => {
          seen.push(`${user} writes ${name}`);
          return { type: 'json', value: output };
        },
      }),
    ]),
  );
}
