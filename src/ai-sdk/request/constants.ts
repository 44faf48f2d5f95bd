/** Messages that nobody changes. They stay inside Toolfold. */
const constants = new WeakSet<object>();

export function addConstant(message: object): void {
  constants.add(message);
}

export function isConstant(message: object): boolean {
  return constants.has(message);
}
