export { bindingOf, foreignBinding, wireBinding } from './binding.ts';
export { keptText, readKeptText } from './kept-text.ts';
export { inKeyOrder, type KeyOrders, keyOrdersOf, readKeyOrders } from './key-order.ts';
export {
  isNotePart,
  NOTE_KIND,
  notePart,
  type ResponseNote,
  readResponseNote,
} from './note-part.ts';
export {
  anyInput,
  brokenText,
  inputUnder,
  type RawInput,
  readBridgeInput,
  readRaw,
} from './raw-input.ts';
export { unusedId } from './unused-id.ts';
