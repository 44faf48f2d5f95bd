/** The backend of the app in `support-tools.ts`. A real app asks its own services here. */

const CUSTOMER = { id: 'cus_1815', name: 'Ada Lovelace', company: 'Analytical Engines' };
const ANSWERS: Readonly<Record<string, object>> = {
  find_customer: { customers: [CUSTOMER] },
  list_payments: {
    payments: [
      { id: 'pay_770', invoice: 'inv_2041', amount: 4_900, currency: 'EUR' },
      { id: 'pay_771', invoice: 'inv_2041', amount: 4_900, currency: 'EUR' },
    ],
  },
  refund_payment: { refund: 're_12', status: 'succeeded' },
};

export async function backend(operation: string, _input: object): Promise<object> {
  return ANSWERS[operation] ?? { status: 'done' };
}
