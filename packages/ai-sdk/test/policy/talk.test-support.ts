import {
  convertToModelMessages,
  createAgentUIStream,
  generateText,
  isStepCount,
  isToolUIPart,
  type ModelMessage,
  readUIMessageStream,
  streamText,
  ToolLoopAgent,
  type UIMessage,
} from 'ai';
import type { Coordinates, Fields } from './trial.test-support.ts';

/** A pending approval. */
export interface Question {
  readonly approvalId: string;
  readonly toolName: string;
  readonly input: unknown;
}

type Settings = Readonly<Record<string, unknown>>;

/** A conversation with one of the SDK's functions, as model messages or as UI messages only. */
export class Talk {
  messages: ModelMessage[] = [{ role: 'user', content: 'Go.' }];
  ui: UIMessage[] = [{ id: 'u0', role: 'user', parts: [{ type: 'text', text: 'Go.' }] }];
  readonly #mode: Coordinates['mode'];

  constructor(mode: Coordinates['mode']) {
    this.#mode = mode;
  }

  async run(fields: Fields, settings: Settings): Promise<void> {
    const errors: unknown[] = [];
    const onError = ({ error }: { error: unknown }) => {
      errors.push(error);
    };
    const all = { stopWhen: isStepCount(6), maxRetries: 0, ...fields, ...settings };
    const { messages } = this;
    if (this.#mode === 'generateText') {
      const result = await generateText({ ...all, messages } as never);
      this.messages = [...messages, ...result.responseMessages];
      return;
    }
    if (this.#mode === 'agent UI') {
      const agent = new ToolLoopAgent({ ...all, onError } as never);
      const uiMessages: UIMessage[] = structuredClone(this.ui);
      const stream = await createAgentUIStream({
        agent,
        uiMessages,
        onError: String,
        ...signalOf(settings),
      } as never);
      const last = uiMessages.at(-1);
      const message = last?.role === 'assistant' ? { message: last } : {};
      let final: UIMessage | undefined;
      for await (const state of readUIMessageStream({ stream: stream as never, ...message }))
        final = state;
      const kept = last?.role === 'assistant' ? uiMessages.slice(0, -1) : uiMessages;
      if (final) this.ui = [...kept, final];
      this.messages = await convertToModelMessages(this.ui, { tools: fields.tools });
    } else {
      const stream =
        this.#mode === 'streamText'
          ? streamText({ ...all, messages, onError } as never)
          : await new ToolLoopAgent({ ...all, onError } as never).stream({
              messages,
              ...signalOf(settings),
            } as never);
      await stream.consumeStream();
      if (errors.length === 0) this.messages = [...messages, ...(await stream.responseMessages)];
    }
    if (errors.length > 0) throw errors[0];
  }

  /** The conversation as another process gets it. */
  pack(): void {
    this.messages = JSON.parse(JSON.stringify(this.messages));
    this.ui = JSON.parse(JSON.stringify(this.ui));
  }

  get questions(): Question[] {
    if (this.#mode === 'agent UI') {
      return this.#uiTools().flatMap((part) =>
        part.state === 'approval-requested'
          ? [
              {
                approvalId: part.approval.id,
                toolName: part.type.replace(/^tool-/, ''),
                input: part.input,
              },
            ]
          : [],
      );
    }
    const last = this.messages.findLast(({ role }) => role === 'assistant');
    const parts = Array.isArray(last?.content) ? last.content : [];
    return parts.flatMap((part) => {
      if (part.type !== 'tool-approval-request' || part.isAutomatic === true) return [];
      const call = parts.findLast(
        (other) => other.type === 'tool-call' && other.toolCallId === part.toolCallId,
      );
      if (call?.type !== 'tool-call') return [];
      return [{ approvalId: part.approvalId, toolName: call.toolName, input: call.input }];
    });
  }

  /** Gives the same answer to all pending approvals. */
  answer(approved: boolean): void {
    const content = this.questions.map(({ approvalId }) => ({
      type: 'tool-approval-response' as const,
      approvalId,
      approved,
    }));
    for (const part of this.#uiTools()) {
      if (part.state !== 'approval-requested') continue;
      Object.assign(part, {
        state: 'approval-responded',
        approval: { ...part.approval, approved },
      });
    }
    if (this.#mode === 'agent UI') return;
    const last = this.messages.at(-1);
    if (last?.role === 'tool') {
      const joined = { ...last, content: [...last.content, ...content] };
      this.messages = [...this.messages.slice(0, -1), joined];
    } else this.messages = [...this.messages, { role: 'tool', content }];
  }

  /** Names of tools whose calls the SDK reports as denied. */
  get denied(): string[] {
    if (this.#mode === 'agent UI') {
      return this.#uiTools().flatMap((part) =>
        part.state === 'output-denied' ? [part.type.replace(/^tool-/, '')] : [],
      );
    }
    return this.messages.flatMap(({ role, content }) =>
      role === 'tool'
        ? content.flatMap((part) =>
            part.type === 'tool-result' && part.output.type === 'execution-denied'
              ? [part.toolName]
              : [],
          )
        : [],
    );
  }

  /** The name of the tool of a call. */
  nameOf(id: string): string {
    for (const { role, content } of this.messages) {
      if (role !== 'assistant' || typeof content === 'string') continue;
      for (const part of content)
        if (part.type === 'tool-call' && part.toolCallId === id) return part.toolName;
    }
    return '';
  }

  /** Edits every call of a tool in the history, in every form. */
  editCalls(name: string, edit: (call: EditableCall) => void): void {
    for (const part of this.#uiTools()) {
      if (part.type !== `tool-${name}`) continue;
      const call: EditableCall = {
        name,
        input: part.input,
        options: part.callProviderMetadata ?? {},
      };
      edit(call);
      Object.assign(part, {
        type: `tool-${call.name}`,
        input: call.input,
        callProviderMetadata: call.options,
      });
    }
    for (const { content } of this.messages) {
      if (typeof content === 'string') continue;
      for (const part of content) {
        if (part.type !== 'tool-call' || part.toolName !== name) continue;
        const call: EditableCall = { name, input: part.input, options: part.providerOptions ?? {} };
        edit(call);
        Object.assign(part, {
          toolName: call.name,
          input: call.input,
          providerOptions: call.options,
        });
      }
    }
  }

  #uiTools() {
    const last = this.ui.at(-1);
    return (last?.parts ?? []).filter(isToolUIPart);
  }
}

export interface EditableCall {
  name: string;
  input: unknown;
  options: Record<string, unknown>;
}

/** An agent gets the signal with each call. */
function signalOf({ abortSignal }: { readonly abortSignal?: unknown }): {
  readonly abortSignal?: unknown;
} {
  return abortSignal ? { abortSignal } : {};
}
