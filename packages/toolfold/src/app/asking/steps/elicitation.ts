import type { AskedElicitation } from '@toolfold/agent/internal/agent';
import type { ElicitationAnswer } from '@toolfold/core/internal/tools/tool';
import { visibleText } from '@toolfold/core/internal/tools/values';
import type { Answer, Question } from '../../questions/index.ts';
import { oneLine } from '../../terminal/index.ts';
import { askerOf, MAX_NAME } from './subject.ts';

/** Most characters of what a server says. */
const MAX_MESSAGE = 4_000;

const CHOICES: Question['choices'] = [
  { id: 'yes', label: 'Yes', line: { letters: 'y', words: 'yes' } },
  { id: 'no', label: 'No', line: { letters: 'n', words: 'no' } },
];

/** What is shown of an elicitation. The command `call` has no ids. */
export type ShownElicitation = Omit<AskedElicitation, 'elicitationId' | 'id' | 'signal'> &
  Partial<Pick<AskedElicitation, 'elicitationId' | 'id'>>;

/** What a server asks while its tool runs. Its words are indented: they are not those of Toolfold. */
export function elicitationQuestion(asked: ShownElicitation): Question {
  const { id = '', name, message, fields, url, problems = [], subagent, elicitationId } = asked;
  const server = oneLine(asked.server, MAX_NAME);
  const isPage = url !== undefined;
  return {
    ...{ kind: isPage ? 'page' : 'form', choices: CHOICES, askedBy: 'server', elicitationId },
    subject: `${askerOf(subagent)}The server ${server} asks you while ${oneLine(name, MAX_NAME)} runs:`,
    details: [
      ...visibleText(message, MAX_MESSAGE)
        .split('\n')
        .map((line) => `  ${line}`),
      ...problems.map(
        ({ field, problem }) => `  ${oneLine(field, MAX_NAME)}: ${oneLine(problem, MAX_MESSAGE)}.`,
      ),
      `${isPage ? 'The page was chosen by' : 'Your answers are sent to'} ${server}. Give no passwords or keys.`,
    ],
    text: isPage ? 'Have you opened the page?' : 'Answer?',
    marked: isPage ? 'no' : 'yes',
    call: { id, name, subagent },
    ...(isPage ? { url } : { fields }),
  };
}

/** What the server is told. Without an answer the question is cancelled. */
export function elicitationAnswer(answer: Answer | undefined): ElicitationAnswer {
  if (answer === undefined) return { action: 'cancel' };
  const { choice, content } = answer;
  if (choice !== 'yes') return { action: 'decline' };
  return content === undefined ? { action: 'accept' } : { action: 'accept', content };
}
