import type { LanguageModelV4 } from '@ai-sdk/provider';
import {
  convertToModelMessages,
  generateText,
  isStepCount,
  isToolUIPart,
  type ModelMessage,
  readUIMessageStream,
  simulateStreamingMiddleware,
  streamText,
  type ToolSet,
  toUIMessageStream,
  type UIMessage,
  wrapLanguageModel,
} from 'ai';
import type { Fold, WithOptions } from '../src/index.ts';

export type Mode = 'generate' | 'stream';
/** The route by which the messages reach the next generation. */
export type Route = 'live' | 'json' | 'ui';

/** Any options of `streamText`. */
export type CallSettings = Readonly<Record<string, unknown>>;

export interface ConversationOptions {
  readonly mode: Mode;
  readonly route: Route;
  readonly model: LanguageModelV4;
  /** Creates a new fold for each generation, except on the live route. */
  readonly fold: () => Fold<ToolSet>;
  readonly with?: WithOptions;
  readonly settings?: CallSettings;
  /** The app's `onError`: the error texts for its users. */
  readonly onError?: (error: unknown) => string;
}

/** A conversation over several generations, as an app would run it. */
export class Conversation {
  messages: ModelMessage[] = [];
  ui: UIMessage[] = [];
  readonly #options: ConversationOptions;
  #live: { model: unknown; tools: ToolSet } | undefined;

  constructor(options: ConversationOptions) {
    this.#options = options;
  }

  /** One generation after a message of the user. */
  async say(text: string, settings: CallSettings = {}): Promise<void> {
    this.messages.push({ role: 'user', content: text });
    this.ui.push({ id: `u${this.ui.length}`, role: 'user', parts: [{ type: 'text', text }] });
    await this.run(settings);
  }

  /** Answers the pending approvals by tool name, then runs one generation. */
  async answer(
    verdict: (toolName: string) => { approved: boolean; reason?: string },
  ): Promise<void> {
    const last = this.messages.findLast((message) => message.role === 'assistant');
    const content = Array.isArray(last?.content) ? last.content : [];
    const nameOf = (id: string) => {
      const call = content.find((part) => part.type === 'tool-call' && part.toolCallId === id);
      return call?.type === 'tool-call' ? call.toolName : '';
    };
    const answers = content.flatMap((part) =>
      part.type === 'tool-approval-request' && part.isAutomatic !== true
        ? [
            {
              type: 'tool-approval-response' as const,
              approvalId: part.approvalId,
              ...verdict(nameOf(part.toolCallId)),
            },
          ]
        : [],
    );
    const before = this.messages.at(-1);
    if (before?.role === 'tool') {
      this.messages[this.messages.length - 1] = {
        ...before,
        content: [...before.content, ...answers],
      };
    } else {
      this.messages.push({ role: 'tool', content: answers });
    }
    for (const part of this.ui.at(-1)?.parts ?? []) {
      if (!isToolUIPart(part) || part.state !== 'approval-requested') continue;
      const name = part.type.replace(/^tool-/, '');
      Object.assign(part, {
        state: 'approval-responded',
        approval: { ...part.approval, ...verdict(name) },
      });
    }
    await this.run();
  }

  async run(settings: CallSettings = {}): Promise<void> {
    const { mode, route } = this.#options;
    const folded = this.#folded();
    const all = {
      stopWhen: isStepCount(20),
      ...this.#options.settings,
      ...settings,
      tools: folded.tools,
    };
    if (route === 'ui') return this.#runUi(folded, all);
    const messages = route === 'live' ? this.messages : JSON.parse(JSON.stringify(this.messages));
    const request = { ...all, model: folded.model, messages } as Parameters<typeof generateText>[0];
    if (mode === 'generate') {
      const { responseMessages } = await generateText(request);
      this.messages = [...messages, ...responseMessages];
      return;
    }
    const errors: unknown[] = [];
    const result = streamText({
      ...(request as unknown as Parameters<typeof streamText>[0]),
      onError: ({ error }) => {
        errors.push(error);
      },
    });
    await result.consumeStream();
    if (errors.length > 0) throw errors[0];
    this.messages = [...messages, ...(await result.responseMessages)];
  }

  async #runUi(folded: { model: unknown; tools: ToolSet }, all: CallSettings): Promise<void> {
    const { mode, onError } = this.#options;
    const held: UIMessage[] = JSON.parse(JSON.stringify(this.ui));
    const messages = await convertToModelMessages(held, { tools: folded.tools });
    const wrapped = folded.model as LanguageModelV4;
    const model =
      mode === 'stream'
        ? wrapped
        : wrapLanguageModel({ model: wrapped, middleware: simulateStreamingMiddleware() });
    const errors: unknown[] = [];
    const result = streamText({
      ...(all as object),
      model,
      messages,
      onError: ({ error }) => {
        errors.push(error);
      },
    });
    const last = held.at(-1);
    const stream = toUIMessageStream({
      stream: result.stream,
      originalMessages: held,
      generateMessageId: () => `a${held.length}`,
      onError: onError ?? ((error) => String(error)),
    });
    let final: UIMessage | undefined;
    const message = last?.role === 'assistant' ? { message: last } : {};
    for await (const state of readUIMessageStream({ stream, ...message })) final = state;
    if (errors.length > 0) throw errors[0];
    if (final)
      this.ui = last?.role === 'assistant' ? [...held.slice(0, -1), final] : [...held, final];
    this.messages = [...messages, ...(await result.responseMessages)];
  }

  #folded(): { model: unknown; tools: ToolSet } {
    const { route, fold, model } = this.#options;
    if (route !== 'live') return fold().with(model, this.#options.with);
    this.#live ??= fold().with(model, this.#options.with);
    return this.#live;
  }
}
