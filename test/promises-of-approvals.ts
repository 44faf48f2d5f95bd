import {
  host,
  type Mutation,
  mutateHost,
  mutateTeam,
  type ProductPromise,
  team,
} from './promise.ts';

const ASKING = ['asking-hooks'];
const CLI = [
  'packages/toolfold/src/acp/sessions/editor-questions.test.ts',
  'packages/toolfold/src/app/asking/asker.test.ts',
  'packages/toolfold/src/cli/run/continued-turn.test.ts',
];

const mutateCli = (file: string, find: string, replace: string, test: string): Mutation => ({
  file: `packages/toolfold/src/${file}.ts`,
  find,
  replace,
  tests: [`packages/toolfold/src/${test}.test.ts`],
});

/** Promises about the approvals of the agent. */
export const ofApprovals: readonly ProductPromise[] = [
  {
    number: 64,
    text: 'If a hook asks about a call of the agent or of a subagent, the user answers or nobody does. An approval holds once, or in the session for the same key and tool.',
    status: 'held',
    tests: [
      ...team(
        ...ASKING,
        'approvals/approval-policy',
        'state/state',
        'subagents/asking-hooks',
        'subagents/elsewhere',
      ),
      ...host('asking'),
      ...CLI,
    ],
    mutations: [
      mutateTeam(
        'approvals/approval-policy',
        "if (askedBy === 'setting') return !this.requiresApproval(name, given);",
        'if (!this.requiresApproval(name, given)) return true;',
        'approvals/approval-policy',
        ...ASKING,
        'subagents/asking-hooks',
      ),
      mutateTeam(
        'approvals/approval-policy',
        "    if (askedBy === 'setting') {",
        "    if (askedBy === 'setting' || askKey !== undefined) {",
        'approvals/approval-policy',
        ...ASKING,
      ),
      mutateTeam(
        'approvals/approval-policy',
        'return askKey !== undefined && this.#isGranted(name, askKey);',
        'return askKey !== undefined && this.#granted.has(keyText(name, askKey));',
        'approvals/approval-policy',
      ),
      mutateTeam(
        'approvals/approval-policy',
        'JSON.stringify([name, askKey])',
        'askKey',
        'approvals/approval-policy',
      ),
      mutateTeam(
        'approvals/approval-policy',
        "isSame ? answer : { ...answer, scope: 'once' }",
        'answer',
        'approvals/approval-policy',
      ),
      mutateTeam(
        'approvals/approval-policy',
        'definition === undefined ? withoutKey(request) : request',
        'request',
        'approvals/approval-policy',
      ),
      mutateTeam(
        'approvals/answers',
        "approvalScopes(question).includes('session') ? 'session' : 'once'",
        "'session'",
        'approvals/approval-policy',
        ...ASKING,
      ),
      mutateTeam(
        'events/approvals',
        "if (ownProperty(given, 'askedBy') === 'setting')",
        "if (ownProperty(given, 'askedBy') !== 'hook')",
        'state/state',
        ...ASKING,
        'subagents/asking-hooks',
      ),
      mutateTeam(
        'questions/questions',
        'askedByOf(toolCall)',
        "{ askedBy: 'setting' as const }",
        ...ASKING,
        'subagents/asking-hooks',
        'subagents/elsewhere',
      ),
      mutateTeam(
        'state/history',
        '...readAskedBy(question),',
        "askedBy: 'setting' as const,",
        ...ASKING,
      ),
      mutateTeam(
        'questions/decide',
        'policy.take(request, given)',
        "({ ...given, source: 'user' })",
        ...ASKING,
      ),
      mutateTeam('agent', 'policy.grant(name, fingerprint, askKey);', '{}', ...ASKING),
      mutateTeam(
        'state/apply-entry',
        "    if (askedBy === 'setting') state.granted",
        '    if (true) state.granted',
        'state/state',
      ),
      mutateTeam('state/apply-entry', '    state.granted = [];\n', '', 'state/state', ...ASKING),
      mutateTeam(
        'state/apply-entry',
        '      state.asked.set(id, { question: asked, at });',
        '      void asked;',
        'state/state',
      ),
      mutateTeam(
        'subagents/child',
        '...readAskedBy(asked) }',
        "askedBy: 'setting' }",
        'subagents/asking-hooks',
        'subagents/elsewhere',
      ),
      mutateTeam(
        'subagents/questions',
        '...readAskedBy(asked) }',
        "askedBy: 'setting' }",
        'subagents/asking-hooks',
        'subagents/elsewhere',
      ),
      mutateTeam(
        'subagents/engine-values',
        ', reason, askKey]',
        ', reason]',
        'subagents/asking-hooks',
      ),
      mutateHost(
        'decide',
        "asker: asker ?? { by: 'setting' }",
        "asker: { by: 'setting' }",
        'asking',
      ),
      mutateHost('life', 'noteAsker(call.metadata, asker);', '', 'asking'),
      mutateCli(
        'cli/run/continued-turn',
        "call.askedBy === 'setting' && isAllowedCall",
        'isAllowedCall',
        'cli/run/continued-turn',
      ),
      mutateCli('app/asking/approval', '!left.includes(choice.id)', 'true', 'app/asking/asker'),
      mutateCli(
        'app/asking/approval',
        '!left.includes(choice.id)',
        'true',
        'acp/sessions/editor-questions',
      ),
    ],
  },
];
