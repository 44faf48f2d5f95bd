import { InvalidArgumentError } from 'commander';

/** A path given on the command line; a blank one mostly is a variable that somebody forgot to set. */
export function path(text: string): string {
  if (text.trim() !== '') return text;
  throw new InvalidArgumentError('Expected a path.');
}
