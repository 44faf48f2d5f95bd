import { core, mutate, mutateHost, mutateSdk, type ProductPromise, sdk } from './promise.ts';

/** Promises about the prefix and about calls. */
export const ofCalls: readonly ProductPromise[] = [
  {
    number: 1,
    text: 'During an epoch, the bytes of tools and system text on the wire never change, and messages are only appended.',
    status: 'held',
    tests: sdk(
      'prefix',
      'prefix-bridge',
      'prefix-native',
      'resume',
      'results/mcp-output',
      'denials',
      'odd-names',
    ),
    mutations: [
      mutateSdk(
        'request/wire-results',
        '.sort((a, b) => (a.call?.order ?? Infinity) - (b.call?.order ?? Infinity) || 0)',
        '',
        'prefix',
      ),
    ],
  },
  {
    number: 2,
    text: 'Rendered text does not depend on the order of registration or loading, on the locale or on the clock.',
    status: 'held',
    tests: core('epoch/catalog', 'epochs', 'values/json', 'registry/registry'),
    mutations: [
      mutate(
        'registry/registry',
        'of [...groups].sort((a, b) => byCodePoint(a.groupId, b.groupId))',
        'of groups',
        'epochs',
        'registry/registry',
      ),
    ],
  },
  {
    number: 3,
    text: 'A change of the tool list changes nothing that was already sent and is announced once, at the tail.',
    status: 'held',
    tests: [...core('epochs', 'strategies/cases'), ...sdk('changes')],
    mutations: [
      mutate(
        'request/presentation',
        'position: messages.length, text',
        'position: 0, text',
        'epochs',
      ),
      mutate(
        'request/presentation',
        '(isForgotten ? LIST_RESTORED : undefined)',
        'undefined',
        'epochs',
      ),
      mutateSdk(
        'request/request',
        ': completeNote(note, forced, tail, { errors, outputs })',
        ': undefined',
        'changes',
      ),
    ],
  },
  {
    number: 4,
    text: 'The off switch sends what the same tools would send without Toolfold. `eager` differs from that only by marks of a cache and by tools that the provider would refuse, each named.',
    status: 'held',
    tests: sdk('off-switch', 'refused-tools'),
    mutations: [
      mutateSdk('request/request', 'if (isEager) return wire;', '', 'off-switch'),
      mutateSdk(
        'fields',
        '=== false ? false : (cache',
        '=== false ? undefined : (cache',
        'off-switch',
      ),
    ],
  },
  {
    number: 5,
    text: 'One version of a schema is always served as the same bytes; a changed version is marked as changed.',
    status: 'held',
    tests: core('loading', 'foreign-results'),
    mutations: [
      mutate('transcript/reduce', ' || isDispatcher(kind)', '', 'foreign-results'),
      mutate(
        'transcript/conversation',
        'shownSchemas.values()].filter(isMeant)',
        'shownSchemas.values()]',
        'foreign-results',
      ),
      mutate(
        'calls/served-schema',
        'first !== undefined && !(isUnmarked(first) && isSame(first, shown))',
        'first !== undefined',
        'loading',
      ),
    ],
  },
  {
    number: 6,
    text: "A user's cache marker on a tool that is removed from the wire moves to the last tool that stays. Where a provider caches only if asked, and the app has set no option of a cache, each request with tools asks: by at most three marks, which follow from the messages alone. An endpoint that refuses them is asked without.",
    status: 'held',
    tests: sdk('off-switch', 'caching/matrix', 'caching/bad-days'),
    mutations: [
      mutateSdk(
        'caching/prompt-cache',
        'if (this.#markedFor(caching).length > 0 || isSet())',
        'if (this.#markedFor(caching).length > 0)',
        'caching/matrix',
      ),
      mutateSdk(
        'caching/places',
        '...(middle ? [{ ...middle,',
        '...(middle === end ? [{ ...middle,',
        'caching/matrix',
      ),
      mutateSdk(
        'caching/refusal',
        'if (!NAMES_MARK.test(text)) return;',
        'return;',
        'caching/bad-days',
      ),
      mutateSdk(
        'declared-tools/declared-tools',
        'return [...wire.slice(0, -1), moved];',
        'return [...wire];',
        'off-switch',
      ),
    ],
  },
  {
    number: 7,
    text: 'If two groups have a tool of the same name, both tools can be reached, and the bare name is an error.',
    status: 'held',
    tests: core('calls', 'registry/registry'),
    mutations: [
      mutate(
        'registry/registry',
        'return visible.length === 1',
        'return visible.length > 0',
        'calls',
      ),
    ],
  },
  {
    number: 8,
    text: 'No tool takes the name of a bridge tool, and no two tools share a wire name.',
    status: 'held',
    tests: core('calls', 'names/names', 'registry/registry'),
    mutations: [
      mutate(
        'registry/registry',
        'if (this.#reserved.has(name) || this.#byName.has(name)) {',
        'if (this.#reserved.has(name)) {',
        'registry/registry',
      ),
    ],
  },
  {
    number: 9,
    text: 'Hooks, approvals and traces see the real call; the provider sees what the model wrote.',
    status: 'held',
    tests: [
      ...sdk('real-names', 'results/results', 'odd-uses', 'group-tools', 'custom-tools'),
      ...sdk('response/call-ids', 'attacks/repeated-ids'),
    ],
    mutations: [
      mutateSdk(
        'response/incoming',
        'return { ...call, toolName, input: written ?? String',
        'return { ...call, input: written ?? String',
        'real-names',
      ),
      mutateSdk(
        'response/call-ids',
        'isOurs ? unusedId(given, { has }) : given;',
        'given;',
        'response/call-ids',
      ),
      mutateSdk(
        'response/call-ids',
        'if (!this.#isResultOfOurs(part)) yield part;',
        'yield part;',
        'response/call-ids',
      ),
    ],
  },
  {
    number: 10,
    text: 'Calls in a stream are unwrapped as they arrive, for any division into chunks.',
    status: 'held',
    tests: sdk('response/stream'),
    mutations: [
      mutateSdk(
        'response/peel',
        String.raw`else if (char === '\\') this.#escaped = true;`,
        '',
        'response/stream',
      ),
    ],
  },
  {
    number: 11,
    text: 'Arguments are repaired only where the repair is unambiguous; unreadable arguments never run as no arguments.',
    status: 'held',
    tests: core('calls', 'calls/envelope'),
    mutations: [
      mutate(
        'calls/arguments',
        "if (given.kind === 'unusable') return refused(given.problem);",
        '',
        'calls',
        'calls/envelope',
      ),
    ],
  },
  {
    number: 12,
    text: 'A direct call of a known, callable, undeclared tool runs.',
    status: 'held',
    tests: core('strategies/cases'),
    mutations: [
      mutate(
        'calls/envelope',
        'const envelope = { target: name, given: readObject(input), beside: {}, problem: undefined };',
        "const envelope = readEnvelope(input, 'name');",
        'strategies/cases',
      ),
    ],
  },
  {
    number: 13,
    text: 'A call of a tool that has not loaded loads it and checks its arguments.',
    status: 'held',
    tests: core('calls'),
    mutations: [
      mutate(
        'calls/target',
        'if (groupId !== undefined && !toolbox.toolOf(entry)) {',
        'if (groupId === "") {',
        'calls',
      ),
    ],
  },
  {
    number: 14,
    text: 'Invalid arguments are answered with each problem, its place, and the schema.',
    status: 'held',
    tests: [...core('calls', 'strategies/cases'), ...sdk('odd-uses')],
    mutations: [
      mutate('calls/refusals', 'schema: schema as JsonObject,', '', 'calls'),
      {
        ...mutate('calls/call', 'if (!check.ok) return', 'if (check === undefined) return'),
        tests: sdk('odd-uses'),
      },
    ],
  },
  {
    number: 15,
    text: 'An inline tool called through the dispatcher runs; a bridge tool called through a bridge tool is refused.',
    status: 'held',
    tests: core('calls'),
    mutations: [
      mutate(
        'calls/call',
        'if (kind !== undefined && bridges.kinds.get(name) !== undefined && !toolbox.registry.get(name)) {',
        'if (toolbox.registry.own.has(name)) {',
        'calls',
      ),
    ],
  },
  {
    number: 16,
    text: 'An unknown name is answered with at most five near names, never with a whole list.',
    status: 'held',
    tests: core('calls', 'strategies/cases', 'large-input'),
    mutations: [
      mutate('calls/near-tools', '))].slice(0, 5);', '))];', 'calls'),
      mutate(
        'names/near/near-index',
        'if (first.length === MAX_COMPARED) break;',
        '',
        'large-input',
      ),
    ],
  },
  {
    number: 17,
    text: 'A name is corrected only to the one tool that it can mean, and only if a trusted source marks that tool as read-only.',
    status: 'held',
    tests: core('calls'),
    mutations: [
      mutate(
        'calls/target',
        "if (target.kind === 'found' && isReadOnly) return target;",
        'return target;',
        'calls',
      ),
    ],
  },
  {
    number: 18,
    text: 'A repeated failing call gets a different answer; every call is one event.',
    status: 'held',
    tests: [...core('calls'), ...sdk('real-names')],
    mutations: [
      mutate('calls/call', 'return attempt > 1 ?', 'return attempt > 99 ?', 'calls'),
      mutateSdk('middleware', 'of request.refused)', 'of [])', 'real-names'),
    ],
  },
  {
    number: 19,
    text: 'A forced choice of a deferred tool works; no loader runs ahead of an earlier call.',
    status: 'held',
    tests: sdk('tool-choice'),
    mutations: [
      {
        ...mutateHost(
          'resolve',
          'options.isFirst || !isUsable ? undefined :',
          'true ? undefined :',
        ),
        tests: sdk('tool-choice'),
      },
    ],
  },
];
