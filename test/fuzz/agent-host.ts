import type { ModelMessage } from 'ai';
import { type Agent, type AgentEvent, createAgent } from '../../packages/agent/src/index.ts';
import { ToolfoldError } from '../../packages/core/src/errors.ts';
import {
  type Host,
  type Question,
  readParts,
  type TurnEnd,
  type TurnInput,
  throughJson,
  type UserAction,
  type View,
} from './host.ts';

/** Settings of the agent that do not belong to its view. */
export interface AgentStyle {
  readonly mode: 'always' | 'never';
  readonly routing: 'off' | 'preload';
}

/** A conversation that the agent holds. */
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
    const { action, controller } = input;
    const { signal } = controller;
    // The agent refuses an empty text. Then there is no turn.
    const events: AgentEvent[] = [];
    let stream: AsyncIterable<AgentEvent>;
    try {
      stream = this.#begin(action, signal);
    } catch (error) {
      const isRefused = 'text' in action && action.text === '' && error instanceof ToolfoldError;
      if (!isRefused) throw error;
      return { events, isWhole: true };
    }
    const { left } = await readParts(stream, input, (event) => events.push(event));
    const end = events.findLast(({ type }) => type === 'end');
    const error = end?.type === 'end' && end.reason === 'error' ? { error: end.error } : {};
    return { events, hasLeft: left, isWhole: true, ...error };
  }

  #begin(action: UserAction, signal: AbortSignal): AsyncIterable<AgentEvent> {
    if ('text' in action) return this.#agent.send(action.text, { signal });
    const answers = Object.entries(action.answers).map(([id, approved]) => [id, { approved }]);
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
