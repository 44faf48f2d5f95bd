import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4Middleware,
} from '@ai-sdk/provider';
import type { Session } from '../tools/session.ts';
import type { TranscriptMessage } from '../tools/transcript.ts';
import type { Turn } from '../tools/turn.ts';
import type { CallMemory } from './call-memory.ts';
import { type ForcedChoice, forceChoice } from './forced-choice.ts';
import { Incoming } from './incoming.ts';
import type { LiveSet } from './live-set.ts';
import { notePart, type ResponseNote } from './note-part.ts';
import { toWirePrompt } from './outgoing.ts';
import { countWireRequest, type RequestTokens } from './request-tokens.ts';
import { rewriteStream } from './stream.ts';
import { toTranscript } from './transcript.ts';
import { type Unanswered, unanswered } from './unanswered.ts';
import type { Frame } from './wire-results.ts';
import { fixInputStreaming, toWireTools, type WireTool } from './wire-tools.ts';

export interface MiddlewareInputs {
  readonly session: (model: { provider: string; modelId: string }) => Session;
  readonly ownNames: readonly string[];
  readonly ownTool: (name: string) => Promise<WireTool | undefined>;
  /** The set the SDK has. */
  readonly set: LiveSet;
  readonly isUnchecked: (name: string) => boolean;
  readonly executor: string;
  /** Calls pass as they are: the app asked for what the SDK does on its own. */
  readonly isOff: boolean;
  readonly memory: CallMemory;
  readonly frame: Frame | undefined;
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
  /** Names the set had when the step began, offered or left out of it. */
  readonly isKnown: (name: string) => boolean;
  readonly note: ResponseNote | undefined;
  readonly denied: Unanswered['denied'];
  readonly signal: AbortSignal | undefined;
}

/** Puts a session between the AI SDK and a model. Keeps nothing between requests. */
export function createMiddleware(inputs: MiddlewareInputs): LanguageModelV4Middleware {
  // Keyed by the request itself: many may be under way at once.
  const pending = new WeakMap<LanguageModelV4CallOptions, Pending>();

  /** Once there is a response: what its calls are read with, after the events of what it answers. */
  const receive = (request: Pending): Incoming | undefined => {
    for (const { id, name, wireName } of request.denied) {
      const result = { error: 'denied' };
      request.turn.report(
        { id, name: wireName, input: undefined },
        { kind: 'answer', isError: true, result, target: name },
      );
    }
    if (inputs.isOff) return;
    const { set, isUnchecked, executor, memory } = inputs;
    return new Incoming({ ...request, extend: set.extend, isUnchecked, executor, memory });
  };

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
      const fresh = inputs.set.extend();
      const isKnown = (name: string) => inputs.set.isKnown(name) && !fresh.has(name);
      const turn = session.turn(transcript);
      const { system, inserts, note, tools: declared } = turn.presentation;
      const isEager = turn.epoch.strategy.defers === 'nothing';
      const forced: ForcedChoice = isEager
        ? { toolChoice: params.toolChoice }
        : await forceChoice(turn, params.toolChoice, signal);
      const offers = new Set(offered.map((tool) => tool.name));
      const definitions = forced.definition ? [...declared, forced.definition] : declared;
      // The SDK's own `activeTools` edits what is declared; deferring is what there is to protect.
      const stays = (name: string) => !isEager || offers.has(name);
      const wire = await toWireTools({
        offered,
        ownNames: inputs.ownNames.filter(stays),
        ownTool: inputs.ownTool,
        isKnown,
        declared: definitions.filter(({ name }) => stays(name)),
      });
      const position = params.prompt.length;
      const said =
        forced.text === undefined ? inserts : [...inserts, { position, text: forced.text }];
      const transformed: LanguageModelV4CallOptions = {
        ...params,
        tools: isEager ? wire : fixInputStreaming(wire, model.provider, params.providerOptions),
        toolChoice: forced.toolChoice,
        prompt: toWirePrompt(params.prompt, { system, inserts: said, frame: inputs.frame }),
      };
      const { errors, denied } = unanswered(params.prompt);
      pending.set(transformed, {
        turn,
        offered: offers,
        isKnown,
        note: isEager ? note : withWords(note, forced, errors),
        denied,
        signal,
      });
      inputs.onRequest?.({
        strategy: turn.epoch.strategy.name,
        tokens: countWireRequest(transformed, turn, model.provider, inputs.countTokens),
      });
      return transformed;
    },

    async wrapGenerate({ doGenerate, params }) {
      const result = await doGenerate();
      const request = pending.get(params);
      if (!request) return result;
      const incoming = receive(request);
      const content: LanguageModelV4Content[] = request.note ? [notePart(request.note)] : [];
      for (const part of result.content) {
        content.push(incoming && part.type === 'tool-call' ? await incoming.rewrite(part) : part);
      }
      return { ...result, content };
    },

    async wrapStream({ doStream, params }) {
      const result = await doStream();
      const request = pending.get(params);
      if (!request) return result;
      return {
        ...result,
        stream: result.stream.pipeThrough(rewriteStream(receive(request), request.note)),
      };
    },
  };
}

function hasEpoch(message: TranscriptMessage): boolean {
  return (
    message.role === 'assistant' && (message.notes ?? []).some((note) => note.epoch !== undefined)
  );
}

/** The session's note, and what else of this request must be found again in the messages. */
function withWords(
  note: ResponseNote | undefined,
  forced: ForcedChoice,
  errors: Readonly<Record<string, string>>,
): ResponseNote | undefined {
  const { text, definition } = forced;
  const all: ResponseNote = {
    ...note,
    ...(text === undefined ? {} : { inserts: [...(note?.inserts ?? []), text] }),
    ...(definition === undefined ? {} : { declared: [definition.name] }),
    ...(Object.keys(errors).length > 0 ? { errors } : {}),
  };
  return Object.keys(all).length > 0 ? all : undefined;
}
