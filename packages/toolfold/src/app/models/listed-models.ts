import { bytesUpTo, ownProperty } from '@toolfold/core/internal/tools/values';
import type { Endpoint } from './providers.ts';

/** Most models of one provider. */
const MOST = 1_000;
/** An id is printed on lines and typed by users. */
const ID = /^[\x21-\x7e]{1,200}$/;

/**
 * The ids of the models that an endpoint lists. Undefined for anything but a list of this form, for one of more than
 * `limit` bytes, and if the signal fires. Where no key is sent anything may answer, so the answer must say what it is.
 * A redirect is not followed: the headers may hold a key.
 */
export async function listedModels(
  { address, protocol, keys, key }: Omit<Endpoint, 'provider' | 'needsKey'>,
  signal: AbortSignal,
  limit: number,
): Promise<readonly string[] | undefined> {
  if (address === undefined) return;
  try {
    const url = `${address.replace(/\/+$/, '')}/models`;
    const headers = headersOf(protocol, key?.value);
    const response = await fetch(url, { headers, signal, redirect: 'error' });
    if (response.status !== 200 || response.body === null) {
      await response.body?.cancel();
      return;
    }
    const { bytes, isWhole } = await bytesUpTo(limit, response.body);
    if (isWhole) return idsIn(JSON.parse(new TextDecoder().decode(bytes)), keys.length === 0);
    return;
  } catch {
    return;
  }
}

function headersOf(protocol: Endpoint['protocol'], key: string | undefined): HeadersInit {
  if (key === undefined) return {};
  return protocol === 'anthropic'
    ? { 'x-api-key': key, 'anthropic-version': '2023-06-01' }
    : { authorization: `Bearer ${key}` };
}

function idsIn(answer: unknown, isStrict: boolean): readonly string[] | undefined {
  const data = ownProperty(answer, 'data');
  if (!Array.isArray(data) || (isStrict && ownProperty(answer, 'object') !== 'list')) return;
  const models = data.filter((one) => !isStrict || ownProperty(one, 'object') === 'model');
  const ids = models.map((one) => ownProperty(one, 'id'));
  const known = ids.filter((id) => typeof id === 'string' && ID.test(id)) as string[];
  return known.length === 0 ? undefined : [...new Set(known)].slice(0, MOST);
}
