import type { ToolRequest } from '@toolfold/core/internal/calls';
import type { Session } from '@toolfold/core/internal/session';
import { declarable, STRICT, type ToolDefinition } from '@toolfold/core/internal/tool';
import { isActive, type Offer, type TranscriptMessage } from '@toolfold/core/internal/transcript';
import { mostSimilar, oneLine } from '@toolfold/core/internal/values';
import type { CachePlan } from '../caching/index.ts';
import { type ResponseNote, type ResultRules, withSplitRounds } from '../messages/index.ts';
import {
  checkWireTools,
  fixInputStreaming,
  type LanguageModelV4CallOptions,
  type NativeWriter,
  Placing,
  streamsInput,
  toWireTools,
  type WireTool,
  withStub,
  writerOf,
} from '../protocol/index.ts';
import type { LiveSet } from '../tool-set/index.ts';
import { checkForced, type ForcedChoice, forceChoice } from './forced-choice.ts';
import type { LastRequest, MessageHistory } from './last-request.ts';
import { type RequestEvent, requestEvent } from './request-event.ts';
import { countWireRequest, visibleNames } from './request-tokens.ts';
import {
  type ChoosePreload,
  completeNote,
  type Notice,
  type RequestTail,
  tailOf,
  type Unanswered,
  unanswered,
} from './tail.ts';
import { type OutgoingOptions, wirePrompt } from './wire-prompt.ts';
import type { ViewResults } from './wire-results.ts';

export interface ModelId {
  readonly provider: string;
  readonly modelId: string;
}

export interface RequestInputs {
  /** `refused`: the reason why the endpoint has just refused tools in mid-conversation. */
  readonly session: (model: ModelId, refused?: string) => Session;
  readonly ownNames: readonly string[];
  readonly ownTool: (name: string) => Promise<WireTool | undefined>;
  /** Whether the tool has its own `toModelOutput`. */
  readonly hasOwnOutput: (toolName: string) => boolean;
  /** The tool set of the SDK. */
  readonly set: LiveSet;
  /** Whether loads are answered inside the model call. */
  readonly answersLoads: boolean;
  readonly viewOf: ViewResults;
  /** Which files the results of a model's requests may hold; undefined if they stay as they are. */
  readonly rulesOf: (model: ModelId) => ResultRules | undefined;
  readonly preload: ChoosePreload | undefined;
  readonly notice: Notice | undefined;
  readonly onRequest: ((event: RequestEvent) => void) | undefined;
  readonly warn: (text: string) => void;
  readonly warnOnce: (key: string, text: string) => void;
  readonly countTokens: (text: string) => number;
  readonly history: MessageHistory | undefined;
  /** What a request asks of the prompt cache. */
  readonly planCache: (params: LanguageModelV4CallOptions, model: ModelId) => CachePlan;
  readonly last: LastRequest;
}

/** One pending request: everything that is needed to read its response. */
export interface Pending {
  readonly turn: ToolRequest;
  /** The tools of the SDK's request, by name. */
  readonly offered: ReadonlyMap<string, WireTool>;
  /** Whether the set had the name when the step began, offered or not. */
  readonly isKnown: (name: string) => boolean;
  readonly note: ResponseNote | undefined;
  readonly refused: Unanswered['refused'];
  readonly signal: AbortSignal | undefined;
  /** The writer of appended schemas, if the strategy appends schemas. */
  readonly writer: NativeWriter | undefined;
  /** The request of the SDK, or its continuation inside the model call. */
  readonly original: LanguageModelV4CallOptions;
  /** The mark of the tool set when the step began. */
  readonly mark: number;
}

/** What a request has from the one before it. */
export interface PreviousRequest {
  /** The mark of the tool set when the step began. By default it begins now. */
  readonly mark?: number;
  /** The reason why the endpoint has just refused tools in mid-conversation. */
  readonly refused?: string;
}

interface BuiltRequest {
  readonly params: LanguageModelV4CallOptions;
  readonly pending: Pending;
}

/** Builds the request that is sent from the SDK's request. Undefined if the request has nothing to do with the fold. */
export async function buildRequest(
  inputs: RequestInputs,
  original: LanguageModelV4CallOptions,
  model: ModelId,
  { mark = inputs.set.mark(), refused }: PreviousRequest = {},
): Promise<BuiltRequest | undefined> {
  const { last, countTokens } = inputs;
  let params = original;
  const { prompt, transcript } = last.read(original.prompt, inputs.history, () => {
    params = withSplitRounds(original, inputs.set.isBridge);
    return params.prompt;
  });
  const offered = params.tools ?? [];
  // A request without tools is passed on unchanged, unless it continues a conversation with tools.
  if (offered.length === 0 && !transcript.some(hasEpoch)) return;
  const session = inputs.session(model, refused);
  const signal = params.abortSignal;
  const offers = new Map(offered.map((tool) => [tool.name, tool]));
  // Determine the offer before loading: a tool that becomes known by loading was not left out by the app.
  const offer = offerOf(inputs.set, inputs.ownNames, offers, {
    mark,
    usesBridges: inputs.answersLoads,
  });
  const isKnown = (name: string) => inputs.set.isKnown(name, mark);
  const reading = { offer, read: last.said.read };
  await session.prepare(transcript, { ...reading, ...(signal ? { signal } : {}) });
  inputs.set.extend();
  const turn = session.turn(transcript, reading);
  const { epoch, presentation } = turn;
  const writer = writerOf(epoch.append?.id);
  const isEager = epoch.strategy.defers === 'nothing';
  warnOfUnknownChoice(inputs, turn, params.toolChoice, offers);
  const appends = (tool: ToolDefinition) => appendable(turn, writer, tool);
  if (isEager) checkForced(turn, params.toolChoice);
  const forced: ForcedChoice = isEager
    ? { toolChoice: params.toolChoice }
    : await forceChoice(turn, params, model, appends);
  const tail = await tailOf(inputs, params, turn, forced, appends);
  // Answers to the calls of this request know these texts, and do not repeat a schema in them.
  presentation.inserts.push(...tail.texts.map((text) => ({ position: prompt.length, text })));
  const parts = { turn, writer, forced, offers, isKnown, mark, model };
  const tools = withStub(await wireTools(inputs, params, parts), params.prompt, model);
  const written = { turn, writer, forced, tail, tools, model };
  const wire = wirePrompt(prompt, outgoing(inputs, params, prompt.length, written), last.wire);
  last.wire = wire;
  const transformed: LanguageModelV4CallOptions = {
    ...params,
    tools,
    toolChoice: forced.toolChoice,
    prompt: wire.wire,
    ...(writer?.providerOptions
      ? { providerOptions: writer.providerOptions(params.providerOptions) }
      : {}),
  };
  const { errors, outputs, refused: others } = unanswered(prompt, inputs.hasOwnOutput);
  // In `eager` nothing is frozen: only those who follow requests want to know where an epoch began.
  const note = isEager && !inputs.onRequest ? undefined : presentation.note;
  if (inputs.onRequest) {
    const declared = forced.definition?.name;
    const messages = last.sent.messages.of(transformed.prompt);
    const counted = countWireRequest(
      transformed,
      turn,
      model,
      countTokens,
      last.sent,
      messages,
      declared,
    );
    const facts = {
      preloaded: tail.names,
      plan: inputs.planCache(transformed, model),
      counted,
      labels: wire.labels,
      refused,
      messages,
      last: last.sent,
    };
    const sent = { params: transformed, turn, session, ...facts };
    inputs.onRequest(requestEvent(sent));
  }
  return {
    params: { ...transformed, prompt: wire.sendable(params.prompt) },
    pending: {
      turn,
      offered: offers,
      isKnown,
      note:
        isEager && tail.texts.length === 0 && Object.keys(outputs).length === 0
          ? note
          : completeNote(note, forced, tail, { errors, outputs }),
      refused: others,
      signal,
      writer,
      original,
      mark,
    },
  };
}

/** Warns, once for each name, where the app forces a tool that there is not. */
function warnOfUnknownChoice(
  { set, warnOnce }: RequestInputs,
  turn: ToolRequest,
  choice: LanguageModelV4CallOptions['toolChoice'],
  offered: Pending['offered'],
): void {
  if (choice?.type !== 'tool') return;
  const { toolName: name } = choice;
  const isThere =
    offered.has(name) || set.isKnown(name) || turn.lookUp(name) || turn.bridgeKind(name);
  if (isThere || turn.mayAppear(name)) return;
  const near = mostSimilar(name, Object.keys(set.tools));
  const remedy = near === undefined ? 'Name a tool of the fold.' : `Did you mean "${near}"?`;
  warnOnce(
    `toolChoice ${name}`,
    `\`toolChoice\` names "${oneLine(name, 80)}", and there is no such tool: a provider refuses the request, or the model calls another tool. ${remedy}`,
  );
}

interface RequestParts {
  readonly turn: ToolRequest;
  readonly writer: NativeWriter | undefined;
  readonly forced: ForcedChoice;
}

async function wireTools(
  inputs: RequestInputs,
  params: LanguageModelV4CallOptions,
  parts: RequestParts &
    Pick<Pending, 'isKnown' | 'mark'> & { offers: Pending['offered']; model: ModelId },
): Promise<WireTool[]> {
  const { turn, writer, forced, offers, isKnown, mark, model } = parts;
  const { tools: declared, deferred } = turn.presentation;
  const isEager = turn.epoch.strategy.defers === 'nothing';
  const definitions = forced.definition ? [...declared, forced.definition] : declared;
  // In `eager`, the SDK's `activeTools` changes the declared tools. In other strategies declared tools
  // stay, except a provider's tool that was not active at the start: Toolfold cannot refuse its calls.
  const stays = (name: string) =>
    offers.has(name) || (!isEager && (isKnown(name) || isActive(turn.epoch.active, name)));
  const wire = await toWireTools({
    offered: params.tools ?? [],
    ownNames: inputs.ownNames.filter(stays),
    ownTool: inputs.ownTool,
    unknown: inputs.set.unknownOf([...offers.keys(), ...inputs.ownNames], mark),
    declared: definitions.filter(({ name }) => stays(name)),
    bridge: writer?.bridge,
  });
  checkWireTools(wire, new Set(inputs.ownNames), turn.epoch.accepts);
  if (isEager) return wire;
  // Deferred tools come last, so that no cache marker is set on them. Tools that are on the wire
  // already, for example those that the app added, are not declared twice.
  const taken = new Set(wire.map((tool) => tool.name));
  const later = deferred
    .filter(({ name }) => !taken.has(name))
    .flatMap((tool) => writer?.deferred?.(tool) ?? []);
  return fixInputStreaming([...wire, ...later], model.provider, params.providerOptions);
}

/** How the prompt is written. `position`: the number of its messages. */
function outgoing(
  { viewOf, rulesOf, onRequest }: RequestInputs,
  { providerOptions }: LanguageModelV4CallOptions,
  position: number,
  parts: RequestParts & {
    readonly tail: RequestTail;
    readonly tools: readonly WireTool[];
    readonly model: ModelId;
  },
): OutgoingOptions {
  const { turn, writer, tail, tools, model } = parts;
  const { system, inserts } = turn.presentation;
  const visible = visibleNames(tools);
  const deliveries = turn.presentation.deliveries.map((delivery) => ({
    ...delivery,
    tools: delivery.tools.filter(({ name }) => !visible.has(name)),
  }));
  const appended = tail.appended.length > 0 ? [{ position, tools: tail.appended }] : [];
  const placing =
    writer && new Placing(writer, [...deliveries, ...appended], streamsInput(providerOptions));
  const providerTools = new Set(
    tools.flatMap(({ type, name }) => (type === 'provider' ? [name] : [])),
  );
  return {
    system,
    inserts,
    viewOf,
    rules: rulesOf(model),
    providerTools,
    placing,
    kindOf: onRequest && ((name) => turn.bridgeKind(name)),
  };
}

/** The form of a tool that this request can append without a load; undefined if it cannot. */
function appendable(
  { epoch, presentation }: ToolRequest,
  writer: NativeWriter | undefined,
  tool: ToolDefinition,
): ToolDefinition | undefined {
  const shape = declarable(tool, epoch.accepts ?? STRICT).tool;
  if (!writer?.messages) return;
  if (epoch.append?.declares !== 'all') return shape;
  // A reference is possible only to a declared tool.
  const declared = presentation.deferred.find(({ name }) => name === tool.name);
  return declared && JSON.stringify(declared) === JSON.stringify(shape) ? shape : undefined;
}

function hasEpoch(message: TranscriptMessage): boolean {
  return (
    message.role === 'assistant' && (message.notes ?? []).some((note) => note.epoch !== undefined)
  );
}

/**
 * The tools that the SDK offers in a step that began at this mark of its set: its set without those that
 * `activeTools` left out, and tools that the app added. `usesBridges`: calls of bridge tools are answered
 * inside the model call, so that `activeTools` need not name them.
 */
function offerOf(
  set: LiveSet,
  ownNames: readonly string[],
  offered: ReadonlyMap<string, unknown>,
  { mark, usesBridges }: { readonly mark: number; readonly usesBridges: boolean },
): Offer {
  // What became known since the step began was not left out by the app.
  const all = set.names(mark);
  const isWhole = all.every((name) => offered.has(name));
  const ownBeside = [...set.unknownOf(ownNames)];
  // Most requests leave no tool out and add none.
  if (isWhole && offered.size === all.length)
    return { names: [], offered, beside: ownBeside, usesBridges };
  const added = [...offered.keys()].filter((name) => !Object.hasOwn(set.tools, name));
  return { names: isWhole ? [] : all, offered, beside: [...ownBeside, ...added], usesBridges };
}
