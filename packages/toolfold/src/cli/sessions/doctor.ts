import { checkSessions, type Finding } from '@toolfold/agent/internal/sessions';
import { Command } from 'commander';
import { sessionsFolder } from '../../app/sessions/index.ts';
import {
  type CommandContext,
  exitCode,
  json as jsonText,
  type Terminal,
} from '../../app/terminal/index.ts';

interface DoctorOptions {
  readonly repair?: boolean;
  readonly json?: true;
}

const COLOURS: Readonly<Record<Finding['state'], Parameters<Terminal['style']>[0]>> = {
  ok: 'green',
  note: 'dim',
  problem: 'red',
  repaired: 'yellow',
};

const afterHelp = `
--repair changes only what loses nothing: permissions, and rows that no session has.

Examples:
  toolfold sessions doctor
  toolfold sessions doctor --repair

Exit codes:
  0  nothing is wrong, or it was repaired
  1  there are problems
  2  wrong use`;

/** `toolfold sessions doctor`: exit code 1 if there are problems. */
export function doctorCommand({ terminal, exitWith }: CommandContext): Command {
  return new Command('doctor')
    .summary('check the file of sessions')
    .description('Checks the file of sessions, its folder and its content.')
    .option('--repair', 'repair what can be repaired without a loss')
    .option('--json', 'print one JSON object')
    .addHelpText('after', afterHelp)
    .action(async ({ repair = false, json }: DoctorOptions) => {
      const folder = sessionsFolder();
      const findings = await checkSessions({ folder, repair });
      terminal.out(json ? jsonText({ folder, findings }, 2) : findingsText(findings, terminal));
      exitWith(findings.some(({ state }) => state === 'problem') ? exitCode.failed : exitCode.ok);
    });
}

function findingsText(findings: readonly Finding[], { style }: Pick<Terminal, 'style'>): string {
  const checks = Math.max(...findings.map(({ check }) => check.length));
  const states = Math.max(...findings.map(({ state }) => state.length));
  return findings
    .map(({ check, state, text, remedy }) => {
      const coloured = style(COLOURS[state], state.padEnd(states));
      return `${check.padEnd(checks)}  ${coloured}  ${text}${remedy === undefined ? '' : ` ${remedy}`}\n`;
    })
    .join('');
}
