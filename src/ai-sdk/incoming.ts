import type { LanguageModelV4ToolCall } from '@ai-sdk/provider';
import { Judge, type JudgeOptions, nameKeyOf } from './judge.ts';
import { withStamp } from './stamp.ts';
import type { Told } from './told.ts';

/** Turns the calls of one response into calls of the real tools, in order. */
export class Incoming {
  readonly #options: JudgeOptions;
  readonly #judge: Judge;
  /** Calls of this response so far. */
  #seen = 0;
  /** Ends what was begun for calls that never arrived whole. */
  readonly #cutOff = new AbortController();

  constructor(options: JudgeOptions) {
    this.#options = options;
    this.#judge = new Judge(options);
  }

  /** The name key of a dispatcher, for a stream to look for. */
  nameKey(wireName: string): string | undefined {
    return nameKeyOf(this.#options.turn, wireName);
  }

  /** The name under which a call can be announced before its arguments are known. */
  announce(name: string, isFirst: boolean): string | undefined {
    const { turn, offered, signal } = this.#options;
    const entry = turn.lookUp(name);
    if (!entry || !offered.has(entry.name)) return;
    // A loader must not run ahead of an earlier call.
    if (isFirst && !turn.isReady(entry)) {
      turn.warm(entry, AbortSignal.any([this.#cutOff.signal, ...(signal ? [signal] : [])]));
    }
    return entry.name;
  }

  /** The response broke off: nothing goes on that was begun for it. */
  cutOff(): void {
    this.#cutOff.abort();
  }

  /** Under what name a call that is no envelope streams; undefined where only its end can tell. */
  streamName(wireName: string, isFirst: boolean): string | undefined {
    const { turn, offered } = this.#options;
    if (this.#isForeign(wireName) || this.#passes(wireName)) return wireName;
    const kind = turn.bridgeKind(wireName);
    if (kind === undefined) return this.announce(wireName, isFirst);
    const name = turn.bridgeName(kind);
    return offered.has(name) ? name : undefined;
  }

  /** The call the SDK sees. `announced` is the name its stream already began under. */
  async rewrite(
    call: LanguageModelV4ToolCall,
    announced?: string,
  ): Promise<LanguageModelV4ToolCall> {
    if (call.providerExecuted || this.#passes(call.toolName)) return call;
    const { toolCallId, toolName: wireName, input: raw } = call;
    const { toolName, input, error, isUnjudged }: Told = this.#isForeign(wireName)
      ? await this.#judge.tellForeign(call)
      : await this.#judge.tell(call, this.#seen === 0, announced);
    this.#options.memory.keepWireName(toolCallId, wireName);
    const stamp = {
      n: wireName,
      r: raw,
      o: this.#seen++,
      ...(error === undefined ? {} : { e: error }),
      ...(isUnjudged ? { u: true as const } : {}),
    };
    return { ...call, toolName, input, providerMetadata: withStamp(call.providerMetadata, stamp) };
  }

  /** Where nothing is deferred the SDK has every tool; only what is none of them is answered here. */
  #passes(name: string): boolean {
    const { turn, offered, hooks } = this.#options;
    return (
      !hooks.judges &&
      turn.epoch.strategy.defers === 'nothing' &&
      offered.has(name) &&
      turn.bridgeKind(name) === undefined
    );
  }

  /** Tools the app added beside Toolfold's are none of its business. */
  #isForeign(name: string): boolean {
    return this.#options.offered.has(name) && !this.#options.isKnown(name);
  }
}
