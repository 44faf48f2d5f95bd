import { type Indicator, indicatorOf, ToolPlans } from '../../app/indicator/index.ts';
import { formatCount } from '../../app/terminal/index.ts';
import type { Chat } from '../opened/index.ts';

/** What the status line says of a host. */
export class StatusSource {
  readonly #host: Chat;
  readonly #plans: ToolPlans;

  constructor(host: Chat, onChange: () => void) {
    this.#host = host;
    this.#plans = new ToolPlans({ pool: host.pool, fold: host.fold() }, onChange);
  }

  /** The tokens of the schemas of these tools. Undefined where it is not known. */
  tokensOf(names: readonly string[]): number | undefined {
    return this.#plans.tokensOf(names);
  }

  get indicator(): Indicator {
    const { talk, modelName: model, settings, setUp } = this.#host;
    const { view } = talk;
    const last = view.turns.findLast(({ request }) => request !== undefined)?.request;
    const strategy = last && last.strategy !== 'none' ? last.strategy : this.#chosenStrategy;
    const { role } = settings;
    return indicatorOf(view, {
      areToolsOn: settings.areToolsOn && (role === null || setUp.roles[role]?.tools !== false),
      plan: this.#plans.of({ model, role, strategy: strategy as typeof settings.strategy }),
      model,
      role: role ?? undefined,
      currency: setUp.settings.currency,
      besides: talk.besides,
      now: this.#now,
    });
  }

  get #chosenStrategy() {
    const { modelName: model = '', settings, setUp } = this.#host;
    const of = (name: string) => setUp.models[name]?.strategy;
    return settings.strategy ?? of(model) ?? of(model.slice(model.indexOf('/') + 1));
  }

  /** What happens now. */
  get #now(): readonly string[] {
    const { pool, talk } = this.#host;
    const count = (name: string) => pool.servers.filter(({ state }) => state === name).length;
    const [starting, failed, logins] = [count('connecting'), count('failed'), count('needs-auth')];
    return [
      ...(talk.state === 'elsewhere' ? ['another process works here'] : []),
      ...(starting > 0 ? [`${formatCount(starting, 'server')} starting`] : []),
      ...(failed > 0 ? [`${formatCount(failed, 'server')} failed: /tools`] : []),
      ...(logins > 0 ? [`${formatCount(logins, 'login')} needed: /tools`] : []),
    ];
  }
}
