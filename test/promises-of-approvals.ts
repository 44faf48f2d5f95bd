import { mutate, type ProductPromise, tests } from './promise.ts';

const ASKING = ['test/asking-hooks'];
const CLI = [...tests('editor-questions'), ...tests('questions/asker'), ...tests('continued-turn')];

/** Promises about the approvals of the agent. */
export const ofApprovals: readonly ProductPromise[] = [
  {
    number: 64,
    text: 'If a hook asks about a call of the agent or of a subagent, the user answers or nobody does. An approval holds once, or in the session for the same key and tool.',
    status: 'held',
    tests: [
      ...tests(...ASKING, 'approval-policy', 'state/state', 'subagents/asking-hooks', 'elsewhere'),
      ...tests('host/asking'),
      ...CLI,
    ],
    mutations: [
      mutate(
        "if (askedBy === 'setting') return !this.requiresApproval(name, given);",
        'if (!this.requiresApproval(name, given)) return true;',
        'approval-policy',
        ...ASKING,
        'subagents/asking-hooks',
      ),
      mutate(
        "    if (askedBy === 'setting') {",
        "    if (askedBy === 'setting' || askKey !== undefined) {",
        'approval-policy',
        ...ASKING,
      ),
      mutate(
        'return askKey !== undefined && this.#isGranted(name, askKey);',
        'return askKey !== undefined && this.#granted.has(keyText(name, askKey));',
        'approval-policy',
      ),
      mutate('JSON.stringify([name, askKey])', 'askKey', 'approval-policy'),
      mutate("isSame ? answer : { ...answer, scope: 'once' }", 'answer', 'approval-policy'),
      mutate(
        'definition === undefined ? withoutKey(request) : request',
        'request',
        'approval-policy',
      ),
      mutate(
        "approvalScopes(question).includes('session') ? 'session' : 'once'",
        "'session'",
        'approval-policy',
        ...ASKING,
      ),
      mutate(
        "if (ownProperty(given, 'askedBy') === 'setting')",
        "if (ownProperty(given, 'askedBy') !== 'hook')",
        'state/state',
        ...ASKING,
        'subagents/asking-hooks',
      ),
      mutate(
        'askedByOf(toolCall)',
        "{ askedBy: 'setting' as const }",
        ...ASKING,
        'subagents/asking-hooks',
        'elsewhere',
      ),
      mutate('...readAskedBy(question),', "askedBy: 'setting' as const,", ...ASKING),
      mutate('policy.take(request, given)', "({ ...given, source: 'user' })", ...ASKING),
      mutate('policy.grant(name, fingerprint, askKey);', '{}', ...ASKING),
      mutate(
        "    if (askedBy === 'setting') state.granted",
        '    if (true) state.granted',
        'state/state',
      ),
      mutate('    state.granted = [];\n', '', 'state/state', ...ASKING),
      mutate(
        '      state.asked.set(id, { question: asked, at });',
        '      void asked;',
        'state/state',
      ),
      mutate(
        "'name', 'reason'), ...readAskedBy(asked) }",
        "'name', 'reason'), askedBy: 'setting' }",
        'subagents/asking-hooks',
        'elsewhere',
      ),
      mutate(
        "'arguments', 'reason'), ...readAskedBy(asked) }",
        "'arguments', 'reason'), askedBy: 'setting' }",
        'subagents/asking-hooks',
        'elsewhere',
      ),
      mutate(', reason, askKey]', ', reason]', 'subagents/asking-hooks'),
      mutate("asker: asker ?? { by: 'setting' }", "asker: { by: 'setting' }", 'host/asking'),
      mutate('noteAsker(call.metadata, asker);', '', 'host/asking'),
      mutate("call.askedBy === 'setting' && isAllowedCall", 'isAllowedCall', 'continued-turn'),
      mutate('!left.includes(choice.id)', 'true', 'questions/asker'),
      mutate('!left.includes(choice.id)', 'true', 'editor-questions'),
    ],
  },
];
