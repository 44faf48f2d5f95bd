import type {
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import * as z from '@toolfold/config/internal/config/schemas';
import { isRecord, ownProperty, parsedJson } from '@toolfold/core/internal/tools/values';

/** The version of the file format. Older programs do not read newer files. */
const VERSION = 1;

/** Milliseconds before the end of a token when it is refreshed. */
const MARGIN = 60_000;

/** A login whose answer is not there yet. */
export interface PendingLogin {
  /** Where the person logs in. */
  readonly url: string;
  readonly state: string;
  readonly codeVerifier: string;
  readonly redirectUrl: string;
}

/** What is kept about the login at one server. Every part can be absent. */
export interface StoredLogin {
  /** The client, with the issuer that it is registered with. Without the secret of the configuration. */
  readonly client?: StoredOAuthClientInformation;
  /** The tokens, with their issuer. */
  readonly tokens?: StoredOAuthTokens;
  /** When the tokens were received, in milliseconds since 1970. */
  readonly receivedAt?: number;
  /** The metadata of the server and of its authorization server. */
  readonly discovery?: OAuthDiscoveryState;
  readonly pending?: PendingLogin;
  /** Scopes that the server missed in a request. The next login asks for them. */
  readonly wantedScope?: string;
}

const PARTS = z.partial(
  z.object({
    client: z.object({ client_id: z.string(), issuer: z.string() }),
    tokens: z.object({
      ...{ access_token: z.string(), token_type: z.string(), issuer: z.string() },
      refresh_token: z.optional(z.string()),
      expires_in: z.optional(z.number()),
      scope: z.optional(z.string()),
    }),
    receivedAt: z.number(),
    discovery: z.object({
      authorizationServerUrl: z.string(),
      authorizationServerMetadata: z.optional(
        z.object({ issuer: z.string(), token_endpoint: z.string() }),
      ),
      resourceMetadata: z.optional(z.object({ resource: z.string() })),
    }),
    pending: z.object({
      ...{ url: z.string(), state: z.string() },
      ...{ codeVerifier: z.string(), redirectUrl: z.string() },
    }),
    wantedScope: z.string(),
  }),
);

/** The server that a login belongs to. */
export interface LoginOwner {
  readonly server: string;
  readonly url: string;
  /** The client id of the configuration, if it has one. */
  readonly clientId?: string;
}

/** A login, or why the text of a file holds none. */
export type ParsedLogin = { readonly login: StoredLogin } | { readonly problem: string };

/** The text of a login's file. */
export function formatLogin(login: StoredLogin, { server, url }: LoginOwner): string {
  return `${JSON.stringify({ version: VERSION, server, url, ...login }, null, 2)}\n`;
}

/** Reads the text of a login's file. Never throws. */
export function parseLogin(text: string, owner: LoginOwner): ParsedLogin {
  const value = parsedJson(text);
  const version = ownProperty(value, 'version');
  if (typeof version === 'number' && version > VERSION) {
    return { problem: 'its file was written by a newer version of Toolfold' };
  }
  if (!isRecord(value) || version !== VERSION) return { problem: 'its file is damaged' };
  const { version: _, server, url, ...parts } = value;
  if (server !== owner.server || url !== owner.url) {
    return { problem: 'its file belongs to another server' };
  }
  if (!PARTS.safeParse(parts).success) return { problem: 'its file is damaged' };
  const login = parts as StoredLogin;
  return isOfOneIssuer(login, owner) ?? { login };
}

/** Credentials of one issuer must not be used with the metadata of another. */
function isOfOneIssuer(login: StoredLogin, { clientId }: LoginOwner): ParsedLogin | undefined {
  const { client, tokens, discovery } = login;
  if (clientId !== undefined && client !== undefined && client.client_id !== clientId) {
    return { problem: 'it was made with another client id' };
  }
  if (tokens === undefined) return undefined;
  const issuers = [tokens.issuer, client?.issuer, discovery && issuerOf(discovery)];
  if (issuers.every((issuer) => issuer === tokens.issuer)) return undefined;
  return { problem: 'its file mixes several issuers' };
}

/** The issuer of tokens that were received with this metadata. */
export function issuerOf(discovery: OAuthDiscoveryState): string {
  return discovery.authorizationServerMetadata?.issuer ?? discovery.authorizationServerUrl;
}

/** Whether the access token ends soon or has ended. A token without a known end never does. */
export function isEnding({ tokens, receivedAt }: StoredLogin, now: number): boolean {
  if (tokens?.expires_in === undefined || receivedAt === undefined) return false;
  const lifetime = tokens.expires_in * 1000;
  // A token that lives for less than two minutes would otherwise be refreshed for every request.
  return now >= receivedAt + lifetime - Math.min(MARGIN, lifetime / 2);
}

/** When the access token ends, in milliseconds since 1970; `undefined` if that is unknown. */
export function endOf({ tokens, receivedAt }: StoredLogin): number | undefined {
  if (tokens?.expires_in === undefined || receivedAt === undefined) return undefined;
  return receivedAt + tokens.expires_in * 1000;
}
