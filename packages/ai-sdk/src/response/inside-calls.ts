import { KEY, type Stamp, textOf } from '@toolfold/core/internal/host';
import { nameKeyOf } from '@toolfold/core/internal/tools/calls';
import { type RawInput, readBridgeInput } from '../metadata/index.ts';
import type { LanguageModelV4ToolCall, LanguageModelV4ToolResult } from '../protocol/index.ts';
import { answerBridge } from '../tool-set/index.ts';
import type { ArrivalOptions } from './arrivals.ts';

export interface InsideOptions extends ArrivalOptions {
  /** The number of this round of the model call. Undefined: loads are left to ordinary steps. */
  readonly round: number | undefined;
  /** Whether the app's settings say something about the bridge tool: then the SDK has to ask them. */
  readonly isSettled: (bridge: string) => boolean;
}

interface Answering {
  readonly call: LanguageModelV4ToolCall;
  /** The text for the model. */
  readonly answer: Promise<{ readonly text: string; readonly isError: boolean }>;
}

/**
 * The calls of one response that load, search or describe, and their answers. Only calls before any other
 * call are answered here: no loader may run ahead of an earlier call. Where a load may reveal tools, loads
 * are left to ordinary steps: the SDK uses new tools from its next step on.
 */
export class InsideCalls {
  readonly #options: InsideOptions;
  readonly #takes = new Map<string, boolean>();
  readonly #answering: Answering[] = [];
  #isOpen: boolean | undefined;

  constructor(options: InsideOptions) {
    this.#options = options;
  }

  /** Whether the call is answered inside the model call. Ask for each call, in the order in which they begin. */
  takes(id: string, wireName: string, isForeign: boolean): boolean {
    const known = this.#takes.get(id);
    if (known !== undefined) return known;
    const isTaken = !isForeign && this.#isLoad(wireName) && this.areAll;
    this.#takes.set(id, isTaken);
    return isTaken;
  }

  #isLoad(wireName: string): boolean {
    const { round, turn, isSettled } = this.#options;
    const kind = turn.bridgeKind(wireName);
    if (kind === undefined || nameKeyOf(kind) !== undefined) return false;
    // As of the first load of the response: what it reveals is for later steps.
    this.#isOpen ??= round !== undefined && !turn.mayReveal();
    return this.#isOpen && !isSettled(turn.bridgeName(kind));
  }

  /** Whether all calls so far are answered here. */
  get areAll(): boolean {
    return [...this.#takes.values()].every(Boolean);
  }

  get count(): number {
    return this.#answering.length;
  }

  /** What the SDK must know of such a call: nobody has to run it, and its set may lack the tool. */
  flagsOf(wireName: string): { providerExecuted: true; dynamic?: true; toolName: string } {
    const { turn, offered } = this.#options;
    const toolName = turn.bridgeName(turn.bridgeKind(wireName) ?? 'load_tools');
    const isOffered = offered.has(toolName);
    return { toolName, providerExecuted: true, ...(isOffered ? {} : { dynamic: true }) };
  }

  /** Begins to answer a call. Returns it for the SDK. */
  begin(call: LanguageModelV4ToolCall, input: RawInput, stamp: Stamp): LanguageModelV4ToolCall {
    const { turn, view, signal, bridgeInput } = this.#options;
    const flags = this.flagsOf(call.toolName);
    const { given, read } = readBridgeInput(input, bridgeInput?.(call.toolName, input.raw));
    const asked = { id: call.toolCallId, name: flags.toolName, input: read };
    const answer = answerBridge(view, turn, asked, stamp.n, signal).then((found) => ({
      text: textOf(found),
      isError: found.isError,
    }));
    answer.catch(() => {});
    return this.#add({ ...call, ...flags, input: JSON.stringify(given) }, stamp, answer);
  }

  /**
   * Whether a refused call can be answered here, although its tool is no bridge: the SDK has no tool of this
   * name that could give the refusal. A refusal runs no loader, so it does not wait for earlier calls.
   */
  get canRefuse(): boolean {
    const { round, turn } = this.#options;
    return round !== undefined && turn.epoch.strategy.defers !== 'nothing';
  }

  /** Answers a refused call. */
  refuse(call: LanguageModelV4ToolCall, stamp: Stamp, text: string): LanguageModelV4ToolCall {
    this.#takes.set(call.toolCallId, true);
    const refused = { ...call, providerExecuted: true, dynamic: true };
    return this.#add(refused, stamp, Promise.resolve({ text, isError: true }));
  }

  #add(
    call: LanguageModelV4ToolCall,
    stamp: Stamp,
    answer: Answering['answer'],
  ): LanguageModelV4ToolCall {
    const { round } = this.#options;
    const marked = { ...stamp, ...(round === undefined ? {} : { k: round }) };
    const marks = { ...call.providerMetadata, [KEY]: marked };
    const sdkCall = { ...call, providerMetadata: marks };
    this.#answering.push({ call: sdkCall, answer });
    return sdkCall;
  }

  /**
   * The results, in the order of their calls. `trailing`: the number of content parts after the last call,
   * if the model is asked again. Rejects with the signal's reason.
   */
  async results(trailing: number | undefined): Promise<LanguageModelV4ToolResult[]> {
    const { round = 0 } = this.#options;
    const mark = { k: round, ...(trailing === undefined ? {} : { z: trailing }) };
    const results: LanguageModelV4ToolResult[] = [];
    for (const { call, answer } of this.#answering) {
      const { text, isError } = await answer;
      const { toolCallId, toolName, dynamic } = call;
      results.push({
        ...{ type: 'tool-result', toolCallId, toolName, result: text },
        ...(isError ? { isError } : {}),
        ...(dynamic ? { dynamic } : {}),
        providerMetadata: { [KEY]: mark },
      });
    }
    return results;
  }
}
