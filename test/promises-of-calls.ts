import { mutate, type ProductPromise, tests } from './promise.ts';

/** Promises about the prefix and about calls. */
export const ofCalls: readonly ProductPromise[] = [
  {
    number: 1,
    text: 'During an epoch, the bytes of tools and system text on the wire never change, and messages are only appended.',
    status: 'held',
    tests: tests(
      'prefix/prefix',
      'prefix-bridge',
      'prefix-native',
      'prefix/resume',
      'mcp-output',
      'denials',
      'odd-names',
    ),
    mutations: [
      mutate(
        '.sort((a, b) => (a.call?.order ?? Infinity) - (b.call?.order ?? Infinity) || 0)',
        '',
        'prefix/prefix',
      ),
    ],
  },
  {
    number: 2,
    text: 'Rendered text does not depend on the order of registration or loading, on the locale or on the clock.',
    status: 'held',
    tests: tests('catalog', 'epochs', 'json', 'registry'),
    mutations: [
      mutate(
        'of [...groups].sort((a, b) => byCodePoint(a.groupId, b.groupId))',
        'of groups',
        'epochs',
        'registry',
      ),
    ],
  },
  {
    number: 3,
    text: 'A change of the tool list changes nothing that was already sent and is announced once, at the tail.',
    status: 'held',
    tests: [...tests('epochs', 'cases', 'own-tools-changed'), ...tests('prefix/changes')],
    mutations: [
      mutate('ownChange(ownOf(before)', 'ownChange(ownOf(after)', 'own-tools-changed'),
      mutate('position: messages.length, text', 'position: 0, text', 'epochs'),
      mutate('(isForgotten ? LIST_RESTORED : undefined)', 'undefined', 'epochs'),
      mutate(
        ': completeNote(note, forced, tail, { errors, outputs })',
        ': undefined',
        'prefix/changes',
      ),
    ],
  },
  {
    number: 4,
    text: 'The off switch sends what the same tools would send without Toolfold. `eager` differs from that only by marks of a cache and by tools that the provider would refuse, each named.',
    status: 'held',
    tests: tests('off-switch', 'tools/refused-tools'),
    mutations: [
      mutate('if (isEager) return wire;', '', 'off-switch'),
      mutate('=== false ? false : (cache', '=== false ? undefined : (cache', 'off-switch'),
    ],
  },
  {
    number: 5,
    text: 'One version of a schema is always served as the same bytes; a changed version is marked as changed.',
    status: 'held',
    tests: tests('test/loading', 'foreign-results'),
    mutations: [
      mutate(' || isDispatcher(kind)', '', 'foreign-results'),
      mutate('shownSchemas.values()].filter(isMeant)', 'shownSchemas.values()]', 'foreign-results'),
      mutate(
        'first !== undefined && !(isUnmarked(first) && isSame(first, shown))',
        'first !== undefined',
        'test/loading',
      ),
    ],
  },
  {
    number: 6,
    text: "A user's cache marker on a tool that is removed from the wire moves to the last tool that stays. Where a provider caches only if asked, and the app has set no option of a cache, each request with tools asks: by at most three marks, which follow from the messages alone. An endpoint that refuses them is asked without.",
    status: 'held',
    tests: tests('off-switch', 'caching/matrix', 'caching/bad-days'),
    mutations: [
      mutate(
        'if (this.#markedFor(caching).length > 0 || isSet())',
        'if (this.#markedFor(caching).length > 0)',
        'caching/matrix',
      ),
      mutate('...(middle ? [{ ...middle,', '...(middle === end ? [{ ...middle,', 'caching/matrix'),
      mutate('if (!NAMES_MARK.test(text)) return;', 'return;', 'caching/bad-days'),
      mutate('return [...wire.slice(0, -1), moved];', 'return [...wire];', 'off-switch'),
    ],
  },
  {
    number: 7,
    text: 'If two groups have a tool of the same name, both tools can be reached, and the bare name is an error.',
    status: 'held',
    tests: tests('calls', 'registry'),
    mutations: [mutate('return visible.length === 1', 'return visible.length > 0', 'calls')],
  },
  {
    number: 8,
    text: 'No tool takes the name of a bridge tool, and no two tools share a wire name.',
    status: 'held',
    tests: tests('calls', 'names', 'registry'),
    mutations: [
      mutate(
        'if (this.#reserved.has(name) || this.#byName.has(name)) {',
        'if (this.#reserved.has(name)) {',
        'registry',
      ),
    ],
  },
  {
    number: 9,
    text: 'Hooks, approvals and traces see the real call; the provider sees what the model wrote.',
    status: 'held',
    tests: [
      ...tests('real-names', 'results', 'odd-uses', 'group-tools', 'custom-tools'),
      ...tests('call-ids', 'repeated-ids'),
    ],
    mutations: [
      mutate(
        'return { ...call, toolName, input: written ?? String',
        'return { ...call, input: written ?? String',
        'real-names',
      ),
      mutate('isOurs ? unusedId(given, { has }) : given;', 'given;', 'call-ids'),
      mutate('if (!this.#isResultOfOurs(part)) yield part;', 'yield part;', 'call-ids'),
    ],
  },
  {
    number: 10,
    text: 'Calls in a stream are unwrapped as they arrive, for any division into chunks.',
    status: 'held',
    tests: tests('stream'),
    mutations: [mutate(String.raw`else if (char === '\\') this.#escaped = true;`, '', 'stream')],
  },
  {
    number: 11,
    text: 'Arguments are repaired only where the repair is unambiguous; unreadable arguments never run as no arguments.',
    status: 'held',
    tests: tests('calls', 'envelope'),
    mutations: [
      mutate(
        "if (given.kind === 'unusable') return refused(given.problem);",
        '',
        'calls',
        'envelope',
      ),
    ],
  },
  {
    number: 12,
    text: 'A direct call of a known, callable, undeclared tool runs.',
    status: 'held',
    tests: tests('cases'),
    mutations: [
      mutate(
        'const envelope = { target: name, given: readArguments(input), beside: {}, problem: undefined };',
        "const envelope = readEnvelope(input, 'name');",
        'cases',
      ),
    ],
  },
  {
    number: 13,
    text: 'A call of a tool that has not loaded loads it and checks its arguments.',
    status: 'held',
    tests: tests('calls'),
    mutations: [
      mutate(
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
    tests: [...tests('calls', 'cases'), ...tests('odd-uses')],
    mutations: [
      mutate('schema: schema as JsonObject,', '', 'calls'),
      {
        ...mutate('if (!check.ok) return', 'if (check === undefined) return'),
        tests: tests('odd-uses'),
      },
    ],
  },
  {
    number: 15,
    text: 'An inline tool called through the dispatcher runs; a bridge tool called through a bridge tool is refused.',
    status: 'held',
    tests: tests('calls'),
    mutations: [
      mutate(
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
    tests: tests('calls', 'cases', 'large-input', 'repaired-names'),
    mutations: [
      mutate('))].slice(0, 5);', '))];', 'calls'),
      mutate(
        'return Object.assign(errorOf(refusal), marks, { name, availableTools });',
        'return new NoSuchToolError({ toolName, availableTools });',
        'repaired-names',
      ),
      mutate('if (first.length === MAX_COMPARED) break;', '', 'large-input'),
    ],
  },
  {
    number: 17,
    text: 'A name is corrected only to the one tool that it can mean, and only if a trusted source marks that tool as read-only.',
    status: 'held',
    tests: tests('calls'),
    mutations: [
      mutate(
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
    tests: [...tests('calls'), ...tests('real-names')],
    mutations: [
      mutate('return attempt > 1 ?', 'return attempt > 99 ?', 'calls'),
      mutate('of request.refused)', 'of [])', 'real-names'),
    ],
  },
  {
    number: 19,
    text: 'A forced choice of a deferred tool works; no loader runs ahead of an earlier call.',
    status: 'held',
    tests: tests('tool-choice'),
    mutations: [
      {
        ...mutate('options.isFirst || !isUsable ? undefined :', 'true ? undefined :'),
        tests: tests('tool-choice'),
      },
    ],
  },
];
