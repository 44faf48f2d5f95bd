import { type Measurement, measure } from '../../../tools/estimate/index.ts';
import { quantity } from '../../terminal/index.ts';
import type { ChatHost } from '../host/index.ts';
import type { StatusFacts } from '../view/index.ts';

/** Milliseconds between a change of the tools and the next count. */
const PAUSE = 500;

/** What the status line shows about tools and servers. Counting happens in the background. */
export class StatusSource {
  readonly #onChange: () => void;
  #measured: Measurement | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** Counts the tools now, and again when they change. */
  follow(host: ChatHost): void {
    host.pool.onChange(() => this.#later(host));
    this.#later(host);
  }

  facts(host: ChatHost): StatusFacts {
    const { pool, talk, questions, areToolsOn, modelName, settings } = host;
    const state = (name: string) => pool.servers.filter(({ state }) => state === name).length;
    const [starting, failed, logins] = [state('connecting'), state('failed'), state('needs-auth')];
    const now = [
      ...(talk.state === 'running' && !questions.open ? ['working, Esc cancels'] : []),
      ...(talk.state === 'elsewhere' ? ['another process works here'] : []),
      ...(starting > 0 ? [`${quantity(starting, 'server')} starting`] : []),
      ...(failed > 0 ? [`${quantity(failed, 'server')} failed: /tools`] : []),
      ...(logins > 0 ? [`${quantity(logins, 'login')} needed: /tools`] : []),
    ];
    const measured = this.#measured;
    const all = measured?.totals.tools ?? 0;
    const strategy =
      talk.view.turns.at(-1)?.request?.strategy ?? talk.view.turns.at(-1)?.start?.strategy;
    const known =
      measured && strategy !== undefined && Object.hasOwn(measured.strategies, strategy)
        ? measured.strategies[strategy as keyof Measurement['strategies']]
        : undefined;
    const deferred = known && strategy === 'eager' ? 0 : all;
    return {
      ...{ areToolsOn, deferred, now },
      inline: all - deferred,
      eagerTokens: measured?.strategies.eager.total,
      model: modelName,
      role: settings.role ?? undefined,
    };
  }

  #later(host: ChatHost): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void measure(host.fold.layer)
        .then((measured) => {
          this.#measured = measured;
          this.#onChange();
        })
        // What cannot be counted is not shown.
        .catch(() => {});
    }, PAUSE);
    this.#timer.unref();
  }
}
