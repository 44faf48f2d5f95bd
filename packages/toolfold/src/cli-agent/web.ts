import { Command, InvalidArgumentError, Option } from 'commander';
import { type CommandContext, importOptional, withAgentFlags } from '../terminal/index.ts';
import type { WebOptions } from '../web-server/index.ts';
import { askForTrust } from './chat.ts';

const afterHelp = `
Examples:
  toolfold web --model anthropic/claude-sonnet-4-5
  toolfold web -c
  toolfold web --demo

The page is for this computer alone: it listens on 127.0.0.1. From another one, forward the port:
  ssh -L 8665:127.0.0.1:8665 HOST
The address ends with a token, which is kept in the user's folder. Who has it can run your tools.
If toolfold web runs already, its page is opened.

Exit codes:
  0         a page that runs already was opened
  1         the file of sessions cannot be opened
  2         wrong use or configuration, or the port is taken
  130, 143  stopped by Ctrl-C or by SIGTERM
  129, 131  stopped by SIGHUP or by SIGQUIT`;

/** `toolfold web`: the agent on a page. */
export function webCommand(context: CommandContext): Command {
  return withAgentFlags(
    new Command('web').description(
      'The agent on a page in your browser. It shows what every turn costs. Everything is kept in sessions.',
    ),
  )
    .option('-c, --continue', 'go on with the last session of this folder')
    .addOption(
      new Option('-r, --resume <session>', 'go on with the session with this id').conflicts(
        'continue',
      ),
    )
    .option('--port <number>', 'the port on 127.0.0.1; 0 for a free one (default: 8665)', port)
    .option('--no-open', 'only print the address')
    .addOption(
      new Option(
        '--demo',
        'six MCP servers in a temporary folder, with a model that follows a script',
      ).conflicts(['model', 'baseUrl', 'config', 'continue', 'resume']),
    )
    .addHelpText('after', afterHelp)
    .action((options: WebOptions) => web(options, context));
}

async function web(options: WebOptions, context: CommandContext): Promise<void> {
  await askForTrust(options, context);
  for (const [name, load] of PACKAGES) await importOptional(name, 'toolfold web', load);
  const { serve } = await import('../web-server/serve.ts');
  await serve(options, context);
}

const PACKAGES: readonly (readonly [string, () => Promise<unknown>])[] = [
  ['ai', () => import('ai')],
  ['hono', () => import('hono')],
  ['@hono/node-server', () => import('@hono/node-server')],
];

function port(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new InvalidArgumentError('Expected a number from 0 to 65535.');
}
