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
import type { CallSettings, Mode, Route } from './conversation.test-support.ts';

/** How the app passes the fields of `fold.with` to the SDK. */
export type Handing =
  /** All fields, unchanged. */
  | 'spread'
  /** All fields, with the tools in a copied set. */
  | 'copied'
  /** Without `toolApproval`. */
  | 'two fields';

export interface TalkOptions {
  readonly mode: Mode;
  readonly route: Route;
  readonly handing: Handing;
  readonly model: LanguageModelV4;
  /** Creates a new fold for each generation, except on the live route. */
  readonly fold: () => Fold<ToolSet>;
  readonly with?: WithOptions;
  readonly settings?: CallSettings;
}

/** One part of a step, as the app sees it. */
export type StepPart = Awaited<ReturnType<typeof generateText>>['steps'][number]['content'][number];

/** The text that the app's users get for any error. */
export const REDACTED = 'Something went wrong.';

type Fields = ReturnType<Fold<ToolSet>['with']>;

/** A conversation that records what an app sees: parts of steps, and errors in UI streams. */
export class Talk {
  messages: ModelMessage[] = [];
  ui: UIMessage[] = [];
  /** Parts of all steps so far, in order. */
  readonly parts: StepPart[] = [];
  /** The errors that `onError` of UI streams got. */
  readonly errors: unknown[] = [];
  readonly #options: TalkOptions;
  #live: Fields | undefined;

  constructor(options: TalkOptions) {
    this.#options = options;
  }

  /** One generation after a message of the user. */
  async say(text: string, settings: CallSettings = {}): Promise<void> {
    this.messages.push({ role: 'user', content: text });
    this.ui.push({ id: `u${this.ui.length}`, role: 'user', parts: [{ type: 'text', text }] });
    await this.run(settings);
  }

  /** Answers all pending approvals, then runs one generation. */
  async answer(verdict: { approved: boolean; reason?: string }): Promise<void> {
    const last = this.messages.findLast(({ role }) => role === 'assistant');
    const asked = Array.isArray(last?.content) ? last.content : [];
    const answers = asked.flatMap((part) =>
      part.type === 'tool-approval-request' && part.isAutomatic !== true
        ? [{ type: 'tool-approval-response' as const, approvalId: part.approvalId, ...verdict }]
        : [],
    );
    const before = this.messages.at(-1);
    if (before?.role === 'tool') {
      const content = [...before.content, ...answers];
      this.messages[this.messages.length - 1] = { ...before, content };
    } else {
      this.messages.push({ role: 'tool', content: answers });
    }
    for (const part of this.ui.at(-1)?.parts ?? []) {
      if (!isToolUIPart(part) || part.state !== 'approval-requested') continue;
      const approval = { ...part.approval, ...verdict };
      Object.assign(part, { state: 'approval-responded', approval });
    }
    await this.run();
  }

  /** One generation from the present messages. */
  async run(settings: CallSettings = {}): Promise<void> {
    const { mode, route } = this.#options;
    const fields = this.#fields();
    const all = {
      ...fields,
      stopWhen: isStepCount(20),
      ...this.#options.settings,
      ...settings,
    };
    if (route !== 'live') {
      this.messages = JSON.parse(JSON.stringify(this.messages));
      this.ui = JSON.parse(JSON.stringify(this.ui));
    }
    const messages =
      route === 'ui'
        ? await convertToModelMessages(this.ui, { tools: fields.tools })
        : this.messages;
    if (mode === 'generate' && route !== 'ui') {
      const { steps, responseMessages } = await generateText({ ...all, messages } as never);
      for (const { content } of steps as { content: StepPart[] }[]) this.parts.push(...content);
      this.messages = [...messages, ...responseMessages];
      return;
    }
    const wrapped = fields.model as LanguageModelV4;
    const model =
      mode === 'stream'
        ? wrapped
        : wrapLanguageModel({ model: wrapped, middleware: simulateStreamingMiddleware() });
    await this.#stream({ ...all, model }, messages);
  }

  async #stream(all: object, messages: ModelMessage[]): Promise<void> {
    const failures: unknown[] = [];
    const onError = ({ error }: { error: unknown }) => void failures.push(error);
    const result = streamText({ ...all, messages, onError } as Parameters<typeof streamText>[0]);
    const last = this.ui.at(-1);
    const isResumed = last?.role === 'assistant';
    const stream = toUIMessageStream({
      stream: result.stream,
      originalMessages: this.ui,
      generateMessageId: () => `a${this.ui.length}`,
      onError: (error) => {
        this.errors.push(error);
        return REDACTED;
      },
    });
    let final: UIMessage | undefined;
    for await (const state of readUIMessageStream({
      stream,
      ...(isResumed ? { message: last } : {}),
    }))
      final = state;
    if (failures.length > 0) throw failures[0];
    if (final) this.ui = isResumed ? [...this.ui.slice(0, -1), final] : [...this.ui, final];
    for (const { content } of await result.steps) this.parts.push(...content);
    this.messages = [...messages, ...(await result.responseMessages)];
  }

  #fields(): Fields {
    const { route, fold, model, handing } = this.#options;
    if (route !== 'live') this.#live = undefined;
    this.#live ??= fold().with(model, this.#options.with);
    const { toolApproval, ...two } = this.#live;
    if (handing === 'two fields') return two;
    if (handing === 'copied') return { ...this.#live, tools: { ...two.tools } };
    return this.#live;
  }
}
