interface Spent {
  readonly cost: number;
  readonly unpriced: number;
  readonly requests: number;
}

/** An amount as it stands behind other figures. Nothing if no price is known. */
export function moneyText({ cost, unpriced, requests }: Spent, currency: string): string {
  if (requests === 0 || unpriced === requests) return '';
  return ` · ${unpriced === 0 ? '' : 'at least '}${money(cost, currency)}`;
}

/** Small amounts keep three significant digits. */
export function money(amount: number, currency: string): string {
  const digits =
    amount === 0 || amount >= 1 ? {} : { minimumSignificantDigits: 2, maximumSignificantDigits: 3 };
  return amount.toLocaleString('en-US', { style: 'currency', currency, ...digits });
}
