import type { ModelMessage } from 'ai';
import { type Agent, type AgentEvent, createAgent } from '../../src/agent/index.ts';
import { ToolfoldError } from '../../src/errors.ts';
import {
  type Host,
  type Question,
  readParts,
  type TurnEnd,
  type TurnInput,
  throughJson,
  type View,
  type Words,
} from './host.ts';

/** What the agent is made with that its view does not say. */
export interface AgentStyle {
  readonly mode: 'always' | 'never';
  readonly routing: 'off' | 'preload';
}

/** A conversation held by the agent. */
export class AgentHost implements Host {
  readonly #style: AgentStyle;
  readonly #agent: Agent;

  constructor(view: View, style: AgentStyle, messages: readonly ModelMessage[] = []) {
    const { world, fold, model, role, settings } = view;
    this.#style = style;
    this.#agent = createAgent({
      model,
      fold,
      ...(role === undefined ? {} : { role }),
      hooks: world.hooks,
      instructions: 'You are an agent under test.',
      approvals: { mode: style.mode },
      routing: style.routing,
      settings: { maxRetries: 0, ...settings },
      messages,
    });
  }

  get questions(): Question[] {
    return this.#agent.pending.map(({ approvalId, id, name, arguments: input }) => ({
      approvalId,
      id,
      name,
      input,
    }));
  }

  async messages(): Promise<readonly ModelMessage[]> {
    return this.#agent.messages;
  }

  async turn(input: TurnInput): Promise<TurnEnd> {
    const { words, controller } = input;
    const { signal } = controller;
    // The agent may refuse a text that says nothing: then there is no turn.
    const events: AgentEvent[] = [];
    let stream: AsyncIterable<AgentEvent>;
    try {
      stream = this.#begin(words, signal);
    } catch (error) {
      const isRefused = 'text' in words && words.text === '' && error instanceof ToolfoldError;
      if (!isRefused) throw error;
      return { events, isWhole: true };
    }
    const { left } = await readParts(stream, input, (event) => events.push(event));
    const end = events.findLast(({ type }) => type === 'end');
    const error = end?.type === 'end' && end.reason === 'error' ? { error: end.error } : {};
    return { events, hasLeft: left, isWhole: true, ...error };
  }

  #begin(words: Words, signal: AbortSignal): AsyncIterable<AgentEvent> {
    if ('text' in words) return this.#agent.send(words.text, { signal });
    const answers = Object.entries(words.answers).map(([id, approved]) => [id, { approved }]);
    return this.#agent.answer(Object.fromEntries(answers), { signal });
  }

  moved(view: View, isNewProcess: boolean): Host {
    const { messages } = this.#agent;
    return new AgentHost(view, this.#style, isNewProcess ? throughJson(messages) : messages);
  }

  setTools(on: boolean): void {
    this.#agent.setTools(on);
  }
}
