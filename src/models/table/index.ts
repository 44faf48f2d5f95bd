export { CAPABILITIES, type ModelCapability, type NativeForm } from './capabilities.ts';
export {
  type ModelIdentity,
  modelFromName,
  nativeFormsOf,
  type OwnCapability,
  type OwnPrices,
  pricesOf,
  splitModelName,
} from './lookup.ts';
export { type ModelPrices, PRICES } from './prices.ts';
