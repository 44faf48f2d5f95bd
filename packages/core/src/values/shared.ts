import { getOrMake, Recent } from './recent.ts';

const MOST_VALUES = 10_000;
/** Of all contents. A value takes a few times the memory of its content. */
const MOST_CHARACTERS = 8_000_000;
/** Longer content is not kept, because it would displace much else. */
const MOST_OF_ONE = 1_000_000;

const values = new Recent<unknown>(MOST_VALUES, MOST_CHARACTERS);

/**
 * What is derived from content, once for all layers of a process: an app may create a layer in each request. Others get
 * the same value, so `make` depends on the content alone, and the value never changes and holds no function of an app.
 */
export function sharedByContent<V>(kind: string, content: string, make: () => V): V {
  return content.length > MOST_OF_ONE ? make() : getOrMake(values, `${kind} ${content}`, make);
}
