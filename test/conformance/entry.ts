import { ownProperty } from '../../packages/core/src/values/json.ts';
import type { Request } from './request.ts';

/** The client metadata that the suite's authorization server knows. Nobody fetches it. */
const CLIENT_METADATA = 'https://conformance-test.local/client-metadata.json';

/** Variables of the configuration file that hold secrets, with the name in the suite's context. */
const SECRETS = [
  ['clientSecret', 'client_secret', 'CLIENT_SECRET'],
  ['privateKey', 'private_key_pem', 'PRIVATE_KEY'],
] as const;

/** A configuration file with one server, and the environment that fills in its variables. */
export interface ConfigurationFile {
  readonly text: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The file that a user of the scenario's server would write. `scopes`: those that the user has added. */
export function configurationFile(
  server: string,
  request: Request,
  scopes: readonly string[],
): ConfigurationFile {
  const { url, scenario, context } = request;
  const oauth: Record<string, unknown> = { scopes };
  const env: Record<string, string> = {};
  if (scenario === 'auth/basic-cimd') oauth.clientMetadataUrl = CLIENT_METADATA;
  if (scenario.startsWith('auth/client-credentials')) oauth.grant = 'client-credentials';
  oauth.clientId = ownProperty(context, 'client_id');
  oauth.issuer = ownProperty(context, 'issuer');
  oauth.algorithm = ownProperty(context, 'signing_algorithm');
  for (const [key, name, variable] of SECRETS) {
    const value = ownProperty(context, name);
    if (typeof value !== 'string') continue;
    oauth[key] = `\${${variable}}`;
    env[variable] = value;
  }
  return { text: JSON.stringify({ mcpServers: { [server]: { url, oauth } } }), env };
}
