import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server as HttpServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';

/** A client of the authorization server. */
export interface OAuthServerClient {
  readonly secret?: string;
  /** The addresses for the answer. Without it, any address on 127.0.0.1 is accepted. */
  readonly redirectUris?: readonly string[];
}

/** Options of `startOAuthServer`. */
export interface OAuthServerOptions {
  /** The clock of the tokens, in milliseconds since 1970. */
  readonly now?: () => number;
  /** Seconds that an access token lives. `undefined` in the answer if it is 0. Default: 3,600. */
  readonly lifetime?: number;
  /** Clients that are registered from the start, by id. */
  readonly clients?: Readonly<Record<string, OAuthServerClient>>;
  /** Whether clients can register themselves. Default: true. */
  readonly registers?: boolean;
  /** Whether the server has an endpoint for revocation. Default: true. */
  readonly revokes?: boolean;
  /** Whether it sends its issuer with the code (RFC 9207). Default: true. */
  readonly sendsIssuer?: boolean;
  /** Whether it accepts the address of a metadata document as client id. Default: false. */
  readonly acceptsDocuments?: boolean;
  /** Whether a refresh token that is used twice makes all tokens invalid. Default: true. */
  readonly detectsReuse?: boolean;
  /** The scope that the MCP server names in its challenge. */
  readonly scope?: string;
  /** Whether answers with tokens name their scope. Default: true. */
  readonly saysScope?: boolean;
  /** Whether the MCP server lists its tools without a token. Calls still need one. Default: false. */
  readonly listsWithoutLogin?: boolean;
  /** Whether there is any login. Default: true. */
  readonly hasLogin?: boolean;
}

/** A request that the server received. */
export interface ReceivedRequest {
  readonly on: 'mcp' | 'authorization';
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** An answer that replaces the normal one. `hang`: no answer at all. */
export type Fault =
  | 'hang'
  | {
      readonly status: number;
      readonly type?: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body: string;
    };

/** An MCP server with an authorization server, each on its own port of 127.0.0.1. */
export interface OAuthServer {
  /** The address of the MCP server. */
  readonly url: string;
  readonly issuer: string;
  /** All requests, in the order of their arrival. */
  readonly requests: readonly ReceivedRequest[];
  /** The arguments of each tool call that was carried out. */
  readonly effects: readonly unknown[];
  /** Every token, code, verifier and secret that the server has given or seen. */
  readonly secrets: ReadonlySet<string>;
  /** Answers by path instead of the normal ones: `/token`, `/register`, `/revoke`, `/mcp`, … */
  readonly faults: Map<string, Fault>;
  /** Changes the parameters that the browser brings back. */
  changeAnswer: (parameters: URLSearchParams) => void;
  /** Changes the metadata of the authorization server. */
  changeMetadata: (metadata: Record<string, unknown>) => void;
  /** Called before each answer to a request for tokens, for example to wait for a second request. */
  beforeTokens: () => Promise<void>;
  /** Whether an access token is valid now. */
  accepts(token: string): boolean;
  /** Makes all access tokens invalid. Refresh tokens stay valid. */
  expireAll(): void;
  /** Makes all access and refresh tokens invalid. */
  revokeAll(): void;
  /** The requests to one path of the authorization server or to `/mcp`. */
  to(path: string): readonly ReceivedRequest[];
  close(): Promise<void>;
}

/** The result of `browse`. */
export interface Browsed {
  readonly status: number;
  readonly text: string;
}

/** What a browser sends when it opens an address in a window. */
const NAVIGATION = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };

/** Opens an address as a browser does, and follows its redirects. */
export async function browse(
  url: string,
  headers: Readonly<Record<string, string>> = NAVIGATION,
): Promise<Browsed> {
  const sent = request(url, { headers, agent: false }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const body = await text(response);
  const { location } = response.headers;
  if (location !== undefined) return browse(new URL(location, url).href, headers);
  return { status: response.statusCode ?? 0, text: body };
}

/** Starts both servers. They end with the test. */
export async function startOAuthServer(
  context: TestContext,
  options: OAuthServerOptions = {},
): Promise<OAuthServer> {
  const server = new Servers(options);
  await server.listen();
  context.after(() => server.close());
  return server;
}

interface Grant {
  readonly client: string;
  readonly scope: string;
}

interface CodeGrant extends Grant {
  readonly challenge: string;
  readonly redirectUri: string;
}

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

class Servers implements OAuthServer {
  readonly requests: ReceivedRequest[] = [];
  readonly effects: unknown[] = [];
  readonly secrets = new Set<string>();
  readonly faults = new Map<string, Fault>();
  changeAnswer: (parameters: URLSearchParams) => void = () => {};
  changeMetadata: (metadata: Record<string, unknown>) => void = () => {};
  beforeTokens: () => Promise<void> = () => Promise.resolve();
  readonly #options: OAuthServerOptions;
  readonly #now: () => number;
  readonly #clients: Map<string, OAuthServerClient>;
  readonly #codes = new Map<string, CodeGrant>();
  readonly #access = new Map<string, Grant & { readonly endsAt: number }>();
  readonly #refresh = new Map<string, Grant>();
  readonly #used = new Set<string>();
  readonly #mcp: HttpServer;
  readonly #authorization: HttpServer;
  readonly #handler = createMcpHandler(() => this.#mcpServer(), { legacy: 'stateless' });

  constructor(options: OAuthServerOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#clients = new Map(Object.entries(options.clients ?? {}));
    for (const { secret } of this.#clients.values()) if (secret) this.secrets.add(secret);
    this.#mcp = this.#serve('mcp', (request) => this.#answerMcp(request));
    this.#authorization = this.#serve('authorization', (request) => this.#authorize(request));
  }

  async listen(): Promise<void> {
    for (const server of [this.#mcp, this.#authorization]) {
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
    }
  }

  async close(): Promise<void> {
    for (const server of [this.#mcp, this.#authorization]) {
      server.close();
      server.closeAllConnections();
    }
  }

  get url(): string {
    return `${originOf(this.#mcp)}/mcp`;
  }

  get issuer(): string {
    return originOf(this.#authorization);
  }

  expireAll(): void {
    this.#access.clear();
  }

  revokeAll(): void {
    this.#access.clear();
    this.#refresh.clear();
  }

  to(path: string): readonly ReceivedRequest[] {
    return this.requests.filter((request) => request.path.split('?')[0] === path);
  }

  #serve(
    on: ReceivedRequest['on'],
    answer: (request: ReceivedRequest) => Promise<Answer>,
  ): HttpServer {
    return createServer(async (incoming, response) => {
      const request = await received(on, incoming);
      this.requests.push(request);
      const fault = this.faults.get(request.path.split('?')[0] ?? '');
      if (fault === 'hang') return;
      const { status, headers, body } =
        fault === undefined
          ? await answer(request)
          : {
              status: fault.status,
              headers: { 'content-type': fault.type ?? 'application/json', ...fault.headers },
              // The request is repeated, as some servers do. Nothing of it may be shown.
              body: fault.body
                .replace('{request}', request.body)
                .replace('{authorization}', request.headers.authorization ?? ''),
            };
      response.writeHead(status, headers);
      response.end(body);
    });
  }

  async #answerMcp(request: ReceivedRequest): Promise<Answer> {
    const { method, path, headers, body } = request;
    const { hasLogin = true, listsWithoutLogin = false } = this.#options;
    if (hasLogin && path === '/.well-known/oauth-protected-resource/mcp') {
      return json(200, { resource: this.url, authorization_servers: [this.issuer] });
    }
    if (path !== '/mcp') return { status: 404 };
    const token = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '';
    const isCall = body.includes('"tools/call"');
    const isOpen =
      !hasLogin || (listsWithoutLogin && !isCall && headers.authorization === undefined);
    if (!isOpen && !this.accepts(token)) return this.#challenge(token);
    const answer = await this.#handler.fetch(
      new Request(this.url, { method, headers, ...(method === 'POST' ? { body } : {}) }),
    );
    return {
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      body: await answer.text(),
    };
  }

  accepts(token: string): boolean {
    return this.#now() < (this.#access.get(token)?.endsAt ?? 0);
  }

  #challenge(token: string): Answer {
    const { scope } = this.#options;
    const metadata = `${new URL(this.url).origin}/.well-known/oauth-protected-resource/mcp`;
    const parts = [
      `resource_metadata="${metadata}"`,
      ...(scope === undefined ? [] : [`scope="${scope}"`]),
      ...(token === '' ? [] : ['error="invalid_token"']),
    ];
    return {
      status: 401,
      headers: { 'www-authenticate': `Bearer ${parts.join(', ')}` },
      body: `The token ${token} is not valid.`,
    };
  }

  #mcpServer(): Server {
    const server = new Server({ name: 'vault', version: '1' }, { capabilities: { tools: {} } });
    server.setRequestHandler('tools/list', () => ({
      tools: ['put', 'get'].map((name) => ({ name, inputSchema: { type: 'object' as const } })),
    }));
    server.setRequestHandler('tools/call', (request) => {
      this.effects.push(request.params.arguments);
      return { content: [{ type: 'text', text: `done ${this.effects.length}` }] };
    });
    return server;
  }

  async #authorize(request: ReceivedRequest): Promise<Answer> {
    const { method, path, body } = request;
    const url = new URL(path, this.issuer);
    const { registers = true, revokes = true } = this.#options;
    const route = `${method} ${url.pathname}`;
    if (route === 'GET /.well-known/oauth-authorization-server') return json(200, this.#metadata());
    if (route === 'GET /authorize') return this.#redirect(url.searchParams);
    if (route === 'POST /register' && registers) return this.#register(body);
    if (route === 'POST /token') {
      await this.beforeTokens();
      return this.#tokens(new URLSearchParams(body), request.headers.authorization);
    }
    if (route === 'POST /revoke' && revokes) {
      const token = new URLSearchParams(body).get('token') ?? '';
      this.#access.delete(token);
      this.#refresh.delete(token);
      return { status: 200 };
    }
    return { status: 404 };
  }

  #metadata(): Record<string, unknown> {
    const {
      registers = true,
      revokes = true,
      sendsIssuer = true,
      acceptsDocuments,
    } = this.#options;
    const metadata = {
      issuer: this.issuer,
      authorization_endpoint: `${this.issuer}/authorize`,
      token_endpoint: `${this.issuer}/token`,
      ...(registers && { registration_endpoint: `${this.issuer}/register` }),
      ...(revokes && { revocation_endpoint: `${this.issuer}/revoke` }),
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
      authorization_response_iss_parameter_supported: sendsIssuer,
      ...(acceptsDocuments && { client_id_metadata_document_supported: true }),
    };
    this.changeMetadata(metadata);
    return metadata;
  }

  #register(body: string): Answer {
    const { redirect_uris, ...rest } = JSON.parse(body);
    const id = `client-${randomUUID()}`;
    this.#clients.set(id, { redirectUris: redirect_uris });
    return json(201, { ...rest, redirect_uris, client_id: id });
  }

  #redirect(parameters: URLSearchParams): Answer {
    const get = (name: string): string => parameters.get(name) ?? '';
    const client = this.#clientOf(get('client_id'));
    const redirectUri = get('redirect_uri');
    const isKnown =
      client?.redirectUris?.includes(redirectUri) ??
      (client !== undefined && redirectUri.startsWith('http://127.0.0.1:'));
    if (!isKnown || get('code_challenge_method') !== 'S256' || get('response_type') !== 'code') {
      return { status: 400, body: 'invalid_request' };
    }
    const code = this.#secret('code');
    this.#codes.set(code, {
      client: get('client_id'),
      scope: get('scope'),
      challenge: get('code_challenge'),
      redirectUri,
    });
    const answer = new URLSearchParams({ code, state: get('state') });
    this.secrets.add(get('state'));
    if (this.#options.sendsIssuer !== false) answer.set('iss', this.issuer);
    this.changeAnswer(answer);
    return { status: 302, headers: { location: `${redirectUri}?${answer}` } };
  }

  #tokens(form: URLSearchParams, authorization: string | undefined): Answer {
    const get = (name: string): string => form.get(name) ?? '';
    if (get('code_verifier') !== '') this.secrets.add(get('code_verifier'));
    const basic = /^Basic (.+)$/.exec(authorization ?? '')?.[1] ?? '';
    const [basicId, basicSecret] = Buffer.from(basic, 'base64').toString().split(':');
    const id = basicId || get('client_id') || issuerOfJwt(get('client_assertion'));
    const client = this.#clientOf(id);
    const secret = basicSecret ?? form.get('client_secret') ?? undefined;
    const isSigned = get('client_assertion') !== '';
    if (client === undefined || (client.secret !== secret && !isSigned)) {
      return json(401, { error: 'invalid_client', error_description: `wrong: ${form}` });
    }
    const grant = get('grant_type');
    if (grant === 'client_credentials') {
      return this.#give({ client: id, scope: get('scope') }, false);
    }
    if (grant === 'refresh_token') return this.#renew(get('refresh_token'), id);
    const code = this.#codes.get(get('code'));
    this.#codes.delete(get('code'));
    const challenge = createHash('sha256').update(get('code_verifier')).digest('base64url');
    const isSound =
      code?.client === id &&
      code.challenge === challenge &&
      code.redirectUri === get('redirect_uri');
    return isSound ? this.#give(code, true) : invalidGrant(form);
  }

  /** Each refresh token is valid once. If it is used again, all tokens become invalid. */
  #renew(token: string, client: string): Answer {
    const grant = this.#refresh.get(token);
    const { detectsReuse = true } = this.#options;
    if (detectsReuse && this.#used.has(token)) this.revokeAll();
    if (grant?.client !== client) return invalidGrant(new URLSearchParams({ token }));
    this.#refresh.delete(token);
    this.#used.add(token);
    return this.#give(grant, true);
  }

  #give({ client, scope }: Grant, isRefreshable: boolean): Answer {
    const { lifetime = 3600, saysScope = true } = this.#options;
    const access = this.#secret('access');
    const seconds = lifetime === 0 ? Number.POSITIVE_INFINITY : lifetime;
    this.#access.set(access, { client, scope, endsAt: this.#now() + seconds * 1000 });
    const refresh = isRefreshable ? this.#secret('refresh') : undefined;
    if (refresh !== undefined) this.#refresh.set(refresh, { client, scope });
    return json(200, {
      access_token: access,
      token_type: 'Bearer',
      ...(lifetime === 0 ? {} : { expires_in: lifetime }),
      ...(refresh === undefined ? {} : { refresh_token: refresh }),
      ...(scope === '' || !saysScope ? {} : { scope }),
    });
  }

  #clientOf(id: string): OAuthServerClient | undefined {
    const isDocument = this.#options.acceptsDocuments && id.startsWith('https:');
    return isDocument ? {} : this.#clients.get(id);
  }

  #secret(kind: string): string {
    const secret = `${kind}-${randomUUID()}`;
    this.secrets.add(secret);
    return secret;
  }
}

async function received(
  on: ReceivedRequest['on'],
  incoming: IncomingMessage,
): Promise<ReceivedRequest> {
  const { method = '', url: path = '', headers } = incoming;
  const body = (await buffer(incoming)).toString();
  return { on, method, path, headers: headers as Record<string, string>, body };
}

function originOf(server: HttpServer): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function json(status: number, value: unknown): Answer {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) };
}

function invalidGrant(form: URLSearchParams): Answer {
  return json(400, { error: 'invalid_grant', error_description: `not valid: ${form}` });
}

/** The client in a signed assertion. The signature is not checked. */
function issuerOfJwt(assertion: string): string {
  const payload = assertion.split('.')[1];
  if (payload === undefined) return '';
  return JSON.parse(Buffer.from(payload, 'base64url').toString()).iss ?? '';
}
