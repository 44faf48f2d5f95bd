import { errorMessage, ToolfoldError } from '@toolfold/core/internal/errors.ts';
import { InvalidArgumentError, Option } from 'commander';
import { formatNumber } from './text.ts';

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
