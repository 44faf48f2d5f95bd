/**
 * A stdio server for measurements of the pool: `node pool-server.ts <JSON>`. It has the tool `work`,
 * and misbehaves as the options say.
 */
import { createInterface } from 'node:readline';

/** The behaviour of a server. Chances are in 0..1, for each call. */
export interface Behaviour {
  /** Never answers anything. */
  readonly hangs?: boolean;
  /** Chance that the process ends instead of an answer. */
  readonly crashes?: number;
  /** Chance that the list of tools changes. */
  readonly changes?: number;
  /** Chance that there is no answer. */
  readonly silent?: number;
  /** Chance that the client is asked, and answers, before there is an answer. */
  readonly asks?: number;
  /** Number of further tools. */
  readonly tools?: number;
}

function serve(behaviour: Behaviour): void {
  const { hangs, crashes = 0, changes = 0, silent = 0, asks = 0, tools = 0 } = behaviour;
  let version = 0;
  let questions = 0;
  const asking = new Map<unknown, () => void>();
  const say = (message: object): void => {
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  };
  const inputSchema = { type: 'object', properties: { text: { type: 'string' } } };
  const list = (): object[] => [
    { name: 'work', description: 'Does some work.', inputSchema },
    ...Array.from({ length: tools }, (_, n) => ({
      name: `tool_${n}`,
      description: `Tool number ${n}, which does something with a text.`,
      inputSchema,
    })),
    ...(changes > 0 ? [{ name: `changing_${version}`, inputSchema }] : []),
  ];
  const answers: Readonly<Record<string, (id: unknown) => object | undefined>> = {
    initialize: () => ({
      protocolVersion: '2025-11-25',
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: 'bench', version: '1' },
    }),
    'tools/list': () => ({ tools: list() }),
    'tools/call': (id) => {
      if (Math.random() < crashes) process.exit(1);
      if (Math.random() < changes) {
        version += 1;
        say({ method: 'notifications/tools/list_changed' });
      }
      if (Math.random() < silent) return;
      const result = { content: [{ type: 'text', text: 'x'.repeat(1000) }] };
      if (Math.random() >= asks) return result;
      const question = `ask-${++questions}`;
      asking.set(question, () => say({ id, result }));
      const params = { message: 'Which?', requestedSchema: { type: 'object', properties: {} } };
      say({ id: question, method: 'elicitation/create', params });
      return;
    },
  };
  createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    if (method === undefined) {
      asking.get(id)?.();
      asking.delete(id);
      return;
    }
    const result = hangs || id === undefined ? undefined : answers[method]?.(id);
    if (result !== undefined) say({ id, result });
  });
}

if (process.argv[1] === import.meta.filename) serve(JSON.parse(process.argv[2] ?? '{}'));
