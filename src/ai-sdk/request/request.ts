import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import type { Turn } from '../../tools/calls/index.ts';
import type { Session } from '../../tools/session/index.ts';
import { declarable } from '../../tools/strategies/index.ts';
import type { ToolDefinition } from '../../tools/tool/index.ts';
import { isActive, type TranscriptMessage } from '../../tools/transcript/index.ts';
import type { ResponseNote } from '../metadata/index.ts';
import { type NativeWriter, Placing, writerOf } from '../native/index.ts';
import type { LiveSet } from '../tool-set/index.ts';
import { fixInputStreaming, streamsInput, toWireTools, type WireTool } from '../wire/index.ts';
import { type ForcedChoice, forceChoice } from './forced-choice.ts';
import { offerOf } from './offer.ts';
import { toWirePrompt } from './outgoing.ts';
import { type Tail, tailOf, withWords } from './request-tail.ts';
import { countWireRequest, isUnseen, type RequestTokens } from './request-tokens.ts';
import type { ChoosePreload, Notice } from './tail.ts';
import { toTranscript } from './transcript.ts';
import { type Unanswered, unanswered } from './unanswered.ts';
import type { Frame } from './wire-results.ts';

export interface ModelId {
  readonly provider: string;
  readonly modelId: string;
}

export interface RequestInputs {
  /** `refused`: why the endpoint takes no tools in mid-conversation, where that has just been found. */
  readonly session: (model: ModelId, refused?: string) => Session;
  readonly ownNames: readonly string[];
  readonly ownTool: (name: string) => Promise<WireTool | undefined>;
  /** Whether what the model is shown of a result is for the tool itself to say. */
  readonly hasOwnOutput: (toolName: string) => boolean;
  /** The set the SDK has. */
  readonly set: LiveSet;
  readonly frame: Frame | undefined;
  readonly preload: ChoosePreload | undefined;
  readonly notice: Notice | undefined;
  readonly onRequest: ((event: RequestEvent) => void) | undefined;
  readonly countTokens: (text: string) => number;
}

/** One request as it is sent. */
export interface RequestEvent {
  readonly strategy: string;
  /** The provider's form in which schemas are appended, where they are. */
  readonly form?: string;
  readonly tokens: RequestTokens;
  /** Tools whose schemas this request hands over before the model asks. */
  readonly preloaded?: readonly string[];
}

/** One request on its way: what its response needs to be read with. */
export interface Pending {
  readonly turn: Turn;
  readonly offered: ReadonlySet<string>;
  /** Names the set had when the step began, offered or left out of it. */
  readonly isKnown: (name: string) => boolean;
  readonly note: ResponseNote | undefined;
  readonly refused: Unanswered['refused'];
  readonly signal: AbortSignal | undefined;
  /** How schemas are appended, where the strategy appends. */
  readonly writer: NativeWriter | undefined;
  /** What the SDK asked for. */
  readonly original: LanguageModelV4CallOptions;
}

export interface BuiltRequest {
  readonly params: LanguageModelV4CallOptions;
  readonly pending: Pending;
}

/** Makes of the SDK's request what is sent; undefined where it is none of Toolfold's. */
export async function buildRequest(
  inputs: RequestInputs,
  params: LanguageModelV4CallOptions,
  model: ModelId,
  refused?: string,
): Promise<BuiltRequest | undefined> {
  const transcript = toTranscript(params.prompt);
  const offered = params.tools ?? [];
  // A request without tools is not ours, unless it continues a conversation that has them.
  if (offered.length === 0 && !transcript.some(hasEpoch)) return;
  const session = inputs.session(model, refused);
  const signal = params.abortSignal;
  const offers = new Set(offered.map((tool) => tool.name));
  // Before anything loads: what becomes known now was left out by nobody.
  const offer = offerOf(inputs.set, inputs.ownNames, offers);
  const mark = inputs.set.mark();
  const isKnown = (name: string) => inputs.set.isKnown(name, mark);
  await session.prepare(transcript, { offer, ...(signal ? { signal } : {}) });
  inputs.set.extend();
  const turn = session.turn(transcript, { offer });
  const { epoch, presentation } = turn;
  const writer = writerOf(epoch.append?.id);
  const isEager = epoch.strategy.defers === 'nothing';
  const appends = (tool: ToolDefinition) => appendable(turn, writer, tool);
  const forced: ForcedChoice = isEager
    ? { toolChoice: params.toolChoice }
    : await forceChoice(turn, params.toolChoice, signal, appends);
  const hands = !isEager && forced.text === undefined;
  const tail = await tailOf(inputs, params, turn, hands ? appends : undefined);
  const tools = await wireTools(inputs, params, { turn, writer, forced, offers, isKnown, model });
  const transformed: LanguageModelV4CallOptions = {
    ...params,
    tools,
    toolChoice: forced.toolChoice,
    prompt: wirePrompt(inputs, params, { turn, writer, forced, tail, tools }),
    ...(writer?.providerOptions
      ? { providerOptions: writer.providerOptions(params.providerOptions) }
      : {}),
  };
  const { errors, outputs, refused: others } = unanswered(params.prompt, inputs.hasOwnOutput);
  const { note } = presentation;
  inputs.onRequest?.({
    strategy: epoch.strategy.name,
    ...(epoch.append ? { form: epoch.append.id } : {}),
    ...(tail.names.length > 0 ? { preloaded: tail.names } : {}),
    tokens: countWireRequest(transformed, turn, model, inputs.countTokens),
  });
  return {
    params: transformed,
    pending: {
      turn,
      offered: offers,
      isKnown,
      note:
        isEager && tail.texts.length === 0 && Object.keys(outputs).length === 0
          ? note
          : withWords(note, forced, tail, { errors, outputs }),
      refused: others,
      signal,
      writer,
      original: params,
    },
  };
}

interface Parts {
  readonly turn: Turn;
  readonly writer: NativeWriter | undefined;
  readonly forced: ForcedChoice;
}

async function wireTools(
  inputs: RequestInputs,
  params: LanguageModelV4CallOptions,
  parts: Parts & Pick<Pending, 'isKnown'> & { offers: ReadonlySet<string>; model: ModelId },
): Promise<WireTool[]> {
  const { turn, writer, forced, offers, isKnown, model } = parts;
  const { tools: declared, deferred } = turn.presentation;
  const isEager = turn.epoch.strategy.defers === 'nothing';
  const definitions = forced.definition ? [...declared, forced.definition] : declared;
  // In `eager` the SDK's own `activeTools` edits what is declared. Elsewhere what was declared stays,
  // save a provider's tool that was not active at the start: no call of that can be refused.
  const stays = (name: string) =>
    offers.has(name) || (!isEager && (isKnown(name) || isActive(turn.epoch.active, name)));
  const wire = await toWireTools({
    offered: params.tools ?? [],
    ownNames: inputs.ownNames.filter(stays),
    ownTool: inputs.ownTool,
    isKnown,
    declared: definitions.filter(({ name }) => stays(name)),
    bridge: writer?.bridge,
  });
  if (isEager) return wire;
  // Out of sight comes last, where no cache marker can fall on it; what the app added beside is there.
  const taken = new Set(wire.map((tool) => tool.name));
  const unseen = deferred
    .filter(({ name }) => !taken.has(name))
    .flatMap((tool) => writer?.unseen?.(tool) ?? []);
  return fixInputStreaming([...wire, ...unseen], model.provider, params.providerOptions);
}

function wirePrompt(
  { frame }: RequestInputs,
  { prompt, providerOptions }: LanguageModelV4CallOptions,
  parts: Parts & { readonly tail: Tail; readonly tools: readonly WireTool[] },
): LanguageModelV4CallOptions['prompt'] {
  const { turn, writer, forced, tail, tools } = parts;
  const { system, inserts } = turn.presentation;
  const inSight = new Set(tools.filter((tool) => !isUnseen(tool)).map((tool) => tool.name));
  const deliveries = turn.presentation.deliveries.map((delivery) => ({
    ...delivery,
    tools: delivery.tools.filter(({ name }) => !inSight.has(name)),
  }));
  const position = prompt.length;
  const texts = forced.text === undefined ? tail.texts : [...tail.texts, forced.text];
  const said = texts.map((text) => ({ position, text }));
  const added = forced.appended ? [...tail.appended, forced.appended] : tail.appended;
  const appended = added.length > 0 ? [{ position, tools: added }] : [];
  const placing =
    writer && new Placing(writer, [...deliveries, ...appended], streamsInput(providerOptions));
  const providerTools = new Set(
    tools.flatMap(({ type, name }) => (type === 'provider' ? [name] : [])),
  );
  const all = [...inserts, ...said];
  return toWirePrompt(prompt, { system, inserts: all, frame, providerTools, placing });
}

/** The tool as this request can append it without a call; undefined where it cannot. */
function appendable(
  { epoch, presentation }: Turn,
  writer: NativeWriter | undefined,
  tool: ToolDefinition,
): ToolDefinition | undefined {
  const shape = declarable(tool);
  if (!writer?.messages) return;
  if (epoch.append?.declares !== 'all') return shape;
  // Only what is declared already can be referred to.
  const declared = presentation.deferred.find(({ name }) => name === tool.name);
  return declared && JSON.stringify(declared) === JSON.stringify(shape) ? shape : undefined;
}

function hasEpoch(message: TranscriptMessage): boolean {
  return (
    message.role === 'assistant' && (message.notes ?? []).some((note) => note.epoch !== undefined)
  );
}
