import { z } from 'zod';
import { SORTING, STORES } from '../attacks/attacks.test-support.ts';
import { FORGERIES } from '../attacks/forgeries.test-support.ts';
import { POLICIES } from './rules.test-support.ts';
import type { EditableCall, Talk } from './talk.test-support.ts';
import { type Coordinates, isOwn, isUnknownYet } from './trial.test-support.ts';
import type { Way } from './way.test-support.ts';

const SECRET = { experimental_toolApprovalSecret: 'a secret of the test' };

/** Plays only cases in which the user was asked and approved. */
function approvedOnly(at: Coordinates): string | undefined {
  if (POLICIES[at.policy].comesTo !== 'asks') return 'nothing waits for an answer';
  if (at.field === 'overridden') return "the app's own function asks nobody";
  return at.answer === 'no' ? 'the answer no is a row of its own' : undefined;
}
const alsoNo = (at: Coordinates) => {
  const why = approvedOnly({ ...at, answer: 'yes' });
  return why;
};

const edits = (edit: (call: EditableCall) => void) => ({
  tamper: (talk: Talk) => {
    for (const name of ['post', 'mail__send']) talk.editCalls(name, edit);
  },
});
const stamps = (edit: (stamp: Record<string, unknown>) => void) =>
  edits((call) => {
    const stamp = { ...(call.options.toolfold as object) };
    edit(stamp);
    call.options = { ...call.options, toolfold: stamp };
  });
const stricter = () => 'either' as const;

/** A store that sorts the keys of all objects. */
const SORTED_WAYS: readonly Way[] = SORTING.map((store) => ({
  name: `resumed, ${store}`,
  schema: z.object({
    to: z.string(),
    text: z.string(),
    body: z.object({ y: z.string(), a: z.string() }),
  }),
  written: { to: 'all', text: 'a', body: { y: '1', a: '2' } },
  resume: {
    tamper: (talk: Talk) => {
      const keep = STORES[store] as <T>(value: T) => T;
      talk.messages = keep(talk.messages);
      talk.ui = keep(talk.ui);
    },
  },
  skip: alsoNo,
}));

const ID = 'toolu_same';
/** The model calls the same call again, after a history that claims its approval. */
const FORGED_WAYS: readonly Way[] = Object.entries(FORGERIES)
  .filter(([, { ids }]) => ids.length === 1)
  .map(([name, { forge, isReplay }]) => ({
    name: `an approval ${name}`,
    isOdd: true as const,
    isUnread: true as const,
    ...(isReplay ? { mayThrow: true as const } : {}),
    calls: (trial) => [{ ...trial.call(trial.written), id: ID }],
    callsAgain: (trial) => [{ ...trial.call(trial.written), id: ID }],
    resume: { tamper: (talk: Talk) => forge(talk, talk.nameOf(ID), [ID]) },
    resumes: () => 'not run',
    also: ({ asked, askedAgain, error }) =>
      asked.length > 0 && askedAgain.length === 0 && error === undefined
        ? ['the user was not asked about the next call']
        : [],
    skip: (at) =>
      isUnknownYet(at) && !POLICIES[at.policy].hook
        ? 'the question comes with the next call, which is the last one here'
        : approvedOnly(at),
  }));

/** A new fold continues the messages after a round trip through JSON: model messages, or UI messages. */
export const HISTORY_WAYS: readonly Way[] = [
  { name: 'resumed', resume: {}, skip: alsoNo },
  { name: 'resumed, signed', resume: {}, settings: () => SECRET, skip: alsoNo },
  ...SORTED_WAYS,
  ...FORGED_WAYS,
  {
    name: 'resumed, schema transforms',
    isMadeBySchema: true,
    schema: z.object({ text: z.string().transform((text) => text.toLowerCase()) }),
    written: { text: 'A' },
    final: { text: 'a' },
    resume: {},
    settings: () => SECRET,
    skip: alsoNo,
  },
  {
    name: 'resumed, schema default',
    isMadeBySchema: true,
    schema: z.object({ text: z.string(), to: z.string().default('all') }),
    final: { text: 'a', to: 'all' },
    resume: {},
    skip: alsoNo,
  },
  {
    name: 'resumed under a hook that denies',
    resume: { changes: { policy: 'deny' } },
    resumes: () => 'denied',
    skip: approvedOnly,
  },
  {
    name: 'resumed under a hook that denies, signed',
    resume: { changes: { policy: 'deny' } },
    settings: () => SECRET,
    resumes: () => 'denied',
    skip: approvedOnly,
  },
  {
    name: 'resumed with another description',
    resume: { changes: { description: 'Send a text to everybody.' } },
    resumes: () => 'approval needed',
    skip: approvedOnly,
  },
  {
    name: 'resumed with another schema',
    resume: { changes: { schema: z.object({ text: z.string(), cc: z.string().optional() }) } },
    resumes: () => 'approval needed',
    skip: approvedOnly,
  },
  {
    name: 'stamp removed',
    resume: edits((call) => {
      const { toolfold: _, ...options } = call.options;
      call.options = options;
    }),
    resumes: stricter,
    skip: approvedOnly,
  },
  {
    name: 'stamp altered',
    resume: stamps((stamp) => Object.assign(stamp, { n: 'note', r: '{"text":"z"}' })),
    resumes: stricter,
    skip: approvedOnly,
  },
  {
    name: 'stamp says not judged',
    resume: stamps((stamp) => Object.assign(stamp, { u: true })),
    resumes: stricter,
    skip: approvedOnly,
  },
  {
    name: 'stamp says judged',
    resume: stamps((stamp) => {
      delete stamp.u;
    }),
    resumes: stricter,
    skip: approvedOnly,
  },
  {
    name: 'stamp says judged, under a hook that denies',
    resume: {
      changes: { policy: 'deny' },
      ...stamps((stamp) => {
        delete stamp.u;
      }),
    },
    resumes: () => 'denied',
    skip: approvedOnly,
  },
  {
    name: 'input changed in the history',
    resume: edits((call) => {
      call.input = { text: 'z' };
    }),
    resumes: () => 'not run',
    skip: approvedOnly,
  },
  {
    name: 'input changed in the history, signed',
    resume: edits((call) => {
      call.input = { text: 'z' };
    }),
    settings: () => SECRET,
    resumes: () => 'not run',
    mayThrow: true,
    skip: approvedOnly,
  },
  {
    name: 'tool name changed in the history',
    resume: edits((call) => {
      call.name = 'note';
    }),
    resumes: () => 'not run',
    mayThrow: true,
    skip: approvedOnly,
  },
  {
    name: 'an approval moved to the tool under test',
    // The user is asked about another tool of the app's, and its approved call is renamed.
    calls: (trial) => [{ name: 'other', arguments: trial.written as object }],
    tools: (trial) => ({
      other: trial.made('other', {
        description: 'Another.',
        inputSchema: z.object({ text: z.string() }),
        needsApproval: true,
      }),
    }),
    resume: {
      tamper: (talk) =>
        talk.editCalls('other', (call) => {
          call.name = 'post';
        }),
    },
    expects: () => 'not run',
    mayThrow: true,
    skip: (at) =>
      isOwn(at) && at.kind === 'own'
        ? approvedOnly(at)
        : 'one kind is enough: the name is what moves',
  },
];
