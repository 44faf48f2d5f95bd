import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

type Json = Record<string, unknown>;

/** A client that costs as little as possible: it writes lines and reads answers. */
export class LineClient {
  readonly child: ChildProcess;
  readonly #waiting = new Map<unknown, (answer: Json) => void>();
  #lastId = 0;

  constructor(command: readonly string[], env: NodeJS.ProcessEnv = process.env) {
    const [program = '', ...args] = command;
    this.child = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'], env });
    let pending = '';
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      const lines = (pending + text).split('\n');
      pending = lines.pop() ?? '';
      for (const line of lines) {
        const message = JSON.parse(line) as Json;
        this.#waiting.get(message.id)?.(message);
        this.#waiting.delete(message.id);
      }
    });
  }

  request(method: string, params: Json = {}): Promise<Json> {
    const id = ++this.#lastId;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    });
  }

  async begin(): Promise<Json> {
    const clientInfo = { name: 'bench', version: '1' };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    const { result } = await this.request('initialize', params);
    this.child.stdin?.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    return result as Json;
  }

  async tools(): Promise<readonly Json[]> {
    const { result } = await this.request('tools/list');
    return (result as { tools: Json[] }).tools;
  }

  /** Megabytes that the process has in memory, on Linux. */
  get megabytes(): number {
    const status = readFileSync(`/proc/${this.child.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.child.once('exit', () => resolve());
      this.child.stdin?.end();
    });
  }
}
