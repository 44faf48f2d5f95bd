import { pick } from '../../tools/values/index.ts';
import { openSession, type Session } from '../store/index.ts';
import { addressesIn, FORMAT, type Header, VERSION } from './format.ts';

/**
 * A session as lines of JSON, without line ends: a header, its entries, the texts that they refer to, and
 * then the sessions of its subagents in the same form. It names no parent and no session that it is a
 * fork of. It holds all that was said, and the results of tools. Rejects with the errors of the store.
 */
export async function* exportSession(session: Session): AsyncGenerator<string, void> {
  const { store, id, entries } = session;
  const texts: { readonly address: string; readonly text: string }[] = [];
  for (const address of addressesIn(entries)) {
    const text = await store.text(address);
    // Other strings only look like an address.
    if (text !== undefined) texts.push({ address, text });
  }
  const children = await store.list({ parent: id });
  const header: Header = {
    format: FORMAT,
    version: VERSION,
    session: pick(session.record, 'id', 'createdAt', 'title', 'folder'),
    ...{ entries: entries.length, texts: texts.length, children: children.length },
  };
  yield JSON.stringify(header);
  for (const { id, parent, seq, kind, body, at } of entries)
    yield JSON.stringify({ id, parent, seq, kind, body, at });
  for (const text of texts) yield JSON.stringify(text);
  const inOrder = children.toSorted((a, b) => a.createdAt - b.createdAt);
  for (const child of inOrder) yield* exportSession(await openSession(store, child.id));
}
