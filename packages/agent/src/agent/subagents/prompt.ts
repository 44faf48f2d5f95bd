import type { AnswerFormat, SubagentTask } from './engine/index.ts';

/** The default system text of children. All children share it, so that they share a cached prefix. */
export const CHILD_INSTRUCTIONS: string = [
  'You are a subagent: another agent has given you one task, and works with your final answer.',
  'Nobody reads along and nobody can answer questions: decide what is open by yourself, and say in the answer what you assumed.',
  'Use the tools you have where they help. Do the task and nothing beyond it.',
  'If something cannot be done, say what you tried and what stands in the way; never make anything up.',
  'Only your last message is passed on.',
].join('\n');

const HOW_TO_ANSWER: Readonly<Record<AnswerFormat, string>> = {
  structured:
    'Answer with one JSON object and nothing around it: {"summary": "two or three sentences", "findings": ["one fact each, with its source where there is one"], "open_questions": ["what could not be settled"]}.',
  concise: 'Answer in at most five sentences.',
  detailed: 'Answer with a full report: what you found, how, and what it rests on.',
};

const HEADINGS = {
  shared: '# What everybody working on this knows',
  context: '# What you need to know',
  task: '# Your task',
  answer: '# Your answer',
} as const;

/** The prompt of a child. The shared context comes first, so that providers can cache it for all children. */
export function promptOf({ task, context, sharedContext, format }: SubagentTask): string {
  const parts = [
    sharedContext === undefined ? [] : [HEADINGS.shared, quoted(sharedContext)],
    context === undefined ? [] : [HEADINGS.context, quoted(context)],
    [HEADINGS.task, quoted(task)],
    [HEADINGS.answer, HOW_TO_ANSWER[format]],
  ];
  return parts.flat().join('\n\n');
}

/** Quotes lines that look like a heading of the prompt. Such lines may come from pasted, untrusted text. */
function quoted(text: string): string {
  const headings: readonly string[] = Object.values(HEADINGS);
  const lines = text.split(/(\r\n?|[\n\v\f\u0085\u2028\u2029])/);
  return lines.map((line) => (headings.includes(line.trim()) ? `> ${line}` : line)).join('');
}
