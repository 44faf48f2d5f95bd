import { type KnownTool, knownTools } from '../../app/servers/known-tools/index.ts';
import { formatCount } from '../../app/terminal/index.ts';
import { type Measurement, measure } from '../../tools/estimate/index.ts';
import { viewOf } from '../../tools/registry/index.ts';
import { strategies } from '../../tools/strategies/index.ts';
import type { ChatHost } from '../host/index.ts';
import type { StatusFacts } from '../view/index.ts';

/** Milliseconds between a change of the tools and the next count. */
const PAUSE = 500;

type Counts = Pick<StatusFacts, 'inline' | 'deferred'>;

/** What the status line shows about tools and servers. Counting happens in the background. */
export class StatusSource {
  readonly #onChange: () => void;
  #measured: Measurement | undefined;
  #tools: readonly KnownTool[] = [];
  readonly #counted = new Map<string, Counts>();
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
    const { pool, talk, questions, modelName, settings } = host;
    const state = (name: string) => pool.servers.filter(({ state }) => state === name).length;
    const [starting, failed, logins] = [state('connecting'), state('failed'), state('needs-auth')];
    const now = [
      ...(talk.state === 'running' && !questions.open ? ['working, Esc cancels'] : []),
      ...(talk.state === 'elsewhere' ? ['another process works here'] : []),
      ...(starting > 0 ? [`${formatCount(starting, 'server')} starting`] : []),
      ...(failed > 0 ? [`${formatCount(failed, 'server')} failed: /tools`] : []),
      ...(logins > 0 ? [`${formatCount(logins, 'login')} needed: /tools`] : []),
    ];
    const eager = this.#measured?.strategies.eager;
    return {
      ...{ areToolsOn: settings.areToolsOn && hasTools(host), now, ...this.#counts(host) },
      eagerTokens: eager?.total,
      model: modelName,
      role: settings.role ?? undefined,
    };
  }

  /** Tools of the role whose schemas are always sent, and those whose schemas load on demand. */
  #counts({ setUp, settings, talk }: ChatHost): Counts {
    const turn = talk.view.turns.findLast(({ start }) => start !== undefined);
    const strategy =
      turn?.request?.strategy ?? turn?.start?.strategy ?? this.#measured?.auto.strategy ?? '';
    const key = `${settings.role} ${strategy}`;
    // They are counted once, not for each frame.
    const known = this.#counted.get(key);
    if (known) return known;
    const view = viewOf(setUp.roles, settings.role ?? undefined);
    const tools = this.#tools.filter((tool) => view.allows(tool));
    const late = tools.filter(({ exposure }) => exposure === 'deferred').length;
    const deferred = deferring(strategy) ? late : 0;
    const counts = { inline: tools.length - deferred, deferred };
    this.#counted.set(key, counts);
    return counts;
  }

  #list({ pool, setUp }: ChatHost): void {
    this.#tools = knownTools(pool, setUp.settings.exposure).filter(
      ({ exposure }) => exposure !== 'hidden',
    );
    this.#counted.clear();
  }

  #later(host: ChatHost): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#list(host);
      void measure(host.fold.layer)
        .then((measured) => {
          this.#measured = measured;
          this.#list(host);
          this.#onChange();
        })
        // What cannot be counted is not shown.
        .catch(() => {});
    }, PAUSE);
    this.#timer.unref();
  }
}

/** Whether schemas load on demand under this strategy. */
function deferring(strategy: string): boolean {
  const known = Object.values(strategies).find(({ name }) => name === strategy);
  return known?.defers !== 'nothing';
}

/** Whether the role has tools at all. */
function hasTools({ setUp, settings }: ChatHost): boolean {
  return settings.role === null || setUp.roles[settings.role]?.tools !== false;
}
