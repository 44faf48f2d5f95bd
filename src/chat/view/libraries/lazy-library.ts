/** A library that is loaded when it is needed first. Without it the chat shows less, so a failure changes nothing. */
export class LazyLibrary<T> {
  readonly #load: () => Promise<T>;
  readonly #onLoad: () => void;
  #isLoading = false;
  #library: T | undefined;

  /** `onLoad` is called when it is there. */
  constructor(load: () => Promise<T>, onLoad: () => void) {
    this.#load = load;
    this.#onLoad = onLoad;
  }

  /** The library, if it is there. Does not begin to load it. */
  get present(): T | undefined {
    return this.#library;
  }

  /** The library, if it is there. */
  get(): T | undefined {
    if (!this.#isLoading) {
      this.#isLoading = true;
      this.#load().then(
        (library) => {
          this.#library = library;
          this.#onLoad();
        },
        () => {},
      );
    }
    return this.#library;
  }
}
