import { type Mutation, mutate, tests } from './promise.ts';

/** Mutations of promise 51 in what reads the answers of hooks. */
export const ofHooks: readonly Mutation[] = [
  mutate(
    "verdict.deny !== undefined) return { kind: 'denied'",
    "verdict.deny) return { kind: 'denied'",
    'consult-hooks',
  ),
  mutate('round < MAX_ROUNDS; round++', 'round < 1; round++', 'consult-hooks'),
  mutate(
    'const shown = { ...call, arguments: copyOf(now) };',
    'const shown = { ...call, arguments: now };',
    'consult-hooks',
    'host/hooks',
  ),
  mutate(
    'const shown = { ...call, arguments: copyOf(call.arguments) };',
    'const shown = call;',
    'host/hooks',
  ),
  mutate(
    "return outer.kind === 'read' ? (outer.value as T) : input;",
    'return input;',
    'host/hooks',
  ),
  mutate('isSame || text === inputText(given) ||', 'true ||', 'consult-hooks'),
  mutate(
    'return { deny: errorMessage(settled.error) };',
    'return {};',
    'consult-hooks',
    'policy-table',
  ),
  mutate(
    "return { deny: this.#oddAnswer('beforeToolCall', label, found.what) };",
    'return {};',
    'host/hooks',
  ),
  mutate('return { deny: this.#lateness };', 'return {};', 'host/hooks'),
  mutate(
    "throw withheld(this.#oddAnswer('afterToolCall', label, found.what));",
    'continue;',
    'host/hooks',
    'hook-answers',
  ),
  mutate('throw withheld(this.#lateness);', 'continue;', 'host/hooks'),
  mutate(
    'settled.output === undefined ? seen : settled.output',
    'settled.output ?? seen',
    'host/hooks',
  ),
  mutate("return { kind: 'invalid', refusal: denied(name, reason) };", 'continue;', 'host/hooks'),
  mutate('void outcomeOf(() => given);', '', 'host/hooks'),
  mutate(
    "if (found.kind === 'odd') return found;\n  const { value } = found;",
    "if (found.kind === 'odd') return read({});\n  const { value } = found;",
    'host/hooks',
  ),
  mutate('!KEYS.includes(key) && value[key] !== undefined', 'false', 'host/hooks'),
  mutate(
    "if (deny !== undefined && typeof deny !== 'string') return",
    "if (deny && typeof deny !== 'string') return",
    'host/hooks',
  ),
  mutate(
    "if (replaced.kind === 'odd') return oddMember('arguments', replaced.what);",
    "if (replaced.kind === 'odd') return read({});",
    'host/hooks',
  ),
  mutate(
    'verdicts.findLast((verdict) => verdict.arguments !== undefined)',
    'verdicts.at(-1)',
    'host/hooks',
  ),
  mutate('asking.length > 0', 'verdicts.at(-1)?.ask', 'consult-hooks'),
  mutate('if (keys.has(undefined)) return;', '', 'host/hooks'),
  mutate(
    "hasOutput === Object.hasOwn(found.value, 'error')",
    "!hasOutput && !Object.hasOwn(found.value, 'error')",
    'host/hooks',
  ),
  mutate(
    "if (typeof key === 'symbol') return odd('an object with a symbol as a key');",
    "if (typeof key === 'symbol') continue;",
    'read-answer',
  ),
  mutate('if (!found?.enumerable) return', 'if (!found) return', 'read-answer'),
  mutate("if (!Object.hasOwn(found, 'value')) return", 'if (false) return', 'read-answer'),
  mutate('prototype === null || isObjectPrototype(prototype as object)', 'true', 'read-answer'),
  mutate('if (this.#timeoutMs === undefined) return settled;', 'return settled;', 'host/hooks'),
  {
    ...mutate("if (other.kind === 'invalid') return { read, found: other.refusal };", ''),
    tests: tests('hook-answers'),
  },
];
