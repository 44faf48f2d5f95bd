import { thoughtsIn } from '@toolfold/agent/internal/entries';
import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { formatNumber } from '@toolfold/core/internal/values';
import { failureLines } from '../shown/index.ts';
import type { ChatCommand } from './command.ts';

/** `/quick`: a question beside the conversation, without tools. */
export const quick: ChatCommand = {
  name: 'quick',
  hint: '<question>',
  summary: 'ask a question without tools; it does not become part of the conversation',
  async run({ host, show, signal }, question) {
    if (question === '') return show(['Give a question: /quick What is a fold?']);
    const { text, usage } = await host.talk.quick.ask(question, signal);
    const used = usage ? [`(${formatNumber(usage.input + usage.output)} tokens)`] : [];
    show([`> ${question}`, ...thoughtsIn(text).text.split('\n'), ...used]);
  },
};

/** `/compact`: the earlier part of the conversation becomes a summary. */
export const compact: ChatCommand = {
  name: 'compact',
  summary: 'replace the earlier part of the conversation by a summary',
  async run({ host, show, pick, signal }) {
    if (!host.talk.session) return show(['There is nothing to compact yet.']);
    const notices = () => host.talk.view.turns.flatMap((turn) => turn.notices);
    const count = () => notices().filter(({ type }) => type === 'compaction').length;
    const before = count();
    const end = await host.talk.compact(signal);
    if (count() !== before) return;
    if (end.reason === 'error') {
      // In a pipe the end of the turn has said why it failed.
      if (!pick) return;
      // Imported here, because the first frame does without the AI SDK.
      const { failureFacts } = await import('@toolfold/agent/internal/events');
      const failed = { ...end, facts: failureFacts(end.error) };
      return show(failureLines(failed, 'chat', '/compact tries it again.'));
    }
    const why = end.reason === 'done' ? 'There was too little to save' : 'Cancelled';
    show([`${why}: nothing has changed.`]);
  },
};

/** `/continue`: goes on with a turn that failed, was cancelled, or whose process ended. */
export const goOn: ChatCommand = {
  name: 'continue',
  summary: 'go on with a turn that failed, was cancelled or was interrupted',
  async run({ host, show, signal }) {
    const { talk } = host;
    talk.checkIdle();
    try {
      if (talk.session) return await talk.resume(signal);
    } catch (error) {
      if (!(error instanceof ToolfoldError && error.code === 'invalid-option')) throw error;
    }
    show(['There is nothing to go on with. Write a message.']);
  },
};

/** `/after`: a message that does not go to the turn that runs. */
export const after: ChatCommand = {
  name: 'after',
  hint: '<message>',
  summary: 'send a message when the turn has ended; others reach the turn that runs',
  run({ host, show, pick }, text) {
    if (text === '') return show(['Give a message: /after And now the tests.']);
    // In a pipe each line waits for the one before.
    if (!pick) return show(['In a pipe each message waits. Write it without /after.']);
    host.talk.say(text, { when: 'after' });
  },
};

/** `/add`: the output of the last shell command becomes part of the conversation. */
export const add: ChatCommand = {
  name: 'add',
  hint: '[message]',
  summary: 'send the output of the last !command, with a message',
  run({ host, show, shell }, message) {
    if (!shell) return show(['In a pipe a line that begins with ! is a message.']);
    const output = shell.lastOutput;
    if (output === undefined) return show(['No command has ended yet. Write !git status first.']);
    const text = host.hide(message === '' ? output : `${message}\n\n${output}`);
    host.talk.say(text, { typed: `/add ${message}`.trim() });
  },
};

/** `/quit`. */
export const quit: ChatCommand = {
  name: 'quit',
  summary: 'end the chat; the session is kept',
  run: ({ quit }) => quit(),
};
