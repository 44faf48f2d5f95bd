import type { Agent, AgentOptions, StampedEvent } from '../../agent/index.ts';
import { readTranscript } from '../../agent/transcript/index.ts';
import { visibleArguments } from '../../app/approvals/index.ts';
import { isInterrupted } from '../../app/conversations/index.ts';
import { oneLine } from '../../app/terminal/index.ts';
import type { Entry } from '../../sessions/index.ts';
import { queueOfWork } from '../../tools/values/index.ts';
import { invalidParams } from '../refusals/index.ts';
import type { ShownCall } from '../updates/index.ts';
import type { Decision } from './commands.ts';

type OnUnknown = NonNullable<AgentOptions['onUnknown']>;
type UnknownCall = Omit<Parameters<OnUnknown>[0], 'signal'>;

/** What a user can say about a call whose outcome is unknown. */
export type UnknownAnswer = 'again' | 'happened' | 'leave';

/** How the user of an editor hears of such calls. */
export interface UnknownCallsOptions {
  /** Asks with a form. Resolves with `undefined` if the editor shows none. Rejects when the signal fires. */
  readonly decide: (
    call: ShownCall,
    text: string,
    signal: AbortSignal,
  ) => Promise<UnknownAnswer | undefined>;
  /** Writes a message of Toolfold into the conversation. */
  readonly say: (text: string) => Promise<void>;
  /** The signal of the running turn. */
  readonly signal: () => AbortSignal;
}

/** Most characters of arguments and of a name. */
const MAX_ARGUMENTS = 4_000;
const MAX_NAME = 64;

/**
 * Calls that had started when their process ended. Some editors pick an option of each permission request by
 * themselves, so no such request is about them: the user decides in a form or with a command. Without a decision the
 * model reads that nobody knows.
 */
export class UnknownCalls {
  readonly #options: UnknownCallsOptions;
  readonly #inOrder = queueOfWork();
  /** Calls that were left unknown, by their ids. */
  readonly #left = new Map<string, UnknownCall>();

  constructor(options: UnknownCallsOptions) {
    this.#options = options;
  }

  readonly onUnknown: OnUnknown = ({ signal: asked, ...call }) => {
    const { decide, say, signal } = this.#options;
    return this.#inOrder(async () => {
      const stop = AbortSignal.any([signal(), asked]);
      stop.throwIfAborted();
      const { id, name, arguments: given, subagent } = call;
      const path = subagent === undefined ? {} : { path: `${subagent}/` };
      const shown = { id, name, arguments: given, ...path };
      const text = `${lineOf(call)}\n${STARTED}`;
      const choice = await decide(shown, text, stop).catch(() => {
        // The editor cannot show the form.
        stop.throwIfAborted();
        return undefined;
      });
      if (choice === undefined)
        await say(`${text} The model reads that nobody knows. ${waysFor(id)}`);
      if (choice === 'again' || choice === 'happened') return { choice };
      this.#left.set(id, call);
      return { choice: 'leave' };
    });
  };

  /** Says which calls of an opened session are unknown. */
  async announce(entries: readonly Entry[]): Promise<void> {
    if (!isInterrupted(entries)) return;
    for (const call of readTranscript(entries).open)
      if (call.state === 'unknown')
        await this.#options.say(
          `${lineOf(call)}\n${STARTED} ${waysFor(call.id)} With any other prompt its outcome stays unknown, unless it is safe to repeat.`,
        );
  }

  /** The turn that follows from a command of the user. Rejects with an invalid parameter for another call. */
  async turn(
    agent: Agent,
    { name: choice, id }: Decision,
    signal: AbortSignal,
  ): Promise<AsyncIterable<StampedEvent>> {
    const open = agent.canResume ? await agent.unknown() : [];
    if (open.some((call) => call.id === id))
      return agent.resume({ signal, unknown: { [id]: { choice } } });
    const left = this.#left.get(id);
    if (!left) {
      const ids = [...open.map((call) => call.id), ...this.#left.keys()];
      const known = ids.length === 0 ? 'There is none.' : `They are: ${ids.join(', ')}.`;
      throw invalidParams(`No call "${oneLine(id, MAX_NAME)}" has an unknown outcome. ${known}`);
    }
    this.#left.delete(id);
    return agent.send(choice === 'again' ? AGAIN(lineOf(left)) : HAPPENED(lineOf(left)), {
      signal,
    });
  }
}

const STARTED = 'had started when the session broke off. It may have taken effect.';

const AGAIN = (call: string) => `Run this call again, with the same arguments: ${call}`;
const HAPPENED = (call: string) => `This call has taken effect. Do not run it again: ${call}`;

function waysFor(id: string): string {
  return `If you know that it took effect, send \`/happened ${id}\`. To run it again, send \`/again ${id}\`.`;
}

/** A call in one line. */
function lineOf({
  name,
  arguments: given,
  subagent,
}: Pick<UnknownCall, 'name' | 'arguments' | 'subagent'>): string {
  const { short = '' } = visibleArguments(given, MAX_ARGUMENTS) ?? {};
  const asker = subagent === undefined ? '' : `[${oneLine(subagent, MAX_NAME)}] `;
  return `${asker}${oneLine(name, MAX_NAME)} ${short}`.trimEnd();
}
