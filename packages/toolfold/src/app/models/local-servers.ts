import { usageError } from '../terminal/index.ts';
import { listedModels } from './listed-models.ts';
import { addressOf, LOCAL_PORTS } from './well-known.ts';

/** A server on this computer that has models. */
export interface LocalServer {
  /** What stands before the slash in the names of its models. */
  readonly provider: string;
  readonly address: string;
  readonly models: readonly string[];
}

/** The variable with the ports that are asked. An empty one asks none. */
const PORTS_VARIABLE = 'TOOLFOLD_LOCAL_PORTS';
const HOSTS = ['127.0.0.1', '[::1]'];
/** Milliseconds for all ports together. */
const PATIENCE = 300;
const MOST_BYTES = 256_000;
/** Nothing is known of what listens at a port. */
const UNKNOWN = { protocol: 'openai-compatible', keys: [], key: undefined } as const;

/** The ports that are asked. Throws `invalid-option` for a malformed variable. */
export function localPorts(env: Readonly<Record<string, string | undefined>>): readonly number[] {
  const given = env[PORTS_VARIABLE];
  if (given === undefined) return Object.values(LOCAL_PORTS);
  const ports = given
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(Number);
  if (ports.every((port) => Number.isInteger(port) && port > 0 && port < 65_536)) return ports;
  throw usageError(
    `The variable ${PORTS_VARIABLE} holds something else than ports.`,
    'Write them as 11434,8080. An empty variable means none.',
  );
}

/** Asks all ports side by side which models they have. Sends nothing else, and no key. Never rejects. */
export async function findLocalServers(
  ports: readonly number[],
  patience: number = PATIENCE,
): Promise<readonly LocalServer[]> {
  if (ports.length === 0) return [];
  const signal = AbortSignal.timeout(patience);
  const asked = ports.map(async (port) => {
    const provider = providerAt(port);
    const addresses = HOSTS.map((host) => addressOf(host, port));
    const answers = await Promise.all(
      addresses.map((address) => listedModels({ ...UNKNOWN, address }, signal, MOST_BYTES)),
    );
    // A server mostly listens at both. One name has one address: the first that answers.
    const at = answers.findIndex((models) => models !== undefined);
    const [address, models] = [addresses[at], answers[at]];
    return address !== undefined && models ? [{ provider, address, models }] : [];
  });
  return (await Promise.all(asked)).flat();
}

function providerAt(port: number): string {
  return Object.entries(LOCAL_PORTS).find(([, one]) => one === port)?.[0] ?? `local-${port}`;
}
