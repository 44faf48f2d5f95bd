/**
 * A server for chat completions. Its answers are scripted, and a real engine processes its prompts.
 */
import { type ModelServer, type Reply, startModelServer } from '@toolfold/testing';
import { type ChatRequest, renderAnswer, renderPrompt } from './chat-template.ts';
import type { Engine, Prefill } from './engine.ts';

/** The figures of one request. */
export interface Spent extends Prefill {
  /** Tokens of the scripted answer. A real model would have to generate them. */
  readonly written: number;
}

export interface Endpoint {
  readonly server: ModelServer;
  /** The figures of each request, in order. */
  readonly spent: readonly Spent[];
  /** Tokens of the request that was refused because it does not fit the window. */
  readonly refused: () => number | undefined;
}

export async function startEndpoint(engine: Engine, replies: readonly Reply[]): Promise<Endpoint> {
  await engine.clear();
  const spent: Spent[] = [];
  let refused: number | undefined;
  const server = await startModelServer({
    script: async ({ body }) => {
      const tokens = engine.tokenize(renderPrompt(body as unknown as ChatRequest));
      const reply = replies[spent.length];
      if (tokens.length > engine.window) {
        refused = tokens.length;
        return { error: { status: 400, body: `${refused} tokens do not fit ${engine.window}.` } };
      }
      if (!reply) throw new Error('The script has nothing more to say.');
      const written = engine.tokenize(textOf(reply)).length;
      spent.push({ ...(await engine.prefill(tokens)), written });
      return reply;
    },
  });
  return { server, spent, refused: () => refused };
}

function textOf({ text = '', calls = [] }: Reply): string {
  const written = calls.map((call) => ({
    function: { name: call.name, arguments: JSON.stringify(call.arguments) },
  }));
  return renderAnswer({ content: text, tool_calls: written });
}
