import {
  type AgentApp,
  agent,
  type InitializeResponse,
  methods,
  PROTOCOL_VERSION,
} from '@agentclientprotocol/sdk';
import { VERSION } from '@toolfold/core/internal/version.ts';
import { refusalOf } from './refusals/index.ts';
import {
  type EditorSession,
  forkRequest,
  listSessions,
  type OpenSessions,
  titleRequest,
  UNSTABLE,
  UNSTABLE_CAPABILITIES,
} from './sessions/index.ts';

/**
 * The agent's side of the protocol: one handler for each method of version 1 that it offers. `opened` is called with each
 * message of the editor.
 */
export function agentApp(opened: () => OpenSessions): AgentApp {
  const { session } = methods.agent;
  /** Updates about a session stand behind the answer that names it. */
  const announced = (session: EditorSession) => {
    const { terminal, keys } = opened().host;
    setImmediate(() => {
      session
        .announce()
        .catch((error) => terminal.note(keys.hide(`An update was not sent: ${error}`)));
    });
    return { configOptions: session.options, modes: session.modes };
  };
  return agent({ name: 'toolfold' })
    .onRequest(methods.agent.initialize, ({ params }) => {
      opened().host.client.capabilities = params.clientCapabilities ?? {};
      return INITIALIZED;
    })
    .onRequest(session.new, ({ params }) =>
      answered(async () => {
        const session = await opened().create(params);
        return { sessionId: session.id, ...announced(session) };
      }),
    )
    .onRequest(session.list, ({ params }) =>
      answered(() => listSessions(opened().host.store, params)),
    )
    .onRequest(session.load, ({ params }) =>
      answered(async () => announced(await opened().reopen(params, true))),
    )
    .onRequest(session.resume, ({ params }) =>
      answered(async () => announced(await opened().reopen(params, false))),
    )
    .onRequest(UNSTABLE.fork, forkRequest, ({ params }) =>
      answered(async () => {
        const session = await opened().fork(params);
        return { sessionId: session.id, ...announced(session) };
      }),
    )
    .onRequest(UNSTABLE.setTitle, titleRequest, ({ params: { sessionId, title } }) =>
      answered(() => opened().rename(sessionId, title)),
    )
    .onRequest(session.prompt, ({ params, signal }) =>
      answered(() => opened().get(params.sessionId).prompt(params.prompt, signal)),
    )
    .onNotification(session.cancel, ({ params }) => opened().cancel(params.sessionId))
    .onRequest(session.setConfigOption, ({ params }) =>
      answered(async () => {
        const changed = opened().get(params.sessionId);
        await changed.setOption(params.configId, params.value);
        return { configOptions: changed.options };
      }),
    )
    .onRequest(session.setMode, ({ params }) =>
      answered(async () => {
        await opened().get(params.sessionId).setMode(params.modeId);
        return {};
      }),
    )
    .onRequest(session.close, ({ params }) => answered(() => opened().close(params.sessionId)))
    .onRequest(session.delete, ({ params }) => answered(() => opened().remove(params.sessionId)));
}

const SESSIONS = { list: {}, delete: {}, resume: {}, close: {}, ...UNSTABLE_CAPABILITIES };

const INITIALIZED: InitializeResponse = {
  protocolVersion: PROTOCOL_VERSION,
  agentInfo: { name: 'toolfold', title: 'Toolfold', version: VERSION },
  authMethods: [],
  agentCapabilities: {
    loadSession: true,
    promptCapabilities: { image: true, audio: false, embeddedContext: true },
    mcpCapabilities: { http: true, sse: true },
    sessionCapabilities: SESSIONS,
  },
};

/** Errors become answers of the protocol. */
async function answered<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw refusalOf(error);
  }
}
