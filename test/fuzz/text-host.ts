import { generateText, isStepCount, type ModelMessage, streamText, ToolLoopAgent } from 'ai';
import { openCalls, pendingIn } from '../../src/agent/conversation/history.ts';
import {
  type Host,
  type Question,
  readParts,
  type TurnEnd,
  type TurnInput,
  throughJson,
  type View,
} from './host.ts';

/** How the SDK is asked. */
export type TextStyle = 'generateText' | 'streamText' | 'ToolLoopAgent';

interface Step {
  readonly response: { readonly messages: readonly ModelMessage[] };
}

/** A conversation of model messages, held by an app that uses the fold's fields alone. */
export class TextHost implements Host {
  readonly #view: View;
  readonly #style: TextStyle;
  #messages: ModelMessage[];

  constructor(view: View, style: TextStyle, messages: readonly ModelMessage[] = []) {
    this.#view = view;
    this.#style = style;
    this.#messages = [...messages];
  }

  get questions(): Question[] {
    return pendingIn(this.#messages).map(({ approvalId, id, name, arguments: input }) => ({
      approvalId,
      id,
      name,
      input,
    }));
  }

  async messages(): Promise<readonly ModelMessage[]> {
    return this.#messages;
  }

  async turn(input: TurnInput): Promise<TurnEnd> {
    const { words, controller } = input;
    const said = 'text' in words ? this.#said(words.text) : answers(words.answers);
    const messages = [...this.#messages, ...said];
    // What an app can keep of a generation that fails: the steps that have ended, and what was
    // approved and has run before the first of them.
    let reached = messages;
    let ended: ModelMessage[] = [];
    const all = {
      ...fieldsOf(this.#view),
      stopWhen: isStepCount(8),
      maxRetries: 0,
      instructions: 'You are an agent under test.',
      ...this.#view.settings,
      ...(input.active ? { activeTools: [...input.active] } : {}),
      prepareStep: ({ messages: now }: { messages: ModelMessage[] }) => {
        reached = now;
        ended = [];
        return {};
      },
      onStepEnd: ({ response }: Step) => void ended.push(...response.messages),
      onError: () => {},
    };
    const call = { messages, abortSignal: controller.signal };
    try {
      const kept = await this.#generate(all, call, input);
      this.#messages = [...messages, ...kept];
      return { isWhole: true };
    } catch (error) {
      this.#messages = closed([...reached, ...ended]);
      return { error, isWhole: false };
    }
  }

  moved(view: View, isNewProcess: boolean): Host {
    const kept = isNewProcess ? throughJson(this.#messages) : this.#messages;
    return new TextHost(view, this.#style, kept);
  }

  async #generate(all: object, call: object, input: TurnInput): Promise<readonly ModelMessage[]> {
    if (this.#style === 'generateText') {
      return (await generateText({ ...all, ...call } as never)).responseMessages;
    }
    const result =
      this.#style === 'streamText'
        ? streamText({ ...all, ...call } as never)
        : await new ToolLoopAgent(all as never).stream(call as never);
    const failures: unknown[] = [];
    const { left } = await readParts(result.stream, input, (part) => {
      if (part.type === 'error') failures.push(part.error);
      if (part.type === 'abort') failures.push(input.controller.signal.reason);
    });
    if (left) throw new Error('the reader has left');
    if (failures.length > 0) throw failures[0];
    return result.responseMessages;
  }

  #said(text: string): ModelMessage[] {
    const open = openCalls(this.#messages);
    const refused = open.map(({ id, name }) => refusal(id, name));
    const said: ModelMessage = { role: 'user', content: text };
    return refused.length > 0 ? [{ role: 'tool', content: refused }, said] : [said];
  }
}

/** The fields of the fold's, with the hooks and settings of the world. */
export function fieldsOf({ world, fold, model, role }: View): ReturnType<View['fold']['with']> {
  return fold.with(model, {
    hooks: world.hooks,
    toolApproval: world.setting,
    ...(role === undefined ? {} : { role }),
  });
}

const refusal = (toolCallId: string, toolName: string) => ({
  type: 'tool-result' as const,
  toolCallId,
  toolName,
  output: { type: 'execution-denied' as const, reason: 'the user went on' },
});

function answers(given: Readonly<Record<string, boolean>>): ModelMessage[] {
  const content = Object.entries(given).map(([approvalId, approved]) => ({
    type: 'tool-approval-response' as const,
    approvalId,
    approved,
  }));
  return [{ role: 'tool', content }];
}

/** An app must not keep calls without results, but for those that wait for the user. */
function closed(messages: ModelMessage[]): ModelMessage[] {
  const waiting = new Set(pendingIn(messages).map(({ id }) => id));
  const open = openCalls(messages).filter(({ id }) => !waiting.has(id));
  if (open.length === 0) return messages;
  return [...messages, { role: 'tool', content: open.map(({ id, name }) => refusal(id, name)) }];
}
