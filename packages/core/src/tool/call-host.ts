/**
 * The host of one call: what a tool can ask of it while the call runs, and whom it tells about it. A
 * missing function means that the host cannot do this. The functions of `on…` must not throw.
 */
export interface CallHost {
  /**
   * The user behind the call. Hosts with the same owner have the same user. Left out, each host is a
   * user of its own.
   */
  readonly owner?: object;
  /**
   * Names the call, and is the same when the call is run again. Unlike `toolCallId`, no other call has it. Left
   * out, servers get the `toolCallId`.
   */
  readonly callId?: string;
  /**
   * Asks the user. Called again with `problems` if the answer does not fit the form. A rejection counts
   * as `cancel`.
   */
  readonly elicit?: (request: ElicitationRequest) => Promise<ElicitationAnswer>;
  /** Lets the host's model answer. A rejection is a declined request, with the message as the reason. */
  readonly sample?: (request: SamplingRequest) => Promise<SamplingAnswer>;
  readonly onProgress?: (progress: ToolProgress) => void;
  readonly onLog?: (log: ToolLog) => void;
}

/** How a tool is called: the call's id, its end, and its host. */
export interface ToolCallOptions {
  readonly toolCallId?: string;
  readonly signal?: AbortSignal | undefined;
  readonly host?: CallHost;
}

/** What a server asks of the user: the fields of a form, or to open a page. All texts are untrusted. */
export interface ElicitationRequest {
  readonly server: string;
  /** Why the server asks. Several lines are possible. */
  readonly message: string;
  /** Empty if a page is to be opened. */
  readonly fields: readonly FormField[];
  /** The page to open, if the server asks for that. */
  readonly url?: string;
  /** Why the last answer was not accepted. */
  readonly problems?: readonly FormProblem[];
  /** Fires when no answer is needed any more. */
  readonly signal: AbortSignal;
}

interface FieldBasis {
  /** The key of the value in the answer. */
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly isRequired: boolean;
}

interface TextField extends FieldBasis {
  readonly type: 'text';
  readonly format?: 'email' | 'uri' | 'date' | 'date-time';
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly default?: string;
}

interface NumberField extends FieldBasis {
  readonly type: 'number' | 'integer';
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: number;
}

interface BooleanField extends FieldBasis {
  readonly type: 'boolean';
  readonly default?: boolean;
}

/** One of several values. */
interface ChoiceField extends FieldBasis {
  readonly type: 'choice';
  readonly choices: readonly Choice[];
  readonly default?: string;
}

/** Any of several values. */
interface ChoicesField extends FieldBasis {
  readonly type: 'choices';
  readonly choices: readonly Choice[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly default?: readonly string[];
}

/** A value to choose, as it is sent, and as it is shown. */
export interface Choice {
  readonly value: string;
  readonly title: string;
}

export type FormField = TextField | NumberField | BooleanField | ChoiceField | ChoicesField;

export type FormValue = string | number | boolean | readonly string[];

/** Why the value of a field is not accepted. */
export interface FormProblem {
  readonly field: string;
  readonly problem: string;
}

/** The user's answer. `content` has the values of the form by name; it is left out for a page. */
export type ElicitationAnswer =
  | { readonly action: 'accept'; readonly content?: Readonly<Record<string, FormValue>> }
  | { readonly action: 'decline' }
  | { readonly action: 'cancel' };

/** A text that a server wants the host's model to continue. All texts are untrusted. */
export interface SamplingRequest {
  readonly server: string;
  readonly system?: string;
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly text: string }[];
  /** The maximum tokens of the answer. */
  readonly maxTokens: number;
  readonly temperature?: number;
  readonly stopSequences?: readonly string[];
  /** Fires when no answer is needed any more. */
  readonly signal: AbortSignal;
}

export interface SamplingAnswer {
  readonly text: string;
  /** The name of the model. */
  readonly model: string;
  readonly stopReason?: 'endTurn' | 'maxTokens' | 'stopSequence';
  /** All tokens of the request and the answer. */
  readonly tokens: number;
}

export interface ToolProgress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** The levels of log messages, from the least to the most severe. */
export const LOG_LEVELS = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

export interface ToolLog {
  readonly server: string;
  readonly level: LogLevel;
  readonly text: string;
}
