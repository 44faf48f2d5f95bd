import { callsOn, toolsOn } from '../../packages/ai-sdk/test/wire.test-support.ts';
import type { RecordedRequest, Reply } from '../../packages/testing/src/index.ts';
import { recordsOf } from '../../packages/testing/src/wire/recorded-request.ts';
import { MOVES, type Move } from './model-moves.ts';
import type { Random } from './random.ts';
import type { Trace } from './trace.ts';
import type { World } from './world.ts';

/** After this number of requests in one turn, the model calls no more tools. */
const LONGEST_TURN = 9;

/** The scripted model of a session. It draws its answers from the seed of the turn. */
export class Model {
  /** The moves of this turn that break it. */
  faults: Move[] = [];
  /** The answer to each request. */
  readonly answers: WeakMap<RecordedRequest, { readonly move: Move; readonly reply: Reply }> =
    new WeakMap();
  /** The answer to every request, if only the requests are of interest. */
  fixed: Reply | undefined;
  #random: Random | undefined;
  #requests = 0;
  #onRequest: () => void = () => {};
  readonly #world: World;
  readonly #trace: Trace;

  readonly #canRepeatIds: boolean;

  constructor(world: World, trace: Trace, { canRepeatIds }: { canRepeatIds: boolean }) {
    this.#canRepeatIds = canRepeatIds;
    this.#world = world;
    this.#trace = trace;
  }

  /** Begins a turn. `onRequest` is called before each of its requests is answered. */
  begin(random: Random, onRequest: () => void): void {
    this.#random = random;
    this.#onRequest = onRequest;
    this.#requests = 0;
    this.faults = [];
  }

  answer(request: RecordedRequest): Reply {
    if (this.fixed) return this.fixed;
    this.#requests++;
    this.#onRequest();
    const random = this.#random;
    if (!random) throw new Error('The model received a request outside a turn.');
    const declared = declaredOn(request);
    const ids = callsOn(request).map(({ id }) => id);
    const context = {
      random,
      world: this.#world,
      provider: request.provider,
      canRepeatIds: this.#canRepeatIds,
      declared,
      ids,
    };
    const isLate = this.#requests >= LONGEST_TURN;
    const possible = MOVES.filter(
      ({ callsTools }) => !callsTools || (!isLate && declared.length > 0),
    );
    const move = random.weighted(possible);
    if (move.isFault) this.faults.push(move);
    const reply = move.reply(context);
    this.answers.set(request, { move, reply });
    this.#trace.add(`model ${move.name}`, reply.error ? undefined : reply);
    return reply;
  }
}

/** Names that a request declares. OpenAI's own search has only a type. */
function declaredOn(request: RecordedRequest): string[] {
  const search = recordsOf(request.body.tools).filter(({ type }) => type === 'tool_search');
  return [
    ...toolsOn(request).filter((name) => name !== 'undefined'),
    ...search.map(() => 'tool_search'),
  ];
}
