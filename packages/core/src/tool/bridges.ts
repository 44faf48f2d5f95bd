import { ToolfoldError } from '../errors.ts';
import type { JsonSchema } from '../values/index.ts';
import { PLACEHOLDER } from './declared-tools.ts';
import { isLegalName } from './names.ts';
import type { BridgeKind, BridgeNames } from './strategies.ts';
import type { ToolDefinition } from './tool.ts';

/** Names that the chat template of a model family uses itself, and their replacements. */
const FAMILY_NAMES: readonly { readonly model: RegExp; readonly names: BridgeNames }[] = [
  // Qwen's template marks every call with <tool_call> (hermes-agent issue 110442).
  { model: /qwen|qwq/i, names: { tool_call: 'call_tool' } },
];

/** The name of the search in forms of `native` whose loader is called `tool_search`. */
export const OTHER_SEARCH_NAME = 'search_listed_tools';

const string = (description: string): JsonSchema => ({ type: 'string', description });
const strings = (description: string): JsonSchema => ({
  type: 'array',
  items: { type: 'string' },
  description,
});
const object = (properties: Record<string, JsonSchema>, required: string[] = []): JsonSchema => ({
  type: 'object',
  properties,
  required,
});

const callParameters = (nameKey: string): JsonSchema =>
  object(
    {
      [nameKey]: string('The tool to call. Write this first.'),
      arguments: {
        type: 'object',
        description: "The tool's own arguments, as its schema says.",
        additionalProperties: true,
      },
    },
    [nameKey, 'arguments'],
  );

/** The definition of each bridge tool. The text is fixed: it is part of the cached prefix. */
const DEFINITIONS: Readonly<Record<BridgeKind, Omit<ToolDefinition, 'name'>>> = {
  load_tools: {
    description: 'Show the parameters of tools that are listed but not loaded.',
    parameters: object(
      {
        group_id: string('A group from the list of tools.'),
        tool_names: strings('Only these tools of the group; leave out for all of them.'),
      },
      ['group_id'],
    ),
  },
  deferred_tool_call: {
    description:
      'Call a listed tool by name. Invalid arguments are answered with its schema and run nothing.',
    parameters: callParameters('tool_name'),
  },
  tool_search: {
    description: 'Find tools that are not declared, by what they do.',
    parameters: object({
      query: string(
        'One need in two to six words: verb, object, service ("create issue github"). Use the language of the tools.',
      ),
      limit: {
        type: 'integer',
        minimum: 1,
        maximum: 20,
        description: 'Matches wanted, 5 if left out.',
      },
      queries: strings('Several needs, one each, instead of query.'),
    }),
  },
  tool_describe: {
    description: "Show a tool's full schema.",
    parameters: object({
      name: string('The tool.'),
      names: strings('Several tools at once, instead of name.'),
    }),
  },
  tool_call: {
    description:
      'Call a tool by name that is not declared. Invalid arguments are answered with its schema and run nothing.',
    parameters: callParameters('name'),
  },
  request_tool: {
    description: 'Ask for a listed tool; from your next step on it is among your tools.',
    parameters: object({ name: string('The tool.') }, ['name']),
  },
};

export const bridgeKinds = Object.keys(DEFINITIONS) as readonly BridgeKind[];

/** The bridge tools under their names for one model, and every earlier name. */
export class Bridges {
  readonly names: Readonly<Record<BridgeKind, string>>;
  /** The bridge tool that each name on the wire means now, or meant in an earlier transcript. */
  readonly kinds: ReadonlyMap<string, BridgeKind>;

  constructor(overrides: BridgeNames, modelId: string | undefined) {
    const family = FAMILY_NAMES.find((row) => modelId !== undefined && row.model.test(modelId));
    const names = bridgeKinds.map(
      (kind) => [kind, overrides[kind] ?? family?.names[kind] ?? kind] as const,
    );
    this.names = Object.fromEntries(names) as Record<BridgeKind, string>;
    // Current names are set last. If an old name now means another bridge tool, the current
    // meaning wins.
    this.kinds = new Map([...formerNames(), ...names.map(([kind, name]) => [name, kind] as const)]);
  }

  definitionsOf(kinds: readonly BridgeKind[]): ToolDefinition[] {
    return kinds.map((kind) => ({ name: this.names[kind], ...DEFINITIONS[kind] }));
  }
}

function formerNames(): (readonly [string, BridgeKind])[] {
  const known = FAMILY_NAMES.flatMap((row) => Object.entries(row.names)) as [BridgeKind, string][];
  return [
    ...bridgeKinds.map((kind) => [kind, kind] as const),
    ...known.map(([kind, name]) => [name, kind] as const),
    [OTHER_SEARCH_NAME, 'tool_search'],
  ];
}

/**
 * Every name that a bridge tool may have with these overrides. No other tool may have such a
 * name.
 */
export function reservedNames(overrides: BridgeNames): Set<string> {
  for (const [kind, name] of Object.entries(overrides)) {
    if (!bridgeKinds.includes(kind as BridgeKind) || !isLegalName(name)) {
      throw new ToolfoldError(
        'invalid-option',
        `"${name}" cannot be the name of bridge tool "${kind}".`,
        `Bridge tools are ${bridgeKinds.join(', ')}; names are 1 to 64 of A-Z a-z 0-9 _ -.`,
      );
    }
  }
  // Names that a form of `native` may use, whatever the overrides.
  const names = new Set<string>(['tool_search', OTHER_SEARCH_NAME, PLACEHOLDER.name]);
  for (const kind of bridgeKinds) {
    const candidates = [kind, ...FAMILY_NAMES.map((row) => row.names[kind])];
    for (const name of overrides[kind] ? [overrides[kind]] : candidates) {
      if (name !== undefined) names.add(name);
    }
  }
  const families = [{}, ...FAMILY_NAMES.map((row) => row.names)];
  const clashes = families.some((family: BridgeNames) => {
    const current = bridgeKinds.map((kind) => overrides[kind] ?? family[kind] ?? kind);
    return new Set(current).size < bridgeKinds.length;
  });
  if (clashes) {
    throw new ToolfoldError(
      'invalid-option',
      'Two bridge tools have the same name.',
      'Give each bridge tool a name of its own in `names`.',
    );
  }
  return names;
}
