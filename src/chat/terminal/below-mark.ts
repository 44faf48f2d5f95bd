/** The mark on the last line of a conversation whose end is out of sight. */
export class BelowMark {
  readonly #latest: () => readonly unknown[];
  #seen: readonly unknown[] = [];

  /** `latest`: the newest parts of the conversation. */
  constructor(latest: () => readonly unknown[]) {
    this.#latest = latest;
  }

  /** The end is in sight. */
  see(): void {
    this.#seen = this.#latest();
  }

  get text(): string {
    const isNew = this.#latest().some((one, at) => one !== this.#seen[at]);
    return ` ↓ ${isNew ? 'new' : 'more'} below · End `;
  }
}
