import type { RoutingMode, StrategySetting } from '@toolfold/config/internal/settings';
import { errorMessage, ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { strategyNames } from '@toolfold/core/internal/tool';
import { formatNumber } from '@toolfold/core/internal/values';
import { type Command, InvalidArgumentError, Option } from 'commander';

/** A path on the command line. A blank path usually comes from a variable that is not set. */
export function path(text: string): string {
  if (text.trim() !== '') return text;
  throw new InvalidArgumentError('Expected a path.');
}

/** The flag of the commands that start configured servers. */
export function configFlag(): Option {
  const what = 'an MCP client configuration (default: the usual places of MCP clients)';
  return new Option('--config <file>', what).argParser((text, before) => {
    if (before === undefined) return path(text);
    throw new InvalidArgumentError('Give one file.');
  });
}

/** The flag of the commands that also work without starting servers. */
export function catalogsFlag(): Option {
  const what = 'use captured tool lists instead of starting servers';
  return new Option('--catalogs <dir>', what).argParser(path);
}

/** The error for a file that the user has named and that cannot be read. */
export function unreadable(file: string, cause: unknown, hint = 'Check the path.'): ToolfoldError {
  return usageError(`${file} cannot be read: ${errorMessage(cause)}.`, hint, cause);
}

/** Reads a whole number of at least `least`, and at most `most`. */
export function wholeNumber(least: number, most?: number): (text: string) => number {
  return (text) => {
    const value = /^(?:0|[1-9]\d{0,14})$/.test(text) ? Number(text) : -1;
    if (value >= least && value <= (most ?? value)) return value;
    const range =
      most === undefined ? `of at least ${least}` : `from ${least} to ${formatNumber(most)}`;
    throw new InvalidArgumentError(`Expected a whole number ${range}.`);
  };
}

/** A whole number of at least 1. */
export const positiveInteger: (text: string) => number = wholeNumber(1);

/** A limit in tokens, or `none`. */
export function budget(text: string): number {
  if (text === 'none') return Number.POSITIVE_INFINITY;
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Expected a whole number above 0, or none.');
}

/** A time above 0, in seconds. */
export function seconds(text: string): number {
  const value = /^\d*\.?\d+$/.test(text) ? Number(text) : 0;
  // The upper limit is one day. Timers beyond 24 days fire at once.
  if (value > 0 && value <= 86_400) return value;
  throw new InvalidArgumentError('Expected a number of seconds above 0, at most 86,400.');
}

/** The error for a wrong use of a command: what is wrong, and what to do. */
export function usageError(message: string, hint: string, cause?: unknown): ToolfoldError {
  return new ToolfoldError('invalid-option', message, hint, cause);
}

/** The flags of each command that runs an agent. */
export interface AgentFlags {
  readonly role?: string;
  readonly strategy?: StrategySetting;
  readonly routing?: RoutingMode;
  readonly cache?: CacheFlag;
  /** `provider/name`. */
  readonly model?: string;
  readonly baseUrl?: string;
  readonly config?: string;
  /** A file of the folder in which the agent works, to read in place of its other files. It is trusted no more than these. */
  readonly projectConfig?: string;
  readonly allow?: readonly string[];
  readonly maxRounds?: number;
  /** False: no files of the project are read as instructions. */
  readonly instructions?: boolean;
  /** Undefined without a flag: the configuration decides. */
  readonly subagents?: boolean;
  /** Seconds that a first turn waits for servers without a list. */
  readonly wait?: number;
}

/** `off`: no request asks for the prompt cache. A time: how long the beginning of a conversation is kept. */
export type CacheFlag = 'auto' | 'off' | '5m' | '1h';

const CACHES: readonly CacheFlag[] = ['auto', 'off', '5m', '1h'];

export const ROUTINGS: readonly RoutingMode[] = ['off', 'preload', 'narrow'];

/** Adds the flags of `AgentFlags` to a command. */
export function withAgentFlags(command: Command): Command {
  return command
    .option(
      '--role <name>',
      'a role of the configuration or a built-in role; it sets which tools are available',
      notEmpty,
    )
    .addOption(
      new Option('--strategy <name>', 'how tools reach the model (default: auto)').choices(
        strategyNames,
      ),
    )
    .addOption(
      new Option(
        '--routing <mode>',
        'what matching words in the prompt do (default: preload)',
      ).choices(ROUTINGS),
    )
    .addOption(
      new Option(
        '--cache <how>',
        "whether requests ask for the provider's prompt cache, and for how long (default: auto)",
      ).choices(CACHES),
    )
    .option(
      '--model <provider/name>',
      "the model (default: the role's, then TOOLFOLD_MODEL)",
      notEmpty,
    )
    .option(
      '--base-url <url>',
      "the address of the model's endpoint (default: the provider's own)",
      notEmpty,
    )
    .option(
      '--config <file>',
      'an MCP client configuration (default: the usual places of MCP clients)',
      notEmpty,
    )
    .option('--allow <glob>', 'tools that run without a question; may be repeated', collectGlob)
    .option(
      '--max-rounds <n>',
      "rounds of tools in the turn (default: the configuration's, else 100)",
      positiveInteger,
    )
    .option(
      '--wait <seconds>',
      'how long a first turn waits for servers whose tools are not known from an earlier run (default: 10 for run, else 2)',
      seconds,
    )
    .option('--no-instructions', 'do not read AGENTS.md or CLAUDE.md of the project')
    .option('--subagents', 'let the model give tasks to subagents that work in parallel')
    .option(
      '--no-subagents',
      'no subagents, even if the configuration has them (default: as in the configuration)',
    );
}

function collectGlob(value: string, before: readonly string[] = []): readonly string[] {
  if (value.trim() === '')
    throw new InvalidArgumentError(
      "It is empty and allows nothing. Give a tool or a glob, such as 'github__list_*' or 'mcp:github'.",
    );
  return [...before, value];
}

/** Refuses an empty value: it usually comes from a variable that is not set. */
export function notEmpty(value: string): string {
  if (value.trim() === '') throw new InvalidArgumentError('It is empty.');
  return value;
}
