import type { LanguageModelV4CallOptions, LanguageModelV4Middleware, LanguageModelV4Prompt } from '@ai-sdk/provider';
import type { Session } from '../tools/session.ts';
import type { TranscriptMessage } from '../tools/transcript.ts';
import type { Turn } from '../tools/turn.ts';
import { forceChoice } from './forced-choice.ts';
import { Incoming } from './incoming.ts';
import { notePart, type ResponseNote } from './note-part.ts';
import { toWirePrompt, unansweredErrors } from './outgoing.ts';
import { countWireRequest, type RequestTokens } from './request-tokens.ts';
import { rewriteStream } from './stream.ts';
import { toTranscript } from './transcript.ts';
import type { Verdicts } from './verdicts.ts';
import { fixInputStreaming, toWireTools, type WireTool } from './wire-tools.ts';

export interface MiddlewareInputs {
  readonly session: (model: { provider: string; modelId: string }) => Session;
  readonly ownNames: readonly string[];
  readonly ownTool: (name: string) => Promise<WireTool | undefined>;
  readonly isKnown: (name: string) => boolean;
  readonly executor: string;
  readonly verdicts: Verdicts;
  readonly frame: ((toolName: string, text: string) => string | undefined) | undefined;
  readonly onRequest: ((event: RequestEvent) => void) | undefined;
  readonly countTokens: (text: string) => number;
}

/** One request as it is sent. */
export interface RequestEvent {
  readonly strategy: string;
  readonly tokens: RequestTokens;
}

/** One request on its way: what its response needs to be read with. */
interface Pending {
  readonly turn: Turn;
  readonly offered: ReadonlySet<string>;
  readonly note: ResponseNote | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Puts a session between the AI SDK and a model. Keeps nothing between requests. */
export function createMiddleware(inputs: MiddlewareInputs): LanguageModelV4Middleware {
  // Keyed by the request itself: many may be under way at once.
  const pending = new WeakMap<LanguageModelV4CallOptions, Pending>();

  const incoming = ({ turn, offered, signal }: Pending) =>
    new Incoming({ turn, offered, signal, isKnown: inputs.isKnown, executor: inputs.executor, verdicts: inputs.verdicts });

  return {
    specificationVersion: 'v4',

    async transformParams({ params, model }) {
      const transcript = toTranscript(params.prompt);
      const offered = params.tools ?? [];
      // A request without tools is not ours, unless it continues a conversation that has them.
      if (offered.length === 0 && !transcript.some(hasEpoch)) return params;
      const session = inputs.session(model);
      const signal = params.abortSignal;
      await session.prepare(transcript, signal ? { signal } : {});
      const turn = session.turn(transcript);
      const names = new Set(offered.map((tool) => tool.name));
      const { system, inserts, note, tools: declared } = turn.presentation;
      const isEager = turn.epoch.strategy.defers === 'nothing';
      const choice = isEager ? { toolChoice: params.toolChoice } : await forceChoice(turn, params.toolChoice, signal);
      const definitions = choice.definition ? [...declared, choice.definition] : declared;
      const ownTools = new Map(
        await Promise.all(inputs.ownNames.map(async (name) => [name, names.has(name) ? undefined : await inputs.ownTool(name)] as const)),
      );
      const wire = toWireTools({
        offered,
        ownNames: inputs.ownNames,
        ownTool: (name) => ownTools.get(name),
        isKnown: inputs.isKnown,
        declared: definitions,
      });
      const said = choice.text === undefined ? inserts : [...inserts, { position: params.prompt.length, text: choice.text }];
      const transformed: LanguageModelV4CallOptions = {
        ...params,
        tools: isEager ? wire : fixInputStreaming(wire, model.provider, params.providerOptions),
        toolChoice: choice.toolChoice,
        prompt: toWirePrompt(params.prompt, { system, inserts: said, ...(inputs.frame ? { frame: inputs.frame } : {}) }),
      };
      const responseNote = isEager ? note : noteFor(note, params.prompt, choice.text, choice.definition?.name);
      pending.set(transformed, { turn, offered: names, note: responseNote, signal });
      inputs.onRequest?.({
        strategy: turn.epoch.strategy.name,
        tokens: countWireRequest(transformed, turn, inputs.countTokens),
      });
      return transformed;
    },

    async wrapGenerate({ doGenerate, params }) {
      const result = await doGenerate();
      const request = pending.get(params);
      if (!request) return result;
      const content = [...result.content];
      if (request.turn.epoch.strategy.defers !== 'nothing') {
        const calls = incoming(request);
        for (const [index, part] of content.entries()) {
          if (part.type === 'tool-call') content[index] = await calls.rewrite(part);
        }
      }
      return { ...result, content: request.note ? [notePart(request.note), ...content] : content };
    },

    async wrapStream({ doStream, params }) {
      const result = await doStream();
      const request = pending.get(params);
      if (!request) return result;
      const isEager = request.turn.epoch.strategy.defers === 'nothing';
      if (isEager && !request.note) return result;
      const calls = isEager ? undefined : incoming(request);
      return { ...result, stream: result.stream.pipeThrough(rewriteStream(calls, request.note)) };
    },
  };
}

function hasEpoch(message: TranscriptMessage): boolean {
  return message.role === 'assistant' && (message.notes ?? []).some((note) => note.epoch !== undefined);
}

function noteFor(
  note: ResponseNote | undefined,
  prompt: LanguageModelV4Prompt,
  text: string | undefined,
  declared: string | undefined,
): ResponseNote | undefined {
  const errors = unansweredErrors(prompt);
  const all: ResponseNote = {
    ...note,
    ...(text === undefined ? {} : { inserts: [...(note?.inserts ?? []), text] }),
    ...(declared === undefined ? {} : { declared: [declared] }),
    ...(Object.keys(errors).length > 0 ? { errors } : {}),
  };
  return Object.keys(all).length > 0 ? all : undefined;
}
