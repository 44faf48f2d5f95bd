import {
  applyEdits,
  createScanner,
  findNodeAtLocation,
  modify,
  type Node,
  parseTree,
} from 'jsonc-parser';
import type { AllowRule } from './tools.ts';

const PLACE = ['toolfold', 'approvals', 'allow'];

/** Adds what is allowed to `approvals.allow` in the text of a configuration file. The rest of the text does not change. */
export function withAllowed(text: string, allowed: AllowRule): string {
  const { unit, eol } = formatOf(text);
  const formattingOptions = {
    insertSpaces: !unit.startsWith('\t'),
    tabSize: unit.length,
    eol,
  };
  const edits = modify(text, [...PLACE, -1], allowed, {
    formattingOptions,
    isArrayInsertion: true,
  });
  return applyEdits(text, edits);
}

/**
 * Adds servers to the text of a configuration file, under `servers` if the file has that key, else
 * under `mcpServers`. The names must be new. The rest of the text does not change. Returns the same
 * text if there is no place for servers.
 */
export function withServers(
  text: string,
  servers: Iterable<readonly [name: string, entry: object]>,
): string {
  const root = parseTree(text, [], { allowTrailingComma: true });
  if (root?.type !== 'object') return text;
  const members = new Map(
    (root.children ?? []).map(({ children = [] }) => [children[0]?.value, children[1]]),
  );
  const place = members.get('servers') ?? members.get('mcpServers');
  if (place !== undefined)
    return place.type === 'object' ? insertMembers(text, place, servers) : text;
  return insertMembers(text, root, [['mcpServers', Object.fromEntries(servers)]]);
}

const EXPOSURE = ['toolfold', 'exposure'];

/**
 * Changes rules of `exposure` in the text of a configuration file; undefined removes a rule. A glob that is there gets
 * its value where it stands. A new rule, and one for a single name, comes last, because the last rule that matches a tool
 * wins. The rest of the text does not change, and comments stay. Returns the same text if there is no place for rules.
 */
export function withExposure(
  text: string,
  rules: Iterable<readonly [glob: string, exposure: string | undefined]>,
): string {
  let changed = text;
  const added = new Map<string, string>();
  for (const [glob, exposure] of new Map(rules)) {
    const root = parseTree(changed, [], { allowTrailingComma: true });
    const value = root && findNodeAtLocation(root, [...EXPOSURE, glob]);
    const rule = value?.parent;
    const isLast = rule !== undefined && rule === rule.parent?.children?.at(-1);
    if (value && exposure !== undefined && (glob.includes('*') || isLast)) {
      const end = value.offset + value.length;
      const now =
        value.value === exposure ? changed.slice(value.offset, end) : JSON.stringify(exposure);
      changed = changed.slice(0, value.offset) + now + changed.slice(end);
      continue;
    }
    if (rule) changed = withoutMember(changed, rule);
    if (exposure !== undefined) added.set(glob, exposure);
  }
  return addRules(changed, added);
}

function addRules(text: string, rules: ReadonlyMap<string, string>): string {
  const root = parseTree(text, [], { allowTrailingComma: true });
  // The deepest object of the path that is there.
  const found = [EXPOSURE, EXPOSURE.slice(0, 1), []].find(
    (keys) => root && findNodeAtLocation(root, keys)?.type === 'object',
  );
  const place = root && found && findNodeAtLocation(root, found);
  if (!place || !found || rules.size === 0) return text;
  // What is missing of the path stands around the rules.
  const missing = EXPOSURE.slice(found.length).reverse();
  const members = missing.reduce<object>(
    (inner, key) => ({ [key]: inner }),
    Object.fromEntries(rules),
  );
  return insertMembers(text, place, Object.entries(members));
}

/** Removes a member of an object with its comma, and its line if nothing else stands there. Comments stay. */
function withoutMember(text: string, member: Node): string {
  const siblings = member.parent?.children ?? [];
  const before = siblings[siblings.indexOf(member) - 1];
  const end = member.offset + member.length;
  const behind = commaAt(text, end);
  // Without one behind it, the comma before it would be the last thing in the object.
  const ahead =
    behind === undefined && before ? commaAt(text, before.offset + before.length) : undefined;
  const rest = text.slice(end, behind) + (behind === undefined ? '' : text.slice(behind + 1));
  const head = text.slice(0, member.offset);
  const start = ahead === undefined ? head : head.slice(0, ahead) + head.slice(ahead + 1);
  const [, gap = '', newline = ''] = /^([\t ]*)(\r?\n)?/.exec(rest) ?? [];
  const line = start.slice(start.lastIndexOf('\n') + 1);
  if (newline === '' || line.trim() !== '') return start + rest.slice(gap.length);
  return start.slice(0, start.length - line.length) + rest.slice(gap.length + newline.length);
}

/** The place of the comma that is the next thing behind an offset, outside comments. */
function commaAt(text: string, from: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(from);
  scanner.scan();
  const at = scanner.getTokenOffset();
  return text[at] === ',' ? at : undefined;
}

/** How a text is written: its unit of indentation and its line ends. */
interface TextFormat {
  readonly unit: string;
  readonly eol: string;
}

/** The indentation and the line ends that a text has. By default two spaces and `\n`. */
function formatOf(text: string): TextFormat {
  const unit = /^(\t+| +)\S/m.exec(text)?.[1] ?? '  ';
  return { unit, eol: text.includes('\r\n') ? '\r\n' : '\n' };
}

/**
 * Inserts members behind the last one of an object in a text. All other text stays: comments, and
 * the way in which the other members are written. `object` is a node of this text, and the names
 * must be new.
 */
function insertMembers(
  text: string,
  object: Node,
  members: Iterable<readonly [name: string, value: unknown]>,
): string {
  const { unit, eol } = formatOf(text);
  const end = object.offset + object.length - 1;
  const last = object.children?.at(-1);
  const outer = indentAt(text, object.offset).indent;
  const own = last && indentAt(text, last.offset);
  const inner = own?.isFirst ? own.indent : outer + unit;
  const lines = [...members].map(([name, value]) => {
    const json = JSON.stringify(value, null, unit).replaceAll('\n', `${eol}${inner}`);
    return `${inner}${JSON.stringify(name)}: ${json}`;
  });
  if (lines.length === 0) return text;
  // Behind the comments that follow the last member.
  const before = text.slice(0, end).trimEnd();
  const comma = last === undefined ? undefined : last.offset + last.length;
  const head =
    comma === undefined || commaAt(text, comma) !== undefined
      ? before
      : `${before.slice(0, comma)},${before.slice(comma)}`;
  const gap = text.slice(before.length, end);
  const tail = gap.includes('\n') ? gap : `${eol}${outer}`;
  return `${head}${eol}${lines.join(`,${eol}`)}${tail}${text.slice(end)}`;
}

/** The indentation of the line, and whether nothing else stands before the offset in it. */
function indentAt(text: string, offset: number): { indent: string; isFirst: boolean } {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  const indent = /^[\t ]*/.exec(line)?.[0] ?? '';
  return { indent, isFirst: indent === line };
}
