import type { ElicitationSchema } from '@agentclientprotocol/sdk';

/** The form about a call whose outcome is unknown. What stands there already runs nothing. */
export const UNKNOWN_FORM: ElicitationSchema = {
  type: 'object',
  properties: {
    outcome: {
      type: 'string',
      title: 'What about this call?',
      default: 'leave',
      oneOf: [
        { const: 'leave', title: 'Leave it: the model reads that nobody knows' },
        { const: 'happened', title: 'It has happened' },
        { const: 'again', title: 'Run it again' },
      ],
    },
  },
};
