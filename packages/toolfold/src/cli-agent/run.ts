import { addAbortSignal } from 'node:stream';
import { text as readText } from 'node:stream/consumers';
import { errorMessage } from '@toolfold/core/internal/errors.ts';
import { Command } from 'commander';
import {
  type CommandContext,
  canAsk,
  importOptional,
  notEmpty,
  seconds,
  usageError,
  withAgentFlags,
} from '../terminal/index.ts';
import { NEW, type RunOptions } from './run-options.ts';

const afterHelp = `
Examples:
  toolfold run --model anthropic/claude-sonnet-4-5 "Which issues were opened today?"
  git diff | toolfold run - --role chat --timeout 60
  toolfold run --session new "Tidy up this folder"
  toolfold run --session 3f2a "Go on with the next one"
  toolfold run --model local/qwen3 --base-url http://127.0.0.1:11434/v1 "Hello"

Keys: ANTHROPIC_API_KEY, OPENAI_API_KEY, or TOOLFOLD_API_KEY for any provider.

Exit codes:
  0         the prompt is answered; servers that were not ready are named on stderr
  1         the model failed, or its answer was cut off
  2         wrong use or configuration
  4         a tool did not run: it needs approval, and nobody could be asked (--allow);
            with --session its call waits for an answer
  5         no rounds of tools were left (--max-rounds)
  6         the turn was cancelled: it took longer than --timeout
  130, 143  cancelled by Ctrl-C or by SIGTERM
  129, 131  cancelled by SIGHUP or by SIGQUIT`;

/**
 * `toolfold run`: one turn of an agent for scripts. Its text goes to stdout, everything else to
 * stderr.
 */
export function runCommand(context: CommandContext): Command {
  const command = withAgentFlags(
    new Command('run')
      .description(
        'Answers one prompt with the tools of your MCP servers. The answer goes to stdout, everything else to stderr.',
      )
      .argument(
        '[prompt]',
        'the prompt; - reads it from stdin; left out, a session goes on where it stopped',
      ),
  );
  return command
    .option(
      '--timeout <seconds>',
      'cancel the turn after this time, counted from the start of the command (default: no limit)',
      seconds,
    )
    .option(
      '--session <session>',
      'continue the session with this id, or begin one: new (default: nothing is kept)',
      notEmpty,
    )
    .option('--json', 'print every event as a line of JSON, and nothing else')
    .addHelpText('after', afterHelp)
    .action(async (prompt: string | undefined, options: RunOptions, command: Command) => {
      if (prompt === undefined && (options.session ?? NEW) === NEW)
        command.error("error: missing required argument 'prompt'");
      const text = prompt === '-' ? await readPrompt(context) : prompt;
      if (text?.trim() === '') throw usageError('The prompt is empty.', 'Give a prompt with text.');
      // Imported here, because the other commands work without the AI SDK.
      const load = () => import('./run-prompt.ts');
      const { runPrompt } = await importOptional('ai', 'toolfold run', load);
      const isAsked = canAsk(context.streams) && prompt !== '-' && options.json !== true;
      await runPrompt({ prompt: text, options, canAsk: isAsked }, context);
    });
}

async function readPrompt({ streams, signal }: CommandContext): Promise<string> {
  try {
    return await readText(addAbortSignal(signal, streams.stdin));
  } catch (error) {
    throw usageError(
      `The prompt cannot be read from stdin: ${errorMessage(error)}.`,
      'Pipe the prompt into the command, or give it as the argument.',
      error,
    );
  }
}
