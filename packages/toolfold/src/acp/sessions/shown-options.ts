import type { SessionConfigOption } from '@agentclientprotocol/sdk';
import { screenOf } from '@toolfold/agent/internal/agent';
import { eventsOfSession, type Opened } from '../../app/conversations/index.ts';
import { type Next, nextOf } from '../../app/indicator/index.ts';
import { configOptions } from './config-options.ts';
import type { Host } from './host.ts';
import type { Outlet } from './outlet.ts';

interface Parts {
  readonly host: Host;
  readonly outlet: Outlet;
  readonly opened: Opened;
}

/** The options that an editor shows. That of the tools says what the next request holds of them. */
export class ShownOptions {
  readonly #parts: Parts;
  #next = '';
  /** What the editor has. Empty before it has any. */
  #shown = '';
  /** How full the context was said to be. An answer says it anew. */
  #told: string | undefined;
  #updating: Promise<void> | undefined;
  #isLate = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get now(): SessionConfigOption[] {
    const { opened, host } = this.#parts;
    return configOptions(opened, host, this.#next);
  }

  /** Counts what the next request holds. */
  async count(): Promise<Next> {
    const { set, settings, fold, conversation } = this.#parts.opened;
    const { session } = conversation;
    const { turns } = screenOf(session ? await eventsOfSession(session) : []);
    const model = settings.modelOf();
    const next = await nextOf({ turns, session, settings, roles: set.roles, model, fold: fold() });
    this.#next = `The next request: ${next.words}.`;
    return next;
  }

  /** The editor gets the options as they are now, in an answer. */
  answered(): SessionConfigOption[] {
    const { now } = this;
    this.#shown = JSON.stringify(now);
    return now;
  }

  /** Something was chosen. The answer to that has the options. */
  async chosen(): Promise<void> {
    await this.#sendUsage(await this.count());
  }

  /** The servers have changed. Never rejects. Changes that come meanwhile are sent together. */
  update(): Promise<void> {
    this.#isLate = this.#updating !== undefined;
    this.#updating ??= this.#send(true).finally(() => {
      this.#updating = undefined;
      if (this.#isLate) void this.update();
    });
    return this.#updating;
  }

  /** A turn has ended. `isCompacted`: no answer says how full the context is now. Never rejects. */
  ended(isCompacted: boolean): Promise<void> {
    this.#told = undefined;
    return this.#send(isCompacted);
  }

  /** Sends the options if they have changed, and how full the context is then if `withUsage`. */
  async #send(withUsage: boolean): Promise<void> {
    const { outlet } = this.#parts;
    try {
      const next = await this.count();
      if (this.#shown !== '' && JSON.stringify(this.now) !== this.#shown)
        await outlet.send({
          sessionUpdate: 'config_option_update',
          configOptions: this.answered(),
        });
      if (withUsage) await this.#sendUsage(next);
    } catch {
      // The next change tells it again.
    }
  }

  /** Tells how full the context will be, where no answer is about to say how full it was. */
  async #sendUsage({ tools = 0, conversation }: Next): Promise<void> {
    const { opened, outlet } = this.#parts;
    if (opened.conversation.state === 'running') return;
    const used = tools + conversation;
    const size = opened.settings.contextWindow ?? 0;
    const told = `${used} ${size}`;
    if (told === this.#told) return;
    this.#told = told;
    await outlet.send({ sessionUpdate: 'usage_update', used, size });
  }
}
