/** The conversations: the user's messages, and the calls that each of them needs. */
import { type Catalog, someOf } from './tools.ts';

/** A call that a turn needs. */
export interface Goal {
  /** The server of the tool; undefined for a tool of the app. */
  readonly group: string | undefined;
  readonly tool: string;
  readonly input: object;
}

/** One message of the user, and what the model does about it. */
export interface Turn {
  readonly text: string;
  readonly goals: readonly Goal[];
}

export interface Task {
  readonly name: string;
  readonly catalog: Catalog;
  readonly turns: readonly Turn[];
}

const goal = (group: string | undefined, tool: string, input: object = {}): Goal => ({
  group,
  tool,
  input,
});
const path = '/home/ada/notes';

/** The tasks on the tools of the published servers. */
export function publishedTasks(catalog: Catalog): Task[] {
  const status = goal('git', 'git_status', { path });
  const diff = goal('git', 'git_diff', { path });
  const add = goal('git', 'git_add', { path, paths: ['release.md'] });
  const commit = goal('git', 'git_commit', { path, message: 'Name the open parts' });
  const list = goal('filesystem', 'list_directory', { path });
  const read = goal('filesystem', 'read_text_file', { path: `${path}/release.md` });
  const search = goal('memory', 'search_nodes', { query: 'release' });
  const note = goal('memory', 'add_observations', {
    observations: [{ entityName: 'release', contents: ['two parts wait for an answer'] }],
  });
  return [
    {
      name: 'ten user turns, four of them with calls',
      catalog,
      turns: [
        { text: 'List the directory with my notes and read release.md.', goals: [list, read] },
        { text: 'Which of these parts is the oldest?', goals: [] },
        { text: 'Write the list again, shorter.', goals: [] },
        { text: 'Show the git status of the notes and the diff.', goals: [status, diff] },
        { text: 'Explain the second change.', goals: [] },
        { text: 'Good.', goals: [] },
        {
          text: 'Search the knowledge graph for the release, and add what waits.',
          goals: [search, note],
        },
        { text: 'Thank you.', goals: [] },
        { text: 'Suggest a commit message.', goals: [] },
        { text: 'Stage release.md with git and commit it.', goals: [add, commit] },
      ],
    },
    {
      name: 'one turn, one call on each of four servers',
      catalog,
      turns: [
        {
          text: 'Read release.md, show the git log of the notes, search the knowledge graph for the release, and tell me the current time in London.',
          goals: [
            read,
            goal('git', 'git_log', { path, maxCount: 5 }),
            search,
            goal('time', 'current_time', { timezone: 'Europe/London' }),
          ],
        },
      ],
    },
    {
      name: 'one turn, four calls on one server',
      catalog,
      turns: [
        {
          text: 'Look at the git status and the diff of the notes, then stage release.md and commit it.',
          goals: [status, diff, add, commit],
        },
      ],
    },
    {
      name: 'one turn, two calls on one small server',
      catalog: someOf(catalog, ['time']),
      turns: [
        {
          text: 'What time is it in London now, and in Lima?',
          goals: [
            goal('time', 'current_time', { timezone: 'Europe/London' }),
            goal('time', 'convert_time', {
              sourceTimezone: 'Europe/London',
              targetTimezone: 'America/Lima',
              time: '2026-03-10 12:00:00',
            }),
          ],
        },
      ],
    },
  ];
}

/** The task on more tools: those of eight generated servers. */
export function generatedTask(catalog: Catalog): Task {
  const turns = Array.from({ length: 10 }, (_, at): Turn => {
    const { groupId, toolNames: [first = '', second = ''] = [] } = catalog.groups[
      at % catalog.groups.length
    ] ?? { groupId: '' };
    const group = groupId.slice('mcp:'.length);
    if (at % 3 !== 0) return { text: `Thanks for number ${at}.`, goals: [] };
    const words = [first, second].map((name) => `${group}: ${name.replaceAll('_', ' ')}`);
    return { text: words.join('; '), goals: [goal(group, first), goal(group, second)] };
  });
  return { name: 'ten user turns with more tools', catalog, turns };
}

/** The task on the tools of one app. */
export function ownTask(catalog: Catalog): Task {
  const own = (tool: string, input: object): Goal => goal(undefined, tool, input);
  const customer_id = 'cus_1815';
  const ticket_id = 'tic_88';
  const subscription_id = 'sub_12';
  const change = { subscription_id, interval: 'year', from: 'next_period' };
  return {
    name: "ten user turns on one app's own tools, six of them with calls",
    catalog,
    turns: [
      {
        text: 'Find the customer Ada Lovelace.',
        goals: [own('find_customer', { query: 'Ada Lovelace' })],
      },
      {
        text: 'List her overdue invoices and the payments of inv_2041.',
        goals: [
          own('list_invoices', { customer_id, status: ['overdue'] }),
          own('list_payments', { invoice_id: 'inv_2041' }),
        ],
      },
      { text: 'Why are there two payments?', goals: [] },
      {
        text: 'Refund the second one, it is a duplicate.',
        goals: [own('refund_payment', { payment_id: 'pay_771', reason: 'duplicate' })],
      },
      { text: 'Good.', goals: [] },
      {
        text: 'Create a ticket about it and assign it to the billing team.',
        goals: [
          own('create_ticket', {
            customer_id,
            subject: 'Charged twice for inv_2041',
            message: 'The second payment was refunded.',
            category: 'billing',
          }),
          own('assign_ticket', { ticket_id, team: 'billing' }),
        ],
      },
      { text: 'Write a short answer to her. Do not send it yet.', goals: [] },
      {
        text: 'Reply to the ticket with this text.',
        goals: [own('reply_to_ticket', { ticket_id, message: 'The second payment is refunded.' })],
      },
      { text: 'Thank you.', goals: [] },
      {
        text: 'Preview what the yearly plan would cost her, and change the plan.',
        goals: [own('preview_plan_change', change), own('change_plan', change)],
      },
    ],
  };
}
