import {
  answerOf,
  callAgain,
  KEY,
  readInput,
  textOf,
  withoutStamp,
} from '@toolfold/core/internal/host';
import { isRecord, ownProperty } from '@toolfold/core/internal/values';
import {
  type AssistantCall,
  contentBehind,
  isErrorOutput,
  isNotRunBySdk,
  isUnknownToSdk,
  mcpOutput,
  type ResultRules,
  readOutput,
  sentOutput,
  type ThirdPartyView,
  thirdPartyOutput,
  unusedId,
  type WrittenCall,
  wellFormed,
  withKeyOrder,
} from '../messages/index.ts';
import type {
  LanguageModelV4Message,
  LanguageModelV4ToolResultOutput,
  LanguageModelV4ToolResultPart,
  Placing,
} from '../protocol/index.ts';
import { DENIED } from './message-texts.ts';
import type { Labels } from './segments.ts';

type ToolMessage = Extract<LanguageModelV4Message, { role: 'tool' }>;
type UserMessage = Extract<LanguageModelV4Message, { role: 'user' }>;

/** How the results of a tool are shown. Undefined for the app's own tools: unchanged. */
export type ViewResults = (toolName: string) => ThirdPartyView | undefined;

interface ExpectedCall extends AssistantCall {
  readonly order: number;
  /** The id on the wire. */
  readonly wireId: string;
}

/** Results as they were sent before, by call id. */
export interface KeptResults {
  readonly errors: ReadonlyMap<string, string>;
  readonly outputs: ReadonlyMap<string, LanguageModelV4ToolResultOutput>;
}

const NO_FAILURES: ReadonlyMap<string, number> = new Map();

/** Converts tool results to the form that the model gets. The caller walks the prompt from the beginning. */
export class WireResults {
  #viewOf: ViewResults;
  readonly #rules: ResultRules | undefined;
  /** How the results of each tool were shown. */
  readonly #views = new Map<string, ThirdPartyView | undefined>();
  readonly #placing: Placing | undefined;
  readonly #labels: Labels | undefined;
  /** The calls of the last answer that has some of this id. Messages of other origin may repeat an id within one. */
  readonly #calls = new Map<string, readonly ExpectedCall[]>();
  /** The ids on the wire so far. */
  readonly #wireIds = new Set<string>();
  #failures = new Map<string, number>();
  /** Files of results since the last message that was not of results. */
  #behind: UserMessage['content'] = [];

  /** `rules`: which files results may hold; undefined if they stay as they are. */
  constructor(viewOf: ViewResults, rules?: ResultRules, placing?: Placing, labels?: Labels) {
    this.#viewOf = viewOf;
    this.#rules = rules;
    this.#placing = placing;
    this.#labels = labels;
  }

  /** How often each call has failed since it last succeeded. */
  get failures(): ReadonlyMap<string, number> {
    return this.#failures.size > 0 ? new Map(this.#failures) : NO_FAILURES;
  }

  /** Whether results are still shown as they were. */
  areOf(viewOf: ViewResults): boolean {
    return [...this.#views].every(([name, view]) => viewOf(name) === view);
  }

  /** Goes on after messages with these failures. */
  follow(viewOf: ViewResults, failures: ReadonlyMap<string, number>): void {
    this.#viewOf = viewOf;
    this.#failures = new Map(failures);
  }

  forgetCalls(): void {
    this.#calls.clear();
    this.#wireIds.clear();
  }

  /**
   * Records the calls whose results follow, in the order in which the model wrote them. Returns their ids on the
   * wire: those of the provider, unless it has used one before or gave none. Then the id follows from the position.
   */
  expect(calls: readonly AssistantCall[]): readonly string[] {
    const expected = new Map<string, ExpectedCall[]>();
    const ids = calls.map(({ part, written }) => {
      const { toolCallId: id, providerExecuted } = part;
      const given = written?.stamp.i ?? id;
      const wireId = providerExecuted ? given : unusedId(given, this.#wireIds);
      this.#wireIds.add(wireId);
      const call = { order: this.#wireIds.size, part, written, wireId };
      expected.set(id, [...(expected.get(id) ?? []), call]);
      return wireId;
    });
    for (const [id, found] of expected) this.#calls.set(id, found);
    return ids;
  }

  /** The message with its results in the order of the calls, which not every route keeps. */
  restore(message: ToolMessage, kept: KeptResults): ToolMessage {
    const content: ToolMessage['content'] = [];
    const results: LanguageModelV4ToolResultPart[] = [];
    for (const part of message.content) {
      if (part.type === 'tool-result') results.push(part);
      else content.push(part);
    }
    const taken = new Map<string, number>();
    const ordered = results
      .map((part) => {
        const { toolCallId: id } = part;
        const at = taken.get(id) ?? 0;
        taken.set(id, at + 1);
        const calls = this.#calls.get(id) ?? [];
        return { part, call: calls[Math.min(at, calls.length - 1)] };
      })
      .sort((a, b) => (a.call?.order ?? Infinity) - (b.call?.order ?? Infinity) || 0);
    for (const { part, call } of ordered) {
      const restored = call ? this.#restorePart(part, call, kept) : part;
      const { toolCallId: id } = part;
      const name = call?.part.toolName ?? part.toolName;
      this.#labels?.result(restored, name, this.#placing?.holdsTools(id) === true);
      content.push(restored);
    }
    return { ...message, content };
  }

  /** The message with the files of the results so far, which stands behind all results of a step. */
  takeBehind(): UserMessage | undefined {
    const content = this.#behind;
    if (content.length === 0) return;
    this.#behind = [];
    const message: UserMessage = { role: 'user', content };
    this.#labels?.behind(message);
    return message;
  }

  #restorePart(
    part: LanguageModelV4ToolResultPart,
    call: ExpectedCall,
    { errors, outputs }: KeptResults,
  ): LanguageModelV4ToolResultPart {
    const { toolName, input } = call.part;
    const { wireId: toolCallId } = call;
    if (!call.written) {
      const output = wellFormedOutput(this.#shown(this.#sent(part.output, toolName), toolName));
      return { ...part, toolCallId, output };
    }
    const { stamp } = call.written;
    const { providerOptions, ...rest } = part;
    const isUnread = isNotRunBySdk(part.output);
    const answer = answerOf(stamp, { name: toolName, input, isUnread });
    const kept = withoutStamp(providerOptions);
    const marks = ownProperty(part.providerOptions, KEY);
    const stored = outputs.get(part.toolCallId) ?? readOutput(ownProperty(marks, 'm'));
    const received = withKeyOrder(stored ?? part.output, ownProperty(marks, 'q'));
    const given = stored || stamp.f !== 'mcp' ? received : fromMcp(received);
    const plain = unify(
      this.#sent(given, toolName),
      answer ?? errors.get(part.toolCallId),
      toolName,
    );
    // Toolfold's own answers count repetitions already, and they are not third-party text.
    const final =
      answer === undefined ? this.#shown(this.#counted(plain, call.written), toolName) : plain;
    const wireName = stamp.n;
    const output = this.#placing?.result(part.toolCallId, { wireName, output: final }) ?? final;
    const restored = { ...rest, toolCallId, toolName: wireName, output: wellFormedOutput(output) };
    return kept ? { ...restored, providerOptions: kept } : restored;
  }

  /** The result without the files that do not stand in it. */
  #sent(
    output: LanguageModelV4ToolResultOutput,
    toolName: string,
  ): LanguageModelV4ToolResultOutput {
    if (output.type !== 'content' || !this.#rules) return output;
    const { ofOwn, ofOthers } = this.#rules;
    const taken = this.#viewOf(toolName) ? ofOthers : ofOwn;
    if (!taken) return output;
    const sent = sentOutput(output, taken);
    if (sent.behind.length > 0) this.#behind.push(...contentBehind(toolName, sent.behind));
    return sent.output;
  }

  #shown(
    output: LanguageModelV4ToolResultOutput,
    toolName: string,
  ): LanguageModelV4ToolResultOutput {
    const view = this.#viewOf(toolName);
    this.#views.set(toolName, view);
    return view ? thirdPartyOutput(output, toolName, view) : output;
  }

  /** Adds a remark to a repeated failure of the same call, so that the model does not send it again. */
  #counted(
    output: LanguageModelV4ToolResultOutput,
    call: WrittenCall,
  ): LanguageModelV4ToolResultOutput {
    if (!isErrorOutput(output)) {
      // Inputs may be large: most conversations never need to compare them.
      if (this.#failures.size > 0) this.#failures.delete(call.signature);
      return output;
    }
    const { signature } = call;
    const times = (this.#failures.get(signature) ?? 0) + 1;
    this.#failures.set(signature, times);
    if (times === 1 || ownProperty(contentOf(output), 'error') === 'repeated_call') return output;
    const again = `This exact call has now failed ${times} times. Change it, use another tool, or tell the user what is in the way.`;
    if (output.type === 'error-text') return { ...output, value: `${output.value}\n\n[${again}]` };
    const value = contentOf(output);
    return {
      type: 'error-json',
      value: isRecord(value) ? { ...value, next: again } : { error: value, next: again },
    } as LanguageModelV4ToolResultOutput;
  }
}

/** Gives denials and errors one form, for every route of the messages. */
function unify(
  output: LanguageModelV4ToolResultOutput,
  known: string | undefined,
  toolName: string,
): LanguageModelV4ToolResultOutput {
  if (!isErrorOutput(output)) return output;
  const text = known ?? ownTextOf(output, toolName);
  const error = text === undefined ? output : { type: 'error-text' as const, value: text };
  if (error.type !== 'error-text') return error;
  // Sent as JSON, because OpenAI's providers would escape every quote of a text.
  const value = readInput(error.value);
  return isRecord(value)
    ? ({ type: 'error-json', value } as LanguageModelV4ToolResultOutput)
    : error;
}

/** The output without lone surrogates, which providers refuse. */
function wellFormedOutput(
  output: LanguageModelV4ToolResultOutput,
): LanguageModelV4ToolResultOutput {
  switch (output.type) {
    case 'text':
    case 'error-text':
      return { ...output, value: output.value.toWellFormed() };
    case 'json':
    case 'error-json':
      return { ...output, value: wellFormed(output.value) };
    case 'content': {
      const value = output.value.map((part) =>
        part.type === 'text' ? { ...part, text: part.text.toWellFormed() } : part,
      );
      return { ...output, value };
    }
    default:
      return output;
  }
}

/** An MCP result in the form that it has when the SDK has its tool. */
function fromMcp(output: LanguageModelV4ToolResultOutput): LanguageModelV4ToolResultOutput {
  return output.type === 'json'
    ? (mcpOutput(output.value) as LanguageModelV4ToolResultOutput)
    : output;
}

/** The text of a denial, and the replacement for the SDK's error that lists every tool. */
function ownTextOf(output: LanguageModelV4ToolResultOutput, toolName: string): string | undefined {
  if (output.type === 'execution-denied') return output.reason ?? DENIED;
  return isUnknownToSdk(output, toolName) ? textOf(callAgain(toolName)) : undefined;
}

function contentOf(output: LanguageModelV4ToolResultOutput): unknown {
  return 'value' in output ? output.value : undefined;
}
