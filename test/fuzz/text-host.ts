import { generateText, isStepCount, type ModelMessage, streamText, ToolLoopAgent } from 'ai';
import { openCalls, pendingIn } from '../../packages/agent/src/state/history.ts';
import {
  type Host,
  type Question,
  readParts,
  type TurnEnd,
  type TurnInput,
  throughJson,
  type View,
} from './host.ts';

/** The function of the SDK that the app uses. */
export type TextStyle = 'generateText' | 'streamText' | 'ToolLoopAgent';

interface Step {
  readonly response: { readonly messages: readonly ModelMessage[] };
}

/** A conversation of model messages, in an app that uses only the fields of the fold. */
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
    const { action, controller } = input;
    const added = 'text' in action ? this.#userText(action.text) : answers(action.answers);
    const messages = [...this.#messages, ...added];
    // An app can keep this of a failed generation: the steps that have ended, and approved calls
    // that ran before the first of them.
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

  #userText(text: string): ModelMessage[] {
    const open = openCalls(this.#messages);
    const denied = open.map(({ id, name }) => denial(id, name));
    const message: ModelMessage = { role: 'user', content: text };
    return denied.length > 0 ? [{ role: 'tool', content: denied }, message] : [message];
  }
}

/** The fields of the fold, with the hooks and settings of the world. */
export function fieldsOf({ world, fold, model, role }: View): ReturnType<View['fold']['with']> {
  return fold.with(model, {
    hooks: world.hooks,
    toolApproval: world.setting,
    ...(role === undefined ? {} : { role }),
  });
}

const denial = (toolCallId: string, toolName: string) => ({
  type: 'tool-result' as const,
  toolCallId,
  toolName,
  output: { type: 'execution-denied' as const, reason: 'the user sent a new message' },
});

function answers(given: Readonly<Record<string, boolean>>): ModelMessage[] {
  const content = Object.entries(given).map(([approvalId, approved]) => ({
    type: 'tool-approval-response' as const,
    approvalId,
    approved,
  }));
  return [{ role: 'tool', content }];
}

/** Closes calls without results. Only calls that wait for the user may stay open. */
function closed(messages: ModelMessage[]): ModelMessage[] {
  const waiting = new Set(pendingIn(messages).map(({ id }) => id));
  const open = openCalls(messages).filter(({ id }) => !waiting.has(id));
  if (open.length === 0) return messages;
  return [...messages, { role: 'tool', content: open.map(({ id, name }) => denial(id, name)) }];
}
