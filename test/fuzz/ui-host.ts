import {
  convertToModelMessages,
  createAgentUIStream,
  isStepCount,
  isToolUIPart,
  type ModelMessage,
  readUIMessageStream,
  ToolLoopAgent,
  type UIMessage,
  validateUIMessages,
} from 'ai';
import {
  type Host,
  type Question,
  readParts,
  type TurnEnd,
  type TurnInput,
  throughJson,
  type View,
} from './host.ts';
import { fieldsOf } from './text-host.ts';

/** A conversation of UI messages, as in a browser. */
export class UiHost implements Host {
  readonly #view: View;
  #ui: UIMessage[];

  constructor(view: View, ui: readonly UIMessage[] = []) {
    this.#view = view;
    this.#ui = [...ui];
  }

  get questions(): Question[] {
    const last = this.#ui.at(-1);
    return (last?.role === 'assistant' ? last.parts : []).filter(isToolUIPart).flatMap((part) =>
      part.state === 'approval-requested'
        ? [
            {
              approvalId: part.approval.id,
              id: part.toolCallId,
              name: part.type.replace(/^tool-/, ''),
              input: part.input,
            },
          ]
        : [],
    );
  }

  async messages(): Promise<readonly ModelMessage[]> {
    const { tools } = fieldsOf(this.#view);
    const ui = throughJson(this.#ui);
    if (ui.length === 0) return [];
    const valid = await validateUIMessages({ messages: ui, tools: tools as never });
    return convertToModelMessages(valid, { tools, ignoreIncompleteToolCalls: true });
  }

  async turn(input: TurnInput): Promise<TurnEnd> {
    const { action, controller, active } = input;
    const before =
      'text' in action
        ? [...this.#ui.map(withoutQuestions), userMessage(this.#ui, action.text)]
        : this.#answered(action);
    const errors: unknown[] = [];
    const agent = new ToolLoopAgent({
      ...fieldsOf(this.#view),
      stopWhen: isStepCount(8),
      maxRetries: 0,
      instructions: 'You are an agent under test.',
      ...this.#view.settings,
      ...(active ? { activeTools: [...active] } : {}),
      onError: ({ error }: { error: unknown }) => void errors.push(error),
    } as never);
    const uiMessages = throughJson(before);
    const last = uiMessages.at(-1);
    const isResumed = last?.role === 'assistant';
    const kept = isResumed ? uiMessages.slice(0, -1) : uiMessages;
    let final: UIMessage | undefined = isResumed ? last : undefined;
    let isCut = true;
    try {
      const stream = await createAgentUIStream({
        agent,
        uiMessages,
        abortSignal: controller.signal,
        generateMessageId: () => `a${before.length}`,
        onError: (error: unknown) => String(error),
      } as never);
      const states = readUIMessageStream({
        stream: stream as never,
        ...(isResumed ? { message: structuredClone(last) } : {}),
        onError: (error) => void errors.push(error),
      });
      const { left } = await readParts(states, input, (state) => {
        final = state;
      });
      isCut = left || controller.signal.aborted || errors.length > 0;
    } catch (error) {
      errors.push(error);
    }
    const answer = final && isCut ? withoutIncomplete(final) : final;
    this.#ui = answer && answer.parts.length > 0 ? [...kept, answer] : kept;
    return { isWhole: !isCut, ...(errors.length > 0 ? { error: errors[0] } : {}) };
  }

  moved(view: View): Host {
    return new UiHost(view, throughJson(this.#ui));
  }

  #answered({ answers }: { readonly answers: Readonly<Record<string, boolean>> }): UIMessage[] {
    const ui = structuredClone(this.#ui);
    for (const part of ui.at(-1)?.parts ?? []) {
      if (!isToolUIPart(part) || part.state !== 'approval-requested') continue;
      const approved = answers[part.approval.id] === true;
      const approval = { ...part.approval, approved };
      Object.assign(part, { state: 'approval-responded', approval });
    }
    return ui;
  }
}

function userMessage(ui: readonly UIMessage[], text: string): UIMessage {
  return { id: `u${ui.length}`, role: 'user', parts: [{ type: 'text', text }] };
}

/** What a browser can continue with: without a last step whose calls or reasoning are incomplete. */
function withoutIncomplete(message: UIMessage): UIMessage {
  const start = message.parts.findLastIndex(({ type }) => type === 'step-start');
  const step = message.parts.slice(start + 1);
  const isWhole = step.every((part) => !isToolUIPart(part) || ENDED.includes(part.state));
  return isWhole && step.at(-1)?.type !== 'reasoning'
    ? message
    : { ...message, parts: message.parts.slice(0, Math.max(0, start)) };
}

/** A new message denies open questions. As in the SDK, their calls are removed, with the reasoning before them. */
function withoutQuestions(message: UIMessage): UIMessage {
  const isOpen = (part: UIMessage['parts'][number]) =>
    isToolUIPart(part) && part.state === 'approval-requested';
  if (!message.parts.some(isOpen)) return message;
  const parts = message.parts.filter((part) => !isOpen(part));
  while (parts.at(-1)?.type === 'reasoning') parts.pop();
  return { ...message, parts };
}

const ENDED = ['output-available', 'output-error', 'output-denied'];
