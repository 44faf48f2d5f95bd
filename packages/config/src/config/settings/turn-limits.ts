/** The limits of a turn where no setting says otherwise. They end loops: no task of a person comes near. */
export const TURN_LIMITS: {
  /** Rounds of tools. */
  readonly rounds: number;
  /** Requests beyond one for each round: they load, search, and answer. */
  readonly moreRequests: number;
  /** Tokens of prompts and answers, from a cache or not. */
  readonly tokens: number;
} = { rounds: 100, moreRequests: 50, tokens: 20_000_000 };
