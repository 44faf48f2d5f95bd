import type { LanguageModelV4 } from '@ai-sdk/provider';
import {
  type ModelServer,
  type RecordedRequest,
  startModelServer,
} from '../../packages/testing/src/index.ts';
import type { Endpoint } from './endpoints.ts';
import type { Model } from './model.ts';
import { type WireRefusal, watchedFetch } from './watch.ts';

/** The scripted model behind its server, with the requests and refusals since they were last taken. */
export class Wire {
  readonly model: Model;
  readonly #server: ModelServer;
  #refusals: WireRefusal[] = [];
  #seen = 0;

  static async open(model: Model): Promise<Wire> {
    const script = (request: RecordedRequest) => model.answer(request);
    return new Wire(model, await startModelServer({ script, countTokens: () => 1 }));
  }

  private constructor(model: Model, server: ModelServer) {
    this.model = model;
    this.#server = server;
  }

  /** One of the two models of an endpoint. */
  provider({ model, modelIds }: Endpoint, which: 0 | 1): LanguageModelV4 {
    const { baseUrl } = this.#server;
    const fetch = watchedFetch((refusal) => this.#refusals.push(refusal));
    return model({ baseUrl, fetch }, modelIds[which]);
  }

  takeRequests(): RecordedRequest[] {
    const requests = this.#server.requests.slice(this.#seen);
    this.#seen = this.#server.requests.length;
    return requests;
  }

  takeRefusals(): WireRefusal[] {
    const refusals = this.#refusals;
    this.#refusals = [];
    return refusals;
  }

  close(): Promise<void> {
    return this.#server.close();
  }
}
