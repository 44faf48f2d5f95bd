import { randomBytes } from 'node:crypto';
import type {
  AddClientAuthentication,
  OAuthClientInformationContext,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import { pick } from '@toolfold/core/internal/values';
import type { OAuthEntry } from '../config/index.ts';
import { importSdk } from '../sdk.ts';
import type { LoginContext } from './login-context.ts';
import { issuerOf, type PendingLogin, type StoredLogin } from './login-store.ts';

const DEFAULT_OAUTH: OAuthEntry = { grant: 'authorization-code', scopes: [] };

interface OAuthClientOptions extends Pick<LoginContext, 'entry' | 'secrets' | 'now'> {
  /** What the flow starts with. */
  readonly login: StoredLogin;
  /** Where the browser brings the answer. `undefined` for grants without a person. */
  readonly redirectUrl?: string;
}

/**
 * The client in one OAuth flow of the SDK. It keeps what the flow produces in `login`, and saves nothing:
 * an interrupted flow leaves the earlier login as it was.
 */
export class OAuthClient implements OAuthClientProvider {
  /** What the flow has produced so far. */
  login: StoredLogin;
  /** The address where the person logs in, once the flow has asked for it. */
  authorizationUrl: URL | undefined;
  readonly redirectUrl: string | undefined;
  readonly clientMetadataUrl?: string;
  /** Absent for a client that is already registered: the SDK must not register another one. */
  readonly saveClientInformation?: (client: StoredOAuthClientInformation) => void;
  readonly addClientAuthentication?: AddClientAuthentication;
  /** Present for grants without a person. */
  readonly prepareTokenRequest?: (scope?: string) => URLSearchParams;
  readonly #oauth: OAuthEntry;
  readonly #options: OAuthClientOptions;
  #state: string | undefined;
  #codeVerifier: string | undefined;

  constructor(options: OAuthClientOptions) {
    const { login, redirectUrl } = options;
    const { oauth = DEFAULT_OAUTH } = options.entry;
    this.#options = options;
    this.login = login;
    this.redirectUrl = redirectUrl;
    this.#oauth = oauth;
    this.#state = login.pending?.state;
    this.#codeVerifier = login.pending?.codeVerifier;
    if (oauth.clientMetadataUrl !== undefined) this.clientMetadataUrl = oauth.clientMetadataUrl;
    if (oauth.privateKey !== undefined) this.addClientAuthentication = signedRequests(oauth);
    if (oauth.grant === 'client-credentials') this.prepareTokenRequest = clientCredentials;
    if (oauth.clientId === undefined) {
      this.saveClientInformation = (client) => {
        this.#options.secrets.add([client.client_secret]);
        this.login = { ...this.login, client };
      };
    }
  }

  get clientMetadata(): OAuthClientMetadata {
    const { grant, scopes } = this.#oauth;
    const isInteractive = grant === 'authorization-code';
    return {
      client_name: 'Toolfold',
      redirect_uris: this.redirectUrl === undefined ? [] : [this.redirectUrl],
      grant_types: isInteractive ? ['authorization_code', 'refresh_token'] : ['client_credentials'],
      response_types: isInteractive ? ['code'] : [],
      token_endpoint_auth_method: 'none',
      ...(scopes.length === 0 ? {} : { scope: scopes.join(' ') }),
    };
  }

  /** What is needed to finish the flow later. Throws if the address is not one for browsers. */
  get pending(): PendingLogin | undefined {
    const { redirectUrl, authorizationUrl } = this;
    if (this.#state === undefined || this.#codeVerifier === undefined) return undefined;
    if (redirectUrl === undefined || authorizationUrl === undefined) return undefined;
    const url = checkedAddress(authorizationUrl);
    return { url, state: this.#state, codeVerifier: this.#codeVerifier, redirectUrl };
  }

  state(): string {
    this.#state = randomBytes(32).toString('base64url');
    this.#options.secrets.add([this.#state]);
    return this.#state;
  }

  clientInformation(
    context?: OAuthClientInformationContext,
  ): StoredOAuthClientInformation | undefined {
    const { clientId, clientSecret, issuer } = this.#oauth;
    const { client } = this.login;
    if (clientId === undefined) return client;
    // A client without a known issuer belongs to the issuer of its first login.
    const known = issuer ?? client?.issuer ?? context?.issuer;
    const all = { client_id: clientId, client_secret: clientSecret, issuer: known };
    return pick(all, 'client_id', 'client_secret', 'issuer');
  }

  tokens(): StoredOAuthTokens | undefined {
    return this.login.tokens;
  }

  saveTokens(tokens: StoredOAuthTokens): void {
    this.#options.secrets.add([tokens.access_token, tokens.refresh_token, tokens.id_token]);
    // A token of another type is not sent as one that its mere holder may use.
    if (tokens.token_type.toLowerCase() !== 'bearer')
      throw new Error('its authorization server gave a token that is no bearer token');
    const { clientId } = this.#oauth;
    const { issuer } = tokens;
    const own = clientId === undefined ? this.login.client : { client_id: clientId, issuer };
    const { pending, ...rest } = this.login;
    const url = this.authorizationUrl ?? URL.parse(pending?.url ?? '');
    // An answer without a scope has the scope that was asked for (RFC 6749, section 5.1).
    const scope = tokens.scope ?? url?.searchParams.get('scope') ?? rest.tokens?.scope;
    this.login = {
      ...rest,
      ...(own && { client: own }),
      tokens: scope === undefined ? tokens : { ...tokens, scope },
      receivedAt: this.#options.now(),
    };
  }

  redirectToAuthorization(url: URL): void {
    this.authorizationUrl = url;
  }

  saveCodeVerifier(codeVerifier: string): void {
    this.#options.secrets.add([codeVerifier]);
    this.#codeVerifier = codeVerifier;
  }

  codeVerifier(): string {
    if (this.#codeVerifier === undefined) throw new Error('the login was not started here');
    return this.#codeVerifier;
  }

  saveDiscoveryState(discovery: OAuthDiscoveryState): void {
    const { issuer } = this.#oauth;
    const found = issuerOf(discovery);
    if (issuer !== undefined && found.replace(/\/$/, '') !== issuer.replace(/\/$/, '')) {
      throw new Error(`its authorization server is ${found} and not the configured "oauth.issuer"`);
    }
    const { authorizationServerMetadata: metadata } = discovery;
    const methods = metadata?.code_challenge_methods_supported ?? [];
    if (this.#oauth.grant === 'authorization-code' && !methods.includes('S256'))
      throw new Error('its authorization server does not say that it supports PKCE with S256');
    this.login = { ...this.login, discovery };
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.login.discovery;
  }

  invalidateCredentials(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): void {
    const has = (part: string): boolean => scope !== part && scope !== 'all';
    this.login = {
      ...(has('client') && pick(this.login, 'client')),
      ...(has('tokens') && pick(this.login, 'tokens', 'receivedAt')),
      ...(has('discovery') && pick(this.login, 'discovery')),
    };
  }
}

/** The request for tokens with the client's own credentials (RFC 6749, section 4.4.2). */
function clientCredentials(scope?: string): URLSearchParams {
  const request = new URLSearchParams({ grant_type: 'client_credentials' });
  if (scope !== undefined) request.set('scope', scope);
  return request;
}

/** Signs the client's requests with its private key (RFC 7523), by the SDK. */
function signedRequests(oauth: OAuthEntry): AddClientAuthentication {
  const { clientId = '', privateKey = '', algorithm = 'RS256' } = oauth;
  return async (headers, params, url, metadata) => {
    const { createPrivateKeyJwtAuth } = await importSdk();
    const sign = createPrivateKeyJwtAuth({
      ...{ issuer: clientId, subject: clientId },
      ...{ privateKey, alg: algorithm },
    });
    await sign(headers, params, url, metadata);
  };
}

/** The address as text. An address of another scheme could start a program. */
function checkedAddress(url: URL): string {
  const isLoopback = ['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname);
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback)) return url.href;
  throw new Error('its authorization server has no https address');
}
