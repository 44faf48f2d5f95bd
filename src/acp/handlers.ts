import {
  type AgentApp,
  agent,
  type ClientCapabilities,
  type InitializeResponse,
  methods,
  PROTOCOL_VERSION,
} from '@agentclientprotocol/sdk';
import type { SessionStore } from '../sessions/index.ts';
import { VERSION } from '../version.ts';
import { refusalOf } from './refusals/index.ts';
import { type EditorSession, listSessions, type OpenSessions } from './sessions/index.ts';
import type { EditorFeatures } from './updates/index.ts';

/** What the handlers work on. */
export interface HandlerParts {
  readonly store: SessionStore;
  readonly sessions: OpenSessions;
  /** Called with what the editor can do. */
  readonly onFeatures: (features: EditorFeatures) => void;
  /** Writes what a notification caused to go wrong. */
  readonly note: (line: string) => void;
}

/** The agent's side of the protocol: one handler for each method of the stable version 1 that it offers. */
export function agentApp({ store, sessions, onFeatures, note }: HandlerParts): AgentApp {
  const { session } = methods.agent;
  return agent({ name: 'toolfold' })
    .onRequest(methods.agent.initialize, ({ params }) => {
      onFeatures(featuresOf(params.clientCapabilities));
      return INITIALIZED;
    })
    .onRequest(session.new, ({ params }) =>
      answered(async () => {
        const opened = await sessions.create(params);
        afterAnswer(() => opened.announce(), note);
        return { sessionId: opened.id, configOptions: opened.options };
      }),
    )
    .onRequest(session.list, ({ params }) => answered(() => listSessions(store, params)))
    .onRequest(session.load, ({ params }) =>
      answered(async () => reopened(await sessions.reopen(params.sessionId, params, true), note)),
    )
    .onRequest(session.resume, ({ params }) =>
      answered(async () => reopened(await sessions.reopen(params.sessionId, params, false), note)),
    )
    .onRequest(session.prompt, ({ params, signal }) =>
      answered(() => sessions.get(params.sessionId).prompt(params.prompt, signal)),
    )
    .onNotification(session.cancel, ({ params }) => sessions.cancel(params.sessionId))
    .onRequest(session.setConfigOption, ({ params }) =>
      answered(async () => {
        const changed = sessions.get(params.sessionId);
        changed.setOption(params.configId, params.value);
        return { configOptions: changed.options };
      }),
    )
    .onRequest(session.close, ({ params }) =>
      answered(async () => {
        await sessions.close(params.sessionId);
        return {};
      }),
    )
    .onRequest(session.delete, ({ params }) =>
      answered(async () => {
        await sessions.remove(params.sessionId);
        return {};
      }),
    );
}

const INITIALIZED: InitializeResponse = {
  protocolVersion: PROTOCOL_VERSION,
  agentInfo: { name: 'toolfold', title: 'Toolfold', version: VERSION },
  authMethods: [],
  agentCapabilities: {
    loadSession: true,
    promptCapabilities: { image: false, audio: false, embeddedContext: true },
    mcpCapabilities: { http: true, sse: true },
    sessionCapabilities: { list: {}, delete: {}, resume: {}, close: {} },
  },
};

function featuresOf({ session, elicitation }: ClientCapabilities = {}): EditorFeatures {
  const pages = isGiven(elicitation?.url) ? 'url' : 'form';
  return {
    elicitation: isGiven(elicitation?.form) ? pages : undefined,
    notices: isGiven(session?.notices),
    compaction: isGiven(session?.compaction),
    booleans: isGiven(session?.configOptions?.boolean),
  };
}

function isGiven(capability: object | null | undefined): boolean {
  return capability !== undefined && capability !== null;
}

function reopened(session: EditorSession, note: HandlerParts['note']) {
  afterAnswer(() => session.announce(), note);
  return { configOptions: session.options };
}

/** Errors become answers of the protocol. */
async function answered<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw refusalOf(error);
  }
}

/** Sends updates about a session behind the answer that names it. */
function afterAnswer(send: () => Promise<void>, note: HandlerParts['note']): void {
  setImmediate(() => {
    send().catch((error) => note(`An update was not sent: ${error}`));
  });
}
