/** Messages that nobody changes. They stay inside Toolfold. */
export const constants: WeakSet<object> = new WeakSet();
