import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { errorMessage } from '@toolfold/core/internal/errors.ts';
import { SUPERVISOR_SCRIPT } from './supervisor-script.ts';

export interface SupervisorOptions {
  /** The mark in the environment of all servers of this process. */
  readonly mark: string;
  /** Called once if the supervisor cannot be started, with a text for people. */
  readonly onUnavailable: (message: string) => void;
  /** Path of a POSIX shell. Default: `/bin/sh`. */
  readonly shell?: string;
}

/**
 * A small process that ends the servers when this process has ended, also by SIGKILL. It notices the
 * end because it reads from a pipe that only this process holds. It has its own session, so Ctrl-C
 * does not reach it, and it does not keep the event loop alive. It stays until this process ends.
 */
export class Supervisor {
  readonly #options: SupervisorOptions;
  #child: ChildProcess | undefined;
  #isReported = false;

  constructor(options: SupervisorOptions) {
    this.#options = options;
  }

  /** The process id of the supervisor; `undefined` if none runs. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Starts the supervisor unless it runs, and tells it the groups that run already. Does not throw. */
  start(groups: Iterable<number>): void {
    if (this.#child !== undefined) return;
    const { mark, shell = '/bin/sh' } = this.#options;
    const { PATH } = process.env;
    try {
      const child = spawn(shell, ['-c', SUPERVISOR_SCRIPT, 'toolfold-supervisor', mark], {
        // Its own session. The folder of this process stays removable.
        detached: true,
        cwd: '/',
        // Without the marks, so that no supervisor ends another.
        env: PATH === undefined ? {} : { PATH },
        stdio: ['pipe', 'ignore', 'ignore'],
      });
      this.#child = child;
      child.once('error', (error) => this.#failed(error));
      child.once('exit', () => {
        if (this.#child === child) this.#child = undefined;
      });
      // The pipe fails when the supervisor has ended, which `exit` reports.
      child.stdin.on('error', () => {});
      if (child.stdin instanceof Socket) child.stdin.unref();
      child.unref();
    } catch (error) {
      this.#failed(error);
    }
    for (const group of groups) this.add(group);
  }

  /** The supervisor ends this group when this process has ended. */
  add(group: number): void {
    this.#child?.stdin?.write(`+ ${group}\n`);
  }

  remove(group: number): void {
    this.#child?.stdin?.write(`- ${group}\n`);
  }

  #failed(error: unknown): void {
    this.#child = undefined;
    if (this.#isReported) return;
    this.#isReported = true;
    this.#options.onUnavailable(
      `The supervisor of MCP servers did not start (${errorMessage(error)}). The servers work. If this process is ended by SIGKILL, they may keep running.`,
    );
  }
}
