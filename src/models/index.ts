export type { ModelCapability, NativeForm } from './capabilities.ts';
export { CAPABILITIES } from './capabilities.ts';
export type { ModelIdentity, OwnCapability, OwnPrices } from './lookup.ts';
export { modelFromName, nativeFormsOf, pricesOf } from './lookup.ts';
export type { ModelPrices } from './prices.ts';
export { PRICES } from './prices.ts';
