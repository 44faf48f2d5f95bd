import { NOTE_KIND } from '@toolfold/ai-sdk/internal/messages/notes.ts';
import type { AssistantModelMessage, ModelMessage, ToolModelMessage } from 'ai';
import fc from 'fast-check';

type Part = Exclude<AssistantModelMessage['content'], string>[number];
type Result = Extract<ToolModelMessage['content'][number], { type: 'tool-result' }>;

/** One call of a step, and what became of it. */
interface Asked {
  readonly name: string;
  readonly isAsked: boolean;
  readonly size: number;
  readonly form: 'text' | 'json' | 'error-text' | 'mcp' | 'content';
  /** The note of the next answer holds the output too. */
  readonly isKept: boolean;
}

interface Step {
  readonly text: number;
  readonly hasNote: boolean;
  readonly calls: readonly Asked[];
  /** Whether results stand in messages of their own. */
  readonly isSplit: boolean;
}

interface Turn {
  readonly user: number;
  readonly steps: readonly Step[];
}

const size = fc.oneof(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 6_000 }));

const asked: fc.Arbitrary<Asked> = fc.record({
  name: fc.constantFrom('files__read', 'web__get', 'load_tools'),
  isAsked: fc.boolean(),
  size,
  form: fc.constantFrom('text', 'json', 'error-text', 'mcp', 'content'),
  isKept: fc.boolean(),
});

const step: fc.Arbitrary<Step> = fc.record({
  text: size,
  hasNote: fc.boolean(),
  calls: fc.array(asked, { maxLength: 3 }),
  isSplit: fc.boolean(),
});

const turn: fc.Arbitrary<Turn> = fc.record({
  user: size,
  steps: fc.array(step, { maxLength: 5 }),
});

/** Conversations as an agent keeps them. Some wait for approvals at their end. */
export const conversations: fc.Arbitrary<ModelMessage[]> = fc
  .record({
    turns: fc.array(turn, { minLength: 1, maxLength: 6 }),
    end: fc.constantFrom('whole', 'waiting', 'answered', 'user'),
    // Some endpoints count the ids of calls anew in each answer.
    reuses: fc.boolean(),
    hasSystem: fc.boolean(),
  })
  .map(({ turns, end, reuses, hasSystem }) => {
    const writer = new Writer(reuses);
    const all = turns.flatMap((one) => writer.turn(one));
    if (end === 'user') all.push({ role: 'user', content: words(40, 'And then?') });
    if (end === 'waiting' || end === 'answered') all.push(...writer.waiting(end === 'answered'));
    return [...(hasSystem ? [{ role: 'system' as const, content: 'Be kind.' }] : []), ...all];
  });

export function isReal(name: string): boolean {
  return name !== 'load_tools';
}

/** A text of about so many characters. */
export function words(characters: number, first: string = 'Well'): string {
  return `${first} ${'some more words '.repeat(Math.ceil(characters / 16)).slice(0, characters)}`.trim();
}

class Writer {
  readonly #reuses: boolean;
  #calls = 0;
  #answers = 0;

  constructor(reuses: boolean) {
    this.#reuses = reuses;
  }

  turn({ user, steps }: Turn): ModelMessage[] {
    const written = steps.flatMap((one) => this.#step(one));
    return [{ role: 'user', content: words(user, 'Please:') }, ...written];
  }

  /** A step that waits for an approval, or whose approval was just answered. */
  waiting(isAnswered: boolean): ModelMessage[] {
    const [approvalId, toolCallId] = [`approval ${this.#answers}`, 'open'];
    const call = { type: 'tool-call', toolCallId, toolName: 'files__write', input: {} } as const;
    const request = { type: 'tool-approval-request', approvalId, toolCallId } as const;
    const answer = { type: 'tool-approval-response', approvalId, approved: true } as const;
    return [
      { role: 'user', content: 'Write it.' },
      { role: 'assistant', content: [call, request] },
      ...(isAnswered ? [{ role: 'tool' as const, content: [answer] }] : []),
    ];
  }

  #step({ text, hasNote, calls, isSplit }: Step): ModelMessage[] {
    if (this.#reuses) this.#calls = 0;
    this.#answers++;
    const made = calls.map((one) => ({ ...one, id: `call_${this.#calls++}` }));
    const content: Part[] = [
      ...(hasNote ? [this.#note(made)] : []),
      { type: 'text', text: words(text, 'I think') },
      ...made.flatMap((one): Part[] => [
        {
          type: 'tool-call',
          toolCallId: one.id,
          toolName: one.name,
          input: { path: 'a' },
          ...(one.form === 'mcp' ? { providerOptions: { toolfold: MCP_STAMP } } : {}),
        },
        ...(one.isAsked ? [this.#request(one.id)] : []),
      ]),
    ];
    const answers = made.filter(({ isAsked }) => isAsked);
    const results = made.map((one) => resultOf(one.id, one));
    const groups = isSplit ? results.map((one) => [one]) : [results];
    return [
      { role: 'assistant', content },
      ...(answers.length > 0 ? [this.#answersTo(answers)] : []),
      ...groups
        .filter((group) => group.length > 0)
        .map((group): ToolModelMessage => ({ role: 'tool', content: group })),
    ];
  }

  #note(made: readonly (Asked & { readonly id: string })[]): Part {
    const kept = made
      .filter(({ isKept }) => isKept)
      .map(({ id }) => [id, { type: 'text', value: 'as sent' }]);
    const note = {
      epoch: { strategy: 'dispatch', fingerprint: 'f', scope: 's' },
      inserts: ['[Notice.]'],
      announced: 'list',
      outputs: Object.fromEntries(kept),
    };
    return { type: 'custom', kind: NOTE_KIND, providerOptions: { toolfold: note } };
  }

  #request(id: string): Part {
    const approvalId = `${this.#answers} ${id}`;
    return { type: 'tool-approval-request', approvalId, toolCallId: id };
  }

  #answersTo(calls: readonly { readonly id: string }[]): ToolModelMessage {
    const content = calls.map(({ id }) => ({
      type: 'tool-approval-response' as const,
      approvalId: `${this.#answers} ${id}`,
      approved: true,
    }));
    return { role: 'tool', content };
  }
}

const MCP_STAMP = { n: 'deferred_tool_call', r: '{"tool_name":"web__get"}', o: 0, f: 'mcp' };

function resultOf(toolCallId: string, { name: toolName, size, form }: Asked): Result {
  const text = words(size, 'Found');
  const whole = { toolfold: { m: { type: 'text', value: text } } };
  const result = { type: 'tool-result' as const, toolCallId, toolName };
  switch (form) {
    case 'text':
    case 'error-text':
      return { ...result, output: { type: form, value: text }, providerOptions: whole };
    case 'json':
      return { ...result, output: { type: 'json', value: { text } } };
    case 'mcp':
      return { ...result, output: { type: 'json', value: { content: [{ type: 'text', text }] } } };
    case 'content':
      return { ...result, output: { type: 'content', value: [{ type: 'text', text }] } };
  }
}
