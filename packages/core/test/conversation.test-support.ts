import type { Route, RouteOptions } from '../src/calls/route.ts';
import type { Presentation } from '../src/request/presentation.ts';
import type { Session } from '../src/session/session.ts';
import type { Tool } from '../src/tool/tool.ts';
import type { TranscriptCall, TranscriptMessage } from '../src/transcript/transcript.ts';

/** Drives a session as a host does: present, route what came back, keep the messages. */
export class Conversation {
  readonly session: Session;
  readonly messages: TranscriptMessage[] = [];
  readonly sent: Presentation[] = [];
  readonly #keepsNotes: boolean;
  #calls = 0;

  /** `keepsNotes: false` is a host that loses what should travel with its messages. */
  constructor(session: Session, options: { readonly keepsNotes?: boolean } = {}) {
    this.session = session;
    this.#keepsNotes = options.keepsNotes ?? true;
    this.messages.push({ role: 'user' });
  }

  get last(): Presentation {
    const last = this.sent.at(-1);
    if (!last) throw new Error('Nothing has been sent yet.');
    return last;
  }

  /** One request, answered by these calls, all routed at once; without calls it ends the turn. */
  async step(
    calls: readonly (readonly [name: string, input: unknown])[] = [],
    options?: RouteOptions,
  ): Promise<Route[]> {
    await this.session.prepare(this.messages);
    const presentation = this.session.present(this.messages);
    this.sent.push(presentation);
    const made: TranscriptCall[] = calls.map(([name, input]) => ({
      id: `call_${++this.#calls}`,
      name,
      input,
    }));
    const { note } = presentation;
    const notes = this.#keepsNotes && note ? [note] : [];
    const routes = await Promise.all(made.map((call) => this.session.route(call, options)));
    this.messages.push({ role: 'assistant', calls: made, notes });
    if (made.length === 0) {
      this.messages.push({ role: 'user' });
      return [];
    }
    const results = routes.map((route, index) => ({
      id: made[index]?.id ?? '',
      output: route.kind === 'run' ? { ran: route.tool.name } : JSON.parse(text(route.result)),
      isError: route.kind === 'answer' && route.isError,
    }));
    this.messages.push({ role: 'tool', results });
    return routes;
  }

  /** One call in a request of its own. */
  async call(name: string, input: unknown, options?: RouteOptions): Promise<Route> {
    const [route] = await this.step([[name, input]], options);
    if (!route) throw new Error('There was no call.');
    return route;
  }

  /** The result of one call, which must not run anything. */
  async answer(name: string, input: unknown): Promise<Record<string, unknown>> {
    const route = await this.call(name, input);
    if (route.kind === 'run') throw new Error(`${route.tool.name} would have run.`);
    return route.result;
  }
}

/** What a model would be sent. */
export function text(value: unknown): string {
  return JSON.stringify(value);
}

/** Tools of these names that want `issue_id`, a text, and nothing else. */
export function simpleTools(...names: string[]): Tool[] {
  return names.map((name) => ({
    name,
    description: `Does ${name}.`,
    inputSchema: {
      type: 'object',
      properties: { issue_id: { type: 'string', description: 'Which one.' } },
      required: ['issue_id'],
      additionalProperties: false,
    },
  }));
}

/** The same tools, marked as declared from the start. */
export function inlineTools(...names: string[]): Tool[] {
  return simpleTools(...names).map((tool) => ({ ...tool, exposure: 'inline' }));
}
