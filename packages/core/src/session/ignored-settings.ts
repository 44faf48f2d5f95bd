import { nearestTool } from '../near-tool.ts';
import type { Role, Toolbox } from '../registry/index.ts';
import type { SettingsCheck } from '../request/index.ts';
import { type StrategyName, strategies } from '../tool/index.ts';
import {
  type Addressed,
  formatCount,
  matchesTool,
  mayMatchIn,
  mayMatchTool,
  mustMatch,
  oncePerKey,
  plainLine,
} from '../values/index.ts';

export interface IgnoredSettingsOptions {
  readonly toolbox: Toolbox;
  readonly exposure: Readonly<Record<string, string>>;
  readonly roles: Readonly<Record<string, Role>>;
  /** How many tools could be deferred in some strategy, whatever the role. */
  readonly countDeferrable: () => number;
  readonly warn: (text: string) => void;
}

/** A glob, and where it was given. */
interface GivenGlob {
  readonly glob: string;
  readonly where: string;
  /** The glob denies: it matches as `mayMatchTool` does. */
  readonly denies: boolean;
  /** It is the name of one tool. */
  readonly isName?: boolean;
}

/** The most globs that a layer remembers to have judged. Sessions may bring new ones all the time. */
const KEPT = 10_000;

/** Warns, once each, about settings of the app that have no effect. */
export class IgnoredSettings implements SettingsCheck {
  readonly #options: IgnoredSettingsOptions;
  readonly #say: (key: string, text: string) => void;
  readonly #known = new Set<string>();
  #pending: GivenGlob[] = [];
  #judgedAt = -1;
  readonly checkDeclared: SettingsCheck['checkDeclared'];
  /** Names that only the host knows, such as tools of the provider. */
  #others: readonly string[] = [];

  constructor(options: IgnoredSettingsOptions) {
    this.#options = options;
    this.#say = oncePerKey(options.warn);
    this.checkDeclared = refusedWarnings(options.warn);
    for (const [glob, exposure] of Object.entries(options.exposure))
      this.#add('exposure', [glob], exposure === 'hidden');
    for (const [name, { tools }] of Object.entries(options.roles))
      if (tools) this.#add(`the role "${plainLine(name, 80)}"`, tools, false);
  }

  /** Tools that the layer does not have, which globs may name. */
  setHostNames(names: readonly string[]): void {
    this.#others = names;
  }

  /** Adds the globs of a session. */
  addGlobs({ only, without }: Parameters<SettingsCheck['addGlobs']>[0]): void {
    if (only) this.#add('only', only, false);
    if (without) this.#add('without', without, true);
  }

  /** Adds names of tools that may come later. */
  addNames(where: string, names: readonly string[]): void {
    this.#add(where, names, false, true);
  }

  /** Called when an epoch begins. `wanted`: the strategy that was asked for. `made`: the other one of a stored state. */
  checkStrategy(wanted: StrategyName | 'auto', made?: string): void {
    if (made !== undefined)
      this.#say(
        `state ${made} ${wanted}`,
        `a conversation that was stored under the strategy "${plainLine(made, 80)}" goes on under "${wanted}". Each such conversation sends its prompt uncached once. Pass \`onMismatch: "new-epoch"\` where this is meant, or "error" to refuse them.`,
      );
    if (wanted === 'auto') return;
    const marked = this.#markedNames();
    if (strategies[wanted].defers === 'nothing') {
      if (marked.length > 0)
        this.#say(
          'eager',
          `${marked[0]} is marked as deferred, and the strategy "${wanted}" declares every tool. Remove the mark, or leave out \`strategy\`.`,
        );
      return;
    }
    if (this.#defersNothing()) {
      const own = this.#options.toolbox.registry.appTools.size;
      const why =
        own === 0 ? 'there are no tools' : `all ${formatCount(own, 'tool')} stay declared`;
      this.#say(
        'nothing',
        `the strategy "${wanted}" was asked for, and nothing is deferred: ${why}. explain() says why each tool stays; remove the marks and rules that keep them, or leave out \`strategy\`.`,
      );
    }
  }

  /** Judges the globs that can be judged now: no group that they could match has yet to list its tools. */
  checkGlobs(): void {
    const { toolbox, warn } = this.#options;
    if (this.#pending.length === 0 || this.#judgedAt === toolbox.version) return;
    this.#judgedAt = toolbox.version;
    const entries = [...toolbox.registry.entries()];
    const unlisted = [...toolbox.registry.groups.values()].filter(
      ({ group, listed }) => listed.length === 0 && !toolbox.isLoaded(group.groupId),
    );
    this.#pending = this.#pending.filter(({ glob, where, denies, isName = false }) => {
      const matches = denies ? mayMatchTool : matchesTool;
      const isNamed = (name: string) => matches(glob, alone(name));
      if (entries.some((entry) => matches(glob, entry)) || this.#others.some(isNamed)) return false;
      const mayCome = unlisted.some(({ group, slug }) =>
        mayMatchIn(glob, group.groupId, group.prefix === false ? '' : `${slug}__`),
      );
      if (mayCome) return true;
      const given = `the ${isName ? 'name' : 'glob'} "${plainLine(glob, 120)}" in ${where} matches no tool.`;
      const groups = isName ? [] : [...toolbox.registry.groups.keys()];
      const near = nearestTool(glob, [...entries, ...this.#others.map(alone)], groups);
      warn(
        near === undefined
          ? `${given} Correct it or remove it; explain() lists the names of the tools.`
          : `${given} Did you mean "${plainLine(near, 120)}"?`,
      );
      return false;
    });
  }

  #add(where: string, globs: readonly string[], denies: boolean, isName = false): void {
    if (!mustMatch(globs)) return;
    for (const glob of globs) {
      const key = `${where} ${glob}`;
      if (glob === '*' || this.#known.has(key) || this.#known.size >= KEPT) continue;
      this.#known.add(key);
      this.#pending.push({ glob, where, denies, isName });
      this.#judgedAt = -1;
    }
  }

  /** The own tools that are marked as deferred, and not by a rule. */
  #markedNames(): string[] {
    const { toolbox } = this.#options;
    return [...toolbox.registry.appTools.values()]
      .filter((entry) => entry.exposure === 'deferred' && !entry.appTool?.inlineBecause)
      .filter((entry) => toolbox.listedPlacement(entry).exposure === 'deferred')
      .map(({ name }) => `"${name}"`);
  }

  /** Whether no tool and no group could be deferred, whatever the role. */
  #defersNothing(): boolean {
    const { toolbox, countDeferrable } = this.#options;
    const isOpen = [...toolbox.registry.groups.values()].some(({ listed }) => listed.length === 0);
    return countDeferrable() === 0 && !isOpen;
  }
}

function alone(name: string): Addressed {
  return { name, bare: name, groupId: undefined };
}

/** Names in one warning. */
const MOST_NAMES = 5;

const INSTEAD = {
  deferred: 'It is deferred.',
  'left out':
    'It is left out, because this strategy has no other way to call a tool: leave out `strategy`, or use "dispatch".',
} as const;

/**
 * Warns about tools that an endpoint refuses, each once, and about declared tools whose description it
 * may refuse.
 */
function refusedWarnings(warn: (text: string) => void): SettingsCheck['checkDeclared'] {
  const say = oncePerKey(warn);
  const long = new Set<string>();
  return (accepts, refused, declared) => {
    for (const { name, why, instead } of refused)
      say(`${name} ${why}`, `"${name}" is not declared: ${why}. ${INSTEAD[instead]}`);
    const { by, descriptionLength: most = Number.POSITIVE_INFINITY } = accepts;
    const fresh = declared.filter(
      ({ name, description = '' }) => description.length > most && !long.has(`${by} ${name}`),
    );
    if (fresh.length === 0) return;
    for (const { name } of fresh) long.add(`${by} ${name}`);
    const names = fresh.slice(0, MOST_NAMES).map(({ name }) => `"${plainLine(name, 80)}"`);
    const more = fresh.length > MOST_NAMES ? ` and ${fresh.length - MOST_NAMES} more` : '';
    warn(
      `${by} may refuse tools with a description of more than ${most} characters: ${names.join(', ')}${more}. Shorten it if a request fails.`,
    );
  };
}
