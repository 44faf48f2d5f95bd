export {
  CAPABILITIES,
  type ModelCapability,
  type ModelIdentity,
  type ModelPrices,
  modelFromName,
  type NativeForm,
  nativeFormsOf,
  type OwnCapability,
  type OwnPrices,
  PRICES,
  pricesOf,
} from './table/index.ts';
