/** A function of each form, for the test of `npm run bench:turn`. */
import { inner } from './inner/inner.ts';

export function declared(): string {
  return inner();
}

export const expression = (text: string): string => text as string;

export const nested =
  () =>
  (value: number): object => ({ value });

export class Box {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  get text(): string {
    return this.#text;
  }

  set text(_: string) {
    this.#hidden();
  }

  #hidden(): void {}

  static async make(): Promise<Box> {
    await null;
    return new Box('é');
  }
}

export function* generated(): Generator<number> {
  yield 1;
  yield 2;
}

export const held = {
  method(): number[] {
    return [1, 2].map((each) => each * 2);
  },
};
