import { setTimeout as pause } from 'node:timers/promises';
import type { SessionStore } from '@toolfold/agent/internal/sessions';
import { errorMessage } from '@toolfold/core/internal/errors.ts';
import { contextOf } from '@toolfold/core/internal/request';
import { pick } from '@toolfold/core/internal/values';
import type { Opened } from '../conversations/index.ts';
import {
  type DiffLine,
  type ExposureChange,
  ExposureFile,
  type Prompt,
  PromptReader,
  promptParts,
  toolMap,
  type WrittenExposure,
} from '../insight/index.ts';
import type { Keys } from '../models/index.ts';
import { indicatorNow, type PlanQuery, ToolPlans } from '../shown/index.ts';
import {
  MAX_INLINE,
  type WireBar,
  type WireIndicator,
  type WireMap,
  type WirePreview,
  type WirePrompt,
} from '../web-wire/index.ts';
import { gone, refused } from './requests.ts';

/** Milliseconds in which changes are read together. */
const GATHER = 100;

/** What all sessions of the page have of it. */
export interface InsightHost {
  readonly store: SessionStore;
  readonly keys: Keys;
  /** Changes of `exposure` that can be undone, by the file. */
  readonly written: Map<string, WrittenExposure[]>;
}

/** What the page shows of the requests and the tools of a session, without secrets. */
export class SessionInsight {
  readonly #opened: Opened;
  readonly #host: InsightHost;
  readonly #reader: PromptReader;
  readonly #plans: ToolPlans;
  readonly #changed: () => void;
  readonly #onError: (message: string) => void;
  #prompts: readonly Prompt[] = [];
  #bars: readonly WireBar[] = [];
  #secrets: readonly string[] = [];
  /** What a prompt was made into. */
  #known = new WeakMap<Prompt, WireBar>();
  #isStale = false;
  #looking: Promise<void> | undefined;
  readonly #file: ExposureFile;

  constructor(
    opened: Opened,
    host: InsightHost,
    on: { readonly change: () => void; readonly error: (message: string) => void },
  ) {
    this.#opened = opened;
    this.#host = host;
    this.#changed = on.change;
    this.#onError = on.error;
    this.#reader = new PromptReader(host.store);
    this.#plans = new ToolPlans({ pool: opened.pool, fold: opened.fold() }, on.change);
    const { foldWith, set } = opened;
    const { settingsFile: file, settings } = set;
    // What was written is known to all sessions of the process, also when one is opened again.
    const written = host.written.get(file) ?? [];
    host.written.set(file, written);
    this.#file = new ExposureFile({ file, exposure: settings.exposure ?? {}, foldWith, written });
  }

  /** The requests that are known, in order. What is new is read in the background. */
  get bars(): readonly WireBar[] {
    this.#isStale = true;
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    });
    return this.#bars;
  }

  async #look(): Promise<void> {
    while (this.#isStale) {
      await pause(GATHER, undefined, { ref: false });
      this.#isStale = false;
      const before = this.#bars;
      await this.read().catch((error) => this.#onError(errorMessage(error)));
      if (this.#bars !== before) this.#changed();
    }
  }

  /** Reads what is new. Resolves with all requests. Rejects as the store does. */
  async read(): Promise<readonly WireBar[]> {
    const { session } = this.#opened.conversation;
    const prompts = session ? await this.#reader.read(session) : [];
    const { keys } = this.#host;
    if (prompts === this.#prompts && keys.secrets === this.#secrets) return this.#bars;
    if (keys.secrets !== this.#secrets) this.#known = new WeakMap();
    this.#prompts = prompts;
    this.#secrets = keys.secrets;
    this.#bars = prompts.map((prompt) => {
      const { session: _, ...bar } = prompt;
      const known = this.#known.get(prompt) ?? keys.redacted(bar);
      this.#known.set(prompt, known);
      return known;
    });
    return this.#bars;
  }

  /** One request in parts. Rejects with `gone` if there is none. */
  async prompt(request: string, subagent: string): Promise<WirePrompt> {
    const bars = await this.read();
    // A subagent is named as the page knows it.
    const at = bars.findIndex(
      (bar) => String(bar.request) === request && (bar.subagent ?? '') === subagent,
    );
    const prompt = this.#prompts[at];
    const sent = prompt && this.#reader.sent(prompt);
    if (!sent) throw gone('There is no such request.', 'Load the page again.');
    const { store, keys } = this.#host;
    // What is hidden before lines are made of it is hidden also where a secret has several.
    const text = async (hash: string) => {
      const kept = await store.text(hash);
      return kept === undefined ? undefined : keys.hide(kept);
    };
    const { session: _, parts, ...rest } = await promptParts(sent, { text });
    return {
      ...rest,
      parts: parts.map(({ text: whole, diff, ...part }) => ({
        ...keys.redacted(part),
        ...(whole === undefined ? {} : { text: whole.slice(0, MAX_INLINE).toWellFormed() }),
        ...(diff ? { diff: shortened(diff) } : {}),
      })),
    };
  }

  /** The tools that are known, and the file that says how they are exposed. */
  async map(): Promise<WireMap> {
    await this.read();
    const [fold, { calls }] = [this.#opened.fold(), this.#reader];
    const tools = await toolMap({ fold, query: this.#query, calls, store: this.#host.store });
    const { settingsFile: file } = this.#opened.set;
    return this.#host.keys.redacted({ tools, file, canUndo: this.#file.canUndo });
  }

  /** What the model gets of a tool, as JSON. Throws `gone` if it is not known. */
  tool(name: string): string {
    const { toolbox } = contextOf(this.#opened.fold().layer);
    const { hide } = this.#host.keys;
    // A tool whose name holds a secret is known to the page without it.
    const entry = [...toolbox.registry.entries()].find((one) => hide(one.name) === name);
    const tool = entry && toolbox.toolOf(entry);
    if (!tool) throw gone('This tool is not known any more.', 'Look at the tools again.');
    return hide(JSON.stringify(toolbox.definitionOf(entry, tool), undefined, 2));
  }

  /** What a change of `exposure` would bring. Rejects with `invalid-config`. */
  async preview(change: ExposureChange): Promise<WirePreview> {
    const { keys } = this.#host;
    await this.read();
    const last = this.#prompts.findLast(({ subagent }) => subagent === undefined);
    const named = this.#named(change);
    const { diff, ...preview } = await this.#file.preview(named, { ...this.#query, last });
    return { ...preview, diff: shortened(keys.redacted(diff)) };
  }

  /** Writes a change. Throws `invalid-config` if the file is not the one of the preview. */
  prune(change: ExposureChange, base: string): void {
    this.#file.apply(this.#named(change), base);
  }

  /** Restores the file as it was before the last change of this process. Throws `invalid-config` if it has changed. */
  undo(): void {
    if (!this.#file.canUndo) throw refused('nothing-to-undo', 'Nothing was changed.', 'Change it.');
    this.#file.undo();
  }

  /** A name that the page knows without its secret stands for the tool that has it. */
  #named(change: ExposureChange): ExposureChange {
    const { registry } = contextOf(this.#opened.fold().layer).toolbox;
    const names = new Map(
      [...registry.entries()].map(({ name }) => [this.#host.keys.hide(name), name]),
    );
    return Object.fromEntries(
      Object.entries(change).map(([name, value]) => [names.get(name) ?? name, value]),
    );
  }

  get #query(): PlanQuery {
    const { role, strategy } = this.#opened.settings;
    return { model: this.#opened.settings.modelOf(), role, strategy };
  }

  /** The light at the input. */
  get light(): WireIndicator {
    const { conversation: talk, settings, set, fold, pool } = this.#opened;
    const { rest: parts, ...indicator } = indicatorNow({
      ...{ talk, settings, roles: set.roles, currency: set.settings.currency },
      ...{ model: settings.modelOf(), fold: fold(), plans: this.#plans, servers: pool.servers },
    });
    return { ...pick(indicator, 'areToolsOn', 'label', 'tooltip', 'source'), parts };
  }
}

/** The lines of a difference, as many characters of them as a large value may have. */
function shortened(diff: readonly DiffLine[]): readonly DiffLine[] {
  let rest = MAX_INLINE;
  const shown: DiffLine[] = [];
  for (const { mark, line } of diff) {
    if (rest <= 0) return [...shown, { mark: ' ', line: '…' }];
    shown.push({ mark, line: line.slice(0, rest).toWellFormed() });
    rest -= line.length + 1;
  }
  return shown;
}
