import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { openTerminal, Unwritten } from '../terminal/terminal.ts';
import { knownCommands, listedCommand, loadedCommand } from './command-line.ts';

test('the general help lists each command as it is', async () => {
  const streams = {
    stdin: new PassThrough(),
    stdout: new PassThrough(),
    stderr: new PassThrough(),
  };
  const terminal = openTerminal(streams, () => {});
  const { signal } = new AbortController();
  const shared = { startedAt: 0, unwritten: new Unwritten() };
  const context = { streams, terminal, signal, exitWith: () => {}, ...shared };
  for (const [name, row] of Object.entries(knownCommands)) {
    const listed = listedCommand(name, row);
    const loaded = await loadedCommand(row, context);
    const help = loaded.createHelp();
    assert.equal(help.subcommandTerm(listed), help.subcommandTerm(loaded));
    assert.equal(help.subcommandDescription(listed), loaded.summary());
    assert.equal(loaded.name(), name);
  }
});
