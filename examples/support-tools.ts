/** Forty tools of one app: a product with customers, subscriptions, invoices and support tickets. */
import { type ToolSet, tool } from 'ai';
import { z } from 'zod';
import { backend } from './support-backend.ts';

const customerId = z
  .string()
  .regex(/^cus_\w+$/)
  .describe('Id of the customer, such as cus_1815.');
const invoiceId = z
  .string()
  .regex(/^inv_\w+$/)
  .describe('Id of the invoice, such as inv_2041.');
const paymentId = z
  .string()
  .regex(/^pay_\w+$/)
  .describe('Id of the payment, such as pay_771.');
const ticketId = z
  .string()
  .regex(/^tic_\w+$/)
  .describe('Id of the ticket, such as tic_88.');
const subscriptionId = z
  .string()
  .regex(/^sub_\w+$/)
  .describe('Id of the subscription.');
const day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/)
  .describe('Day as YYYY-MM-DD, in the time zone of the account.');
const period = z
  .object({ from: day.optional(), to: day.optional() })
  .describe('Both days included.');
const cursor = z
  .string()
  .optional()
  .describe('`next` of the page before. Left out: the first page.');
const limit = z.int().min(1).max(100).default(20).describe('The most rows of one page.');
const money = z.object({
  amount: z.int().min(1).describe('In the smallest unit of the currency, such as cents.'),
  currency: z.enum(['EUR', 'USD', 'GBP', 'CHF', 'JPY']),
});
const address = z.object({
  line1: z.string().max(120),
  line2: z.string().max(120).optional(),
  postal_code: z.string().max(16),
  city: z.string().max(80),
  region: z.string().max(80).optional().describe('State or province, where addresses have one.'),
  country: z.string().length(2).describe('ISO 3166-1 alpha-2, such as GB.'),
});
const priority = z.enum(['low', 'normal', 'high', 'urgent']);
const status = z.enum(['new', 'open', 'waiting_for_customer', 'on_hold', 'solved', 'closed']);
const team = z.enum(['support', 'billing', 'engineering', 'success', 'legal']);
const plan = z.enum(['free', 'starter', 'team', 'business', 'enterprise']);
const interval = z.enum(['month', 'year']);

export const supportTools: ToolSet = {
  find_customer: tool({
    description:
      'Finds customers by e-mail address, name, company or phone number. Returns at most ten, the best match first, each with its id. Use this before tools that need a customer id.',
    inputSchema: z.object({
      query: z
        .string()
        .min(2)
        .describe('A part of the e-mail address, name, company or phone number.'),
      status: z.enum(['active', 'trial', 'past_due', 'cancelled']).optional(),
      country: z.string().length(2).optional().describe('ISO 3166-1 alpha-2, such as GB.'),
    }),
    execute: (input) => backend('find_customer', input),
  }),
  get_customer: tool({
    description:
      'Returns one customer with contacts, addresses, tax ids, tags, balance and the date of the last contact.',
    inputSchema: z.object({
      customer_id: customerId,
      include: z
        .array(z.enum(['contacts', 'addresses', 'tax_ids', 'notes', 'subscriptions']))
        .optional(),
    }),
    execute: (input) => backend('get_customer', input),
  }),
  create_customer: tool({
    description:
      'Creates a customer. Search with find_customer first: two customers with one e-mail address cannot be told apart later.',
    inputSchema: z.object({
      name: z.string().min(1).max(120),
      email: z.email(),
      company: z.string().max(120).optional(),
      phone: z.string().optional().describe('In international form, such as +44 20 7946 0000.'),
      language: z.enum(['en', 'de', 'fr', 'es', 'it', 'ja']).default('en'),
      billing_address: address.optional(),
      tags: z.array(z.string().max(40)).max(20).optional(),
    }),
    execute: (input) => backend('create_customer', input),
  }),
  update_customer: tool({
    description:
      'Changes fields of a customer. Fields that are left out stay as they are; null clears a field.',
    inputSchema: z.object({
      customer_id: customerId,
      name: z.string().min(1).max(120).optional(),
      email: z.email().optional(),
      phone: z.string().nullable().optional(),
      language: z.enum(['en', 'de', 'fr', 'es', 'it', 'ja']).optional(),
      billing_address: address.nullable().optional(),
      shipping_address: address.nullable().optional(),
    }),
    execute: (input) => backend('update_customer', input),
  }),
  merge_customers: tool({
    description:
      'Merges a duplicate into another customer: invoices, tickets, contacts and notes move, and the duplicate is closed. This cannot be undone.',
    inputSchema: z.object({
      keep_id: customerId,
      duplicate_id: customerId,
      prefer: z
        .enum(['keep', 'duplicate', 'newest'])
        .describe('Which value wins where both have a field.'),
    }),
    needsApproval: true,
    execute: (input) => backend('merge_customers', input),
  }),
  delete_customer_data: tool({
    description:
      'Erases the personal data of a customer after a request for erasure. Invoices stay for the legal period, without name and address. This cannot be undone.',
    inputSchema: z.object({
      customer_id: customerId,
      legal_basis: z.enum(['gdpr_article_17', 'ccpa', 'contract_ended', 'other']),
      requested_on: day,
      reference: z
        .string()
        .max(80)
        .describe('Number of the request in the register of the data officer.'),
    }),
    needsApproval: true,
    execute: (input) => backend('delete_customer_data', input),
  }),
  add_customer_note: tool({
    description: 'Adds an internal note to a customer. Customers never see notes.',
    inputSchema: z.object({
      customer_id: customerId,
      text: z.string().min(1).max(5_000).describe('Markdown.'),
      pinned: z.boolean().default(false),
    }),
    execute: (input) => backend('add_customer_note', input),
  }),
  set_customer_tags: tool({
    description:
      'Adds tags to a customer and removes others. Tags decide about routing and about the newsletter.',
    inputSchema: z.object({
      customer_id: customerId,
      add: z.array(z.string().max(40)).max(20).default([]),
      remove: z.array(z.string().max(40)).max(20).default([]),
    }),
    execute: (input) => backend('set_customer_tags', input),
  }),
  list_contacts: tool({
    description:
      'Lists the people of a customer with their roles, e-mail addresses and preferred channels.',
    inputSchema: z.object({
      customer_id: customerId,
      role: z.enum(['owner', 'billing', 'technical', 'legal']).optional(),
      limit,
      cursor,
    }),
    execute: (input) => backend('list_contacts', input),
  }),
  get_activity: tool({
    description:
      'Lists what happened with a customer, the newest first: logins, payments, messages, changes of plan and changes by colleagues.',
    inputSchema: z.object({
      customer_id: customerId,
      kinds: z
        .array(z.enum(['login', 'payment', 'message', 'plan', 'ticket', 'change']))
        .optional(),
      period: period.optional(),
      limit,
      cursor,
    }),
    execute: (input) => backend('get_activity', input),
  }),
  list_invoices: tool({
    description:
      'Lists invoices of a customer, or of all customers, by status and date. Amounts are in the smallest unit of the currency.',
    inputSchema: z.object({
      customer_id: customerId.optional(),
      status: z
        .array(z.enum(['draft', 'open', 'paid', 'overdue', 'void', 'uncollectible']))
        .optional(),
      issued: period.optional(),
      due: period.optional(),
      sort: z.enum(['issued', 'due', 'amount']).default('issued'),
      limit,
      cursor,
    }),
    execute: (input) => backend('list_invoices', input),
  }),
  get_invoice: tool({
    description: 'Returns one invoice with its lines, taxes, discounts, payments and reminders.',
    inputSchema: z.object({
      invoice_id: invoiceId,
      as: z.enum(['data', 'pdf_link']).default('data'),
    }),
    execute: (input) => backend('get_invoice', input),
  }),
  create_invoice: tool({
    description:
      'Creates a draft of an invoice. It is sent only by send_invoice, and can be changed until then.',
    inputSchema: z.object({
      customer_id: customerId,
      lines: z
        .array(
          z.object({
            text: z.string().max(250),
            quantity: z.number().positive(),
            unit_price: money,
            tax_rate: z.enum(['standard', 'reduced', 'zero', 'reverse_charge']),
            account: z.string().optional().describe('Account of the ledger, such as 4400.'),
          }),
        )
        .min(1)
        .max(50),
      due: day,
      purchase_order: z.string().max(60).optional(),
      note: z.string().max(1_000).optional().describe('A text at the foot of the invoice.'),
    }),
    execute: (input) => backend('create_invoice', input),
  }),
  send_invoice: tool({
    description:
      'Sends a draft, or sends an open invoice again. A draft gets its number and cannot be changed afterwards.',
    inputSchema: z.object({
      invoice_id: invoiceId,
      to: z
        .array(z.email())
        .max(5)
        .optional()
        .describe('Left out: the billing contacts of the customer.'),
      message: z.string().max(2_000).optional(),
    }),
    execute: (input) => backend('send_invoice', input),
  }),
  void_invoice: tool({
    description:
      'Voids an open invoice. It keeps its number and shows why it was voided. Paid invoices need a credit note.',
    inputSchema: z.object({ invoice_id: invoiceId, reason: z.string().min(3).max(500) }),
    needsApproval: true,
    execute: (input) => backend('void_invoice', input),
  }),
  create_credit_note: tool({
    description:
      'Creates a credit note for a paid or open invoice, for all of it or for some lines.',
    inputSchema: z.object({
      invoice_id: invoiceId,
      lines: z
        .array(z.object({ line: z.int().min(1), amount: money }))
        .optional()
        .describe('Left out: the whole invoice.'),
      reason: z.enum(['duplicate', 'goodwill', 'order_change', 'product_unsatisfactory', 'other']),
      settle: z.enum(['refund', 'balance', 'none']).describe('Where the amount goes.'),
    }),
    execute: (input) => backend('create_credit_note', input),
  }),
  list_payments: tool({
    description:
      'Lists payments of a customer or of one invoice, with method, status, fee and the refunds of each payment.',
    inputSchema: z.object({
      customer_id: customerId.optional(),
      invoice_id: invoiceId.optional(),
      status: z
        .array(z.enum(['pending', 'succeeded', 'failed', 'refunded', 'disputed']))
        .optional(),
      period: period.optional(),
      limit,
      cursor,
    }),
    execute: (input) => backend('list_payments', input),
  }),
  refund_payment: tool({
    description:
      'Refunds a payment, all of it or a part. The money is back on the card within ten days. A refund cannot be taken back.',
    inputSchema: z.object({
      payment_id: paymentId,
      amount: money.optional().describe('Left out: what is left of the payment.'),
      reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer', 'service_not_provided']),
      notify_customer: z.boolean().default(true),
      internal_note: z.string().max(500).optional(),
    }),
    needsApproval: true,
    execute: (input) => backend('refund_payment', input),
  }),
  retry_payment: tool({
    description:
      'Tries a failed payment again, with the same method or with another one of the customer.',
    inputSchema: z.object({
      payment_id: paymentId,
      method_id: z
        .string()
        .optional()
        .describe('From list_payment_methods. Left out: the same method.'),
    }),
    execute: (input) => backend('retry_payment', input),
  }),
  list_payment_methods: tool({
    description:
      'Lists cards, direct debits and bank accounts of a customer, with the last four digits and the expiry.',
    inputSchema: z.object({ customer_id: customerId, only_valid: z.boolean().default(true) }),
    execute: (input) => backend('list_payment_methods', input),
  }),
  answer_dispute: tool({
    description:
      'Answers a disputed payment with evidence, or accepts the dispute. The bank takes one answer only.',
    inputSchema: z.object({
      payment_id: paymentId,
      action: z.enum(['contest', 'accept']),
      evidence: z
        .object({
          explanation: z.string().max(10_000),
          service_date: day.optional(),
          document_ids: z.array(z.string()).max(10).optional(),
          customer_signed: z.boolean().optional(),
        })
        .optional(),
    }),
    needsApproval: true,
    execute: (input) => backend('answer_dispute', input),
  }),
  get_balance: tool({
    description:
      'Returns what a customer owes and what the customer has as credit, by currency and by age of the debt.',
    inputSchema: z.object({ customer_id: customerId, on: day.optional() }),
    execute: (input) => backend('get_balance', input),
  }),
  set_dunning: tool({
    description:
      'Pauses or resumes reminders for unpaid invoices of a customer, or moves the customer to another schedule.',
    inputSchema: z.object({
      customer_id: customerId,
      action: z.enum(['pause', 'resume', 'change_schedule']),
      until: day.optional().describe('For `pause`. Left out: until somebody resumes.'),
      schedule: z.enum(['standard', 'gentle', 'strict']).optional(),
    }),
    execute: (input) => backend('set_dunning', input),
  }),
  list_subscriptions: tool({
    description:
      'Lists subscriptions of a customer with plan, seats, period, discounts and the date of the next renewal.',
    inputSchema: z.object({
      customer_id: customerId,
      status: z.array(z.enum(['trialing', 'active', 'paused', 'past_due', 'cancelled'])).optional(),
    }),
    execute: (input) => backend('list_subscriptions', input),
  }),
  preview_plan_change: tool({
    description:
      'Says what a change of plan, seats or interval would cost: the amount now, the next invoice and the proration.',
    inputSchema: z.object({
      subscription_id: subscriptionId,
      plan: plan.optional(),
      interval: interval.optional(),
      seats: z.int().min(1).max(10_000).optional(),
      from: z.enum(['now', 'next_period']).default('next_period'),
    }),
    execute: (input) => backend('preview_plan_change', input),
  }),
  change_plan: tool({
    description:
      'Changes plan, seats or interval of a subscription. Call preview_plan_change first and tell the user the amount.',
    inputSchema: z.object({
      subscription_id: subscriptionId,
      plan: plan.optional(),
      interval: interval.optional(),
      seats: z.int().min(1).max(10_000).optional(),
      from: z.enum(['now', 'next_period']),
      proration: z.enum(['invoice_now', 'next_invoice', 'none']).default('next_invoice'),
    }),
    execute: (input) => backend('change_plan', input),
  }),
  cancel_subscription: tool({
    description:
      'Cancels a subscription, at once or at the end of its period. Data stays for 30 days.',
    inputSchema: z.object({
      subscription_id: subscriptionId,
      at: z.enum(['now', 'period_end']),
      reason: z.enum([
        'too_expensive',
        'missing_feature',
        'switched',
        'unused',
        'quality',
        'other',
      ]),
      comment: z.string().max(1_000).optional(),
    }),
    needsApproval: true,
    execute: (input) => backend('cancel_subscription', input),
  }),
  pause_subscription: tool({
    description:
      'Pauses a subscription for one to six months. No invoices are made, and access is read-only.',
    inputSchema: z.object({
      subscription_id: subscriptionId,
      months: z.int().min(1).max(6),
      from: day.optional(),
    }),
    execute: (input) => backend('pause_subscription', input),
  }),
  apply_discount: tool({
    description:
      'Applies a coupon or a discount of your own to a subscription or to an open invoice.',
    inputSchema: z.object({
      target: z.union([
        z.object({ subscription_id: subscriptionId }),
        z.object({ invoice_id: invoiceId }),
      ]),
      discount: z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('coupon'), code: z.string().max(40) }),
        z.object({ kind: z.literal('percent'), percent: z.number().min(1).max(50) }),
        z.object({ kind: z.literal('amount'), amount: money }),
      ]),
      periods: z
        .int()
        .min(1)
        .max(24)
        .optional()
        .describe('How many invoices it holds for. Left out: one.'),
    }),
    execute: (input) => backend('apply_discount', input),
  }),
  get_usage: tool({
    description:
      'Returns the metered usage of a customer by meter and day, next to what the plan includes.',
    inputSchema: z.object({
      customer_id: customerId,
      meters: z.array(z.enum(['api_calls', 'storage_gb', 'seats', 'messages', 'minutes'])).min(1),
      period,
      by: z.enum(['day', 'week', 'month']).default('day'),
    }),
    execute: (input) => backend('get_usage', input),
  }),
  search_tickets: tool({
    description:
      'Searches tickets by words, customer, status, team and age. Returns subject, status, assignee and last message.',
    inputSchema: z.object({
      query: z.string().optional().describe('Words of the subject or of the messages.'),
      customer_id: customerId.optional(),
      status: z.array(status).optional(),
      team: team.optional(),
      priority: z.array(priority).optional(),
      updated: period.optional(),
      limit,
      cursor,
    }),
    execute: (input) => backend('search_tickets', input),
  }),
  get_ticket: tool({
    description:
      'Returns one ticket with all messages, internal notes, attachments and the time that is left to answer.',
    inputSchema: z.object({ ticket_id: ticketId, include_notes: z.boolean().default(true) }),
    execute: (input) => backend('get_ticket', input),
  }),
  create_ticket: tool({
    description:
      'Creates a ticket for a customer. The customer gets a confirmation unless `silent` is set.',
    inputSchema: z.object({
      customer_id: customerId,
      subject: z.string().min(3).max(200),
      message: z
        .string()
        .min(1)
        .max(20_000)
        .describe('Markdown, as the customer wrote it or as you sum it up.'),
      category: z.enum(['billing', 'bug', 'how_to', 'feature', 'security', 'account']),
      priority: priority.default('normal'),
      team: team.optional(),
      related_ids: z
        .array(z.string())
        .max(10)
        .optional()
        .describe('Invoices, payments or other tickets.'),
      silent: z.boolean().default(false),
    }),
    execute: (input) => backend('create_ticket', input),
  }),
  reply_to_ticket: tool({
    description:
      'Sends a public answer to the customer of a ticket, and sets the status of the ticket.',
    inputSchema: z.object({
      ticket_id: ticketId,
      message: z
        .string()
        .min(1)
        .max(20_000)
        .describe('Markdown. The signature is added by the system.'),
      status: status.default('waiting_for_customer'),
      cc: z.array(z.email()).max(10).optional(),
      attachment_ids: z.array(z.string()).max(10).optional(),
    }),
    execute: (input) => backend('reply_to_ticket', input),
  }),
  assign_ticket: tool({
    description:
      'Assigns a ticket to a team or to a colleague, and says why, so that nobody has to ask.',
    inputSchema: z.object({
      ticket_id: ticketId,
      team: team.optional(),
      agent_email: z.email().optional(),
      reason: z
        .string()
        .max(500)
        .optional()
        .describe('An internal note for the one who takes over.'),
    }),
    execute: (input) => backend('assign_ticket', input),
  }),
  update_ticket: tool({
    description:
      'Changes status, priority, category or tags of a ticket without a message to the customer.',
    inputSchema: z.object({
      ticket_id: ticketId,
      status: status.optional(),
      priority: priority.optional(),
      category: z.enum(['billing', 'bug', 'how_to', 'feature', 'security', 'account']).optional(),
      tags: z
        .object({ add: z.array(z.string()), remove: z.array(z.string()) })
        .partial()
        .optional(),
    }),
    execute: (input) => backend('update_ticket', input),
  }),
  escalate_ticket: tool({
    description:
      'Escalates a ticket to the engineer on call. Use it for outages and security only: it wakes somebody up.',
    inputSchema: z.object({
      ticket_id: ticketId,
      severity: z.enum(['sev1', 'sev2', 'sev3']),
      affected: z.enum(['one_customer', 'some_customers', 'all_customers']),
      summary: z.string().min(10).max(2_000),
    }),
    needsApproval: true,
    execute: (input) => backend('escalate_ticket', input),
  }),
  search_help_articles: tool({
    description:
      'Searches the public help pages and internal runbooks. Returns titles, links and the paragraphs that match.',
    inputSchema: z.object({
      query: z.string().min(2),
      audience: z.enum(['public', 'internal', 'both']).default('public'),
      language: z.enum(['en', 'de', 'fr', 'es', 'it', 'ja']).default('en'),
      product: z.enum(['app', 'api', 'mobile', 'billing']).optional(),
      limit: z.int().min(1).max(10).default(3),
    }),
    execute: (input) => backend('search_help_articles', input),
  }),
  schedule_call: tool({
    description:
      'Offers a customer times for a call with a colleague, or books one of them. Returns the link to the meeting.',
    inputSchema: z.object({
      customer_id: customerId,
      with: z.email().describe('Address of the colleague.'),
      minutes: z.union([z.literal(15), z.literal(30), z.literal(60)]),
      slots: z
        .array(
          z.object({
            start: z.iso.datetime(),
            time_zone: z.string().describe('Such as Europe/London.'),
          }),
        )
        .min(1)
        .max(5)
        .describe('One slot books it. Several slots let the customer choose.'),
      topic: z.string().max(200),
    }),
    execute: (input) => backend('schedule_call', input),
  }),
  run_report: tool({
    description:
      'Runs a report over all customers and returns its rows, or a link to a file if there are more than 200.',
    inputSchema: z.object({
      report: z.enum(['revenue', 'churn', 'overdue', 'refunds', 'response_times', 'usage_limits']),
      period,
      group_by: z
        .array(z.enum(['day', 'week', 'month', 'plan', 'country', 'team']))
        .max(2)
        .default([]),
      filters: z
        .array(
          z.object({
            field: z.enum(['plan', 'country', 'currency', 'team', 'tag']),
            operator: z.enum(['is', 'is_not', 'in']),
            values: z.array(z.string()).min(1),
          }),
        )
        .optional(),
      format: z.enum(['rows', 'csv', 'xlsx']).default('rows'),
    }),
    execute: (input) => backend('run_report', input),
  }),
};
