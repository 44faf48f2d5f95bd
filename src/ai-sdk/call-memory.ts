/** Calls under way at once, at most; older ones are forgotten. */
const LIMIT = 1_000;

/** A call as the SDK has it. Ids alone are not enough: endpoints number them anew in each conversation. */
export interface KnownCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

function keyOf({ id, name, input }: KnownCall): string {
  return `${id}\0${name}\0${JSON.stringify(input)}`;
}

/**
 * What the middleware knows of calls under way and the SDK does not pass on to the tools it runs.
 * It bridges the time between a response and its tools; all else is in the messages.
 */
export class CallMemory {
  readonly #wireNames = new Map<string, string>();
  readonly #unjudged = new Map<string, string>();
  readonly #refused = new Map<string, string>();
  readonly #asked = new Map<string, string>();

  keepWireName(toolCallId: string, wireName: string): void {
    keep(this.#wireNames, toolCallId, wireName);
  }

  /** The name the model used, once. */
  takeWireName(toolCallId: string): string | undefined {
    return take(this.#wireNames, toolCallId);
  }

  /** The call goes to the SDK before its tool is known. */
  keepUnjudged(call: KnownCall): void {
    keep(this.#unjudged, keyOf(call), '');
  }

  takeUnjudged(call: KnownCall): boolean {
    return take(this.#unjudged, keyOf(call)) !== undefined;
  }

  /** A hook wants the user asked before the call runs. */
  ask(call: KnownCall): void {
    keep(this.#asked, keyOf(call), '');
  }

  isAsked(call: KnownCall): boolean {
    return this.#asked.has(keyOf(call));
  }

  /** Makes the placeholder's `validate`, which is given nothing but the input, refuse this one. */
  refuse(toolName: string, input: string, text: string): void {
    keep(this.#refused, `${toolName}\0${input}`, text);
  }

  /** The text of a refusal, once: the SDK validates stored inputs again, and those must pass. */
  takeRefusal(toolName: string, value: unknown): string | undefined {
    return take(this.#refused, `${toolName}\0${JSON.stringify(value)}`);
  }
}

function keep(map: Map<string, string>, key: string, value: string): void {
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > LIMIT && oldest !== undefined) map.delete(oldest);
}

function take(map: Map<string, string>, key: string): string | undefined {
  const value = map.get(key);
  map.delete(key);
  return value;
}
