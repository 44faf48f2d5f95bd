import { bytesUpTo, ownProperty } from '../../tools/values/index.ts';

/** What is asked for a list of models, and how. */
export interface ListQuery {
  /** Without the path of the list. */
  readonly address: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Most bytes of the answer. */
  readonly limit: number;
  /** Whether the answer must say that it is a list of models, because anything may answer there. */
  readonly isStrict?: boolean;
}

/** Most models of one provider. */
const MOST = 1_000;
/** An id is printed on lines and typed by users. */
const ID = /^[\x21-\x7e]{1,200}$/;

/**
 * The ids of the models that an endpoint lists. Undefined for anything but a list of this form, for one that
 * is too long, and if the signal fires. A redirect is not followed: the headers may hold a key.
 */
export async function listedModels(query: ListQuery): Promise<readonly string[] | undefined> {
  const { address, headers = {}, signal, limit, isStrict = false } = query;
  try {
    const url = `${address.replace(/\/+$/, '')}/models`;
    const response = await fetch(url, { headers: { ...headers }, signal, redirect: 'error' });
    if (response.status !== 200 || response.body === null) {
      await response.body?.cancel();
      return;
    }
    const { bytes, isWhole } = await bytesUpTo(limit, response.body);
    return isWhole ? idsIn(JSON.parse(new TextDecoder().decode(bytes)), isStrict) : undefined;
  } catch {
    return;
  }
}

function idsIn(answer: unknown, isStrict: boolean): readonly string[] | undefined {
  const data = ownProperty(answer, 'data');
  if (!Array.isArray(data) || (isStrict && ownProperty(answer, 'object') !== 'list')) return;
  const models = data.filter((one) => !isStrict || ownProperty(one, 'object') === 'model');
  const ids = models.map((one) => ownProperty(one, 'id'));
  const known = ids.filter((id) => typeof id === 'string' && ID.test(id)) as string[];
  return known.length === 0 ? undefined : [...new Set(known)].slice(0, MOST);
}
