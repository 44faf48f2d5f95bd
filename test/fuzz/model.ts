import { callsOn, toolsOn } from '../../src/ai-sdk/wire.test-support.ts';
import type { RecordedRequest, Reply } from '../../src/testing/index.ts';
import { recordsOf } from '../../src/testing/wire/body-parts.ts';
import { MOVES, type Move } from './model-moves.ts';
import type { Random } from './random.ts';
import type { Trace } from './trace.ts';
import type { World } from './world.ts';

/** Requests in one turn after which the model only says something more. */
const LONGEST_TURN = 9;

/** The scripted model of a session: what it answers is drawn from the turn's own seed. */
export class Model {
  /** Moves of the turn that break it. */
  faults: Move[] = [];
  /** What each request was answered with. */
  readonly answers: WeakMap<RecordedRequest, { readonly move: Move; readonly reply: Reply }> =
    new WeakMap();
  /** The answer to everything, where only the request itself is of interest. */
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

  /** A turn begins; `onRequest` is called before each of its requests is answered. */
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
    if (!random) throw new Error('The model was asked while no turn was under way.');
    const declared = declaredOn(request);
    const ids = callsOn(request).map(({ id }) => id);
    const sight = {
      random,
      world: this.#world,
      provider: request.provider,
      canRepeatIds: this.#canRepeatIds,
      declared,
      ids,
    };
    const isLate = this.#requests >= LONGEST_TURN;
    const possible = MOVES.filter(({ goesOn }) => !goesOn || (!isLate && declared.length > 0));
    const move = random.weighted(possible);
    if (move.isFault) this.faults.push(move);
    const reply = move.reply(sight);
    this.answers.set(request, { move, reply });
    this.#trace.add(`model ${move.name}`, reply.error ? undefined : reply);
    return reply;
  }
}

/** Names that a request declares; OpenAI's own search has none but its type. */
function declaredOn(request: RecordedRequest): string[] {
  const search = recordsOf(request.body.tools).filter(({ type }) => type === 'tool_search');
  return [
    ...toolsOn(request).filter((name) => name !== 'undefined'),
    ...search.map(() => 'tool_search'),
  ];
}
