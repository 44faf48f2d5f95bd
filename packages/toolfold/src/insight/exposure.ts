import { existsSync, readFileSync, rmSync } from 'node:fs';
import type { AgentFold } from '@toolfold/agent/internal/options';
import { withExposure } from '@toolfold/config/internal/settings';
import { ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { measure } from '@toolfold/core/internal/estimate.ts';
import type { ExposureRules } from '@toolfold/core/internal/registry';
import { type Exposure, hashText, isStrategyName, strategies } from '@toolfold/core/internal/tool';
import { parseConfig } from '@toolfold/mcp/internal/config';
import { replaceConfig } from '../servers/index.ts';
import { explainTools, type PlanQuery } from '../shown/index.ts';
import { type DiffLine, diffOf } from './prompt-parts.ts';
import type { Prompt } from './prompts.ts';

/** Rules to set, by name or glob. `default` removes a rule. */
export type ExposureChange = Readonly<Record<string, Exposure | 'default'>>;

/** What a change of `exposure` would bring. */
export interface ExposurePreview {
  /** Tokens of tools in a first request, before and after. */
  readonly before: number;
  readonly after: number;
  /** Tokens that the session sends again once when it is opened again, because its prefix changes. */
  readonly again: number;
  /**
   * Whether the session keeps the prefix that it has frozen. Tools that are hidden are announced as gone; all else holds
   * from its next epoch on.
   */
  readonly keepsPrefix: boolean;
  /** The rules before and after, alone: the file may hold secrets. */
  readonly diff: readonly DiffLine[];
  /** Identifies the text of the file that this was computed from. */
  readonly base: string;
}

interface ExposureOptions {
  /** The file that is changed. It may not exist yet. */
  readonly file: string;
  /** The rules that hold now: those of the file, and of others. */
  readonly exposure: ExposureRules;
  /** The same tools under other rules. */
  readonly foldWith: (exposure: ExposureRules) => AgentFold;
  /** The changes that can be undone: those of all who have the file. Default: its own. */
  readonly written?: WrittenExposure[];
}

/** A text that was written, and that which it replaced: undefined if there was no file. */
export interface WrittenExposure {
  readonly before: string | undefined;
  readonly after: string;
}

interface PreviewQuery extends PlanQuery {
  /** The newest request of the session, if it has sent one. */
  readonly last: Prompt | undefined;
}

/** The rules of `exposure` in a configuration file: what a change would bring, and the change, which can be undone. */
export class ExposureFile {
  readonly #options: ExposureOptions;
  /** The rules that hold, and that the file does not have. */
  readonly #others: ExposureRules;
  /** What was written, the newest last. */
  readonly #written: WrittenExposure[];

  /** Throws `invalid-config` for a malformed file. */
  constructor(options: ExposureOptions) {
    this.#options = options;
    this.#written = options.written ?? [];
    const own = rulesIn(options.file, this.#read() ?? '{}');
    const others = Object.entries(options.exposure).filter(([glob, value]) => own[glob] !== value);
    this.#others = Object.fromEntries(others);
  }

  get canUndo(): boolean {
    return this.#written.length > 0;
  }

  /** What a change would bring. Nothing is written. Rejects with `invalid-config`, and with `unknown-role`. */
  async preview(change: ExposureChange, query: PreviewQuery): Promise<ExposurePreview> {
    const text = this.#read();
    const [old, now] = [rulesIn(this.#options.file, text ?? '{}'), this.#rulesAfter(text, change)];
    const [before, after] = [await this.#explain(old, query), await this.#explain(now, query)];
    const { last } = query;
    const isSame = before.fingerprint === after.fingerprint;
    const keepsPrefix = isSame || (last !== undefined && !declaresAnew(last.strategy));
    const held = last?.pieces.reduce(
      (sum, { label, tokens }) => sum + (TOOLS.has(label) ? tokens : 0),
      0,
    );
    return {
      ...{ before: before.tokens.total, after: after.tokens.total, keepsPrefix },
      again: last && !keepsPrefix ? last.total - (held ?? 0) + after.tokens.total : 0,
      diff: await diffOf(JSON.stringify(old), JSON.stringify(now)),
      base: hashOf(text),
    };
  }

  /** Writes a change. Throws `invalid-config` if the file is not the one of the preview: then it stays as it is. */
  apply(change: ExposureChange, base: string): void {
    const text = this.#read();
    if (hashOf(text) !== base) throw this.#changed('Look at the change again.');
    const after = this.#textAfter(text, change);
    this.#write(text, after);
    this.#written.push({ before: text, after });
  }

  /** Restores the file as it was before the last change. Throws `invalid-config` if it has changed since. */
  undo(): void {
    const last = this.#written.at(-1);
    if (!last) return;
    if (this.#read() !== last.after) throw this.#changed('Change it by hand.');
    if (last.before === undefined) rmSync(this.#options.file);
    else this.#write(last.after, last.before);
    this.#written.pop();
  }

  #read(): string | undefined {
    const { file } = this.#options;
    return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  }

  #write(before: string | undefined, after: string): void {
    const text = withoutMark(before ?? '{}');
    const bom = after.startsWith(MARK) ? MARK : '';
    replaceConfig(this.#options.file, { text, after: withoutMark(after) }, bom);
  }

  #textAfter(before: string | undefined, change: ExposureChange): string {
    const text = before ?? '{}\n';
    const rules = Object.entries(change).map(
      ([glob, value]) => [glob, value === 'default' ? undefined : value] as const,
    );
    const after = (text.startsWith(MARK) ? MARK : '') + withExposure(withoutMark(text), rules);
    const now = rulesIn(this.#options.file, after);
    if (rules.every(([glob, value]) => now[glob] === value)) return after;
    throw new ToolfoldError(
      'invalid-config',
      `${this.#options.file} cannot be changed: it has no place for the rules.`,
      'Write them under "exposure" of its toolfold block by hand.',
    );
  }

  #rulesAfter(text: string | undefined, change: ExposureChange): ExposureRules {
    return rulesIn(this.#options.file, this.#textAfter(text, change));
  }

  async #explain(own: ExposureRules, query: PlanQuery): Promise<ReturnType<typeof explainTools>> {
    const shown = Object.entries(own).filter(([glob]) => !Object.hasOwn(this.#others, glob));
    const fold = this.#options.foldWith({ ...Object.fromEntries(shown), ...this.#others });
    await measure(fold.layer).catch(() => {});
    return explainTools(fold, query);
  }

  #changed(hint: string): ToolfoldError {
    return new ToolfoldError(
      'invalid-config',
      `${this.#options.file} has changed in the meantime.`,
      hint,
    );
  }
}

/** Whether requests of a strategy declare all schemas each time. Others go on with what they have frozen. */
function declaresAnew(strategy: string): boolean {
  return !isStrategyName(strategy) || strategies[strategy].defers === 'nothing';
}

/** Labels of what a request holds of tools, before its messages. */
const TOOLS: ReadonlySet<string> = new Set([
  'inline-tools',
  'bridge-tools',
  'deferred-tools',
  'catalog',
]);

/** The mark at the beginning of a text in UTF-8 by some editors. */
const MARK = '\uFEFF';

function withoutMark(text: string): string {
  return text.startsWith(MARK) ? text.slice(MARK.length) : text;
}

function hashOf(text: string | undefined): string {
  return text === undefined ? 'no file' : hashText(text, 64);
}

function rulesIn(file: string, text: string): ExposureRules {
  return parseConfig(file, withoutMark(text), { env: {} }).settings?.exposure ?? {};
}
