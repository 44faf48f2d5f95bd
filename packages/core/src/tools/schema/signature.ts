import { isRecord, listIn, ownProperty, truncate } from '../values/index.ts';
import { propertiesOf } from './schema.ts';

/** The most values of an `enum` that a signature lists. */
const MAX_VALUES = 4;
const MAX_LENGTH = 300;

/**
 * The parameters of a schema in one line, required ones first:
 * `owner: string, labels?: string[], state?: "open" | "closed"`. At most 300 characters. Types that are
 * not simple are left out.
 */
export function signatureOf(schema: unknown): string {
  const properties = propertiesOf(schema);
  const required = new Set(listIn(schema, 'required'));
  const names = Object.keys(properties);
  const ordered = [
    ...names.filter((name) => required.has(name)),
    ...names.filter((name) => !required.has(name)),
  ];
  const parts: string[] = [];
  let length = 0;
  for (const name of ordered) {
    const type = typeOf(properties[name]);
    const part = `${truncate(name, 60)}${required.has(name) ? '' : '?'}${type === '' ? '' : `: ${type}`}`;
    length += part.length + 2;
    if (length > MAX_LENGTH - 20)
      return [...parts, `and ${ordered.length - parts.length} more`].join(', ');
    parts.push(part);
  }
  return parts.join(', ');
}

function typeOf(schema: unknown): string {
  if (!isRecord(schema)) return '';
  const values = ownProperty(schema, 'enum');
  if (Array.isArray(values) && values.length > 0 && values.length <= MAX_VALUES) {
    const texts = values.map((value) => JSON.stringify(value) ?? '');
    if (texts.every((text) => text.length < 30)) return texts.join(' | ');
  }
  const type = ownProperty(schema, 'type');
  if (type === 'array') {
    const items = typeOf(ownProperty(schema, 'items'));
    return items === '' || items.includes(' ') ? 'array' : `${items}[]`;
  }
  return typeof type === 'string' ? truncate(type, 20) : '';
}
