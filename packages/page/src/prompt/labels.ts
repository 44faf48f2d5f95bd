import type { WireBar } from '../wire/index.ts';

/** What the pieces of a prompt are called, in the order of the legend, and the class of their colour. */
export const LABELS: Readonly<Record<string, readonly [name: string, colour: string]>> = {
  'inline-tools': ['tools, inline', 'inline'],
  'bridge-tools': ['tools that load others', 'bridge'],
  'deferred-tools': ['tools, deferred', 'bridge'],
  'system-text': ['instructions', 'system'],
  catalog: ['catalog of tools', 'catalog'],
  'loaded-schemas': ['loaded schemas', 'loaded'],
  'tool-results': ['results of tools', 'results'],
  history: ['messages', 'history'],
};

export function nameOf(label: string): string {
  return LABELS[label]?.[0] ?? label;
}

export function colourOf(label: string): string {
  return LABELS[label]?.[1] ?? 'history';
}

/** A mark in words. */
export function markWords({ mark }: WireBar): string {
  if (!mark) return '';
  const what = mark.label === undefined ? '' : ` (${nameOf(mark.label)})`;
  return mark.kind === 'broken'
    ? `Broke the cache${what}: ${mark.cause}`
    : `Missed the cache: ${mark.cause}`;
}

/** A share of a width in CSS. */
export function width(share: number): string {
  return `${Math.min(1, share) * 100}%`;
}

/** A share in percent. */
export function percent(share: number): string {
  return `${(share * 100).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`;
}
