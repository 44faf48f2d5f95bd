import type { ToolSet } from 'ai';
import { type Approval, callAgain, type Policy, textOf } from '../../host/index.ts';
import { own } from '../../tools/values/index.ts';
import { bindingOf, foreignBinding } from '../metadata/index.ts';
import {
  type AppApproval,
  type AppApprovalQuestion,
  type ApprovalQuestion,
  appApproval,
  contextOf,
} from './app-approval.ts';
import type { LiveSet } from './live-set.ts';
import type { ToolRunner } from './tool-runner.ts';

export interface ToolApprovalInputs {
  readonly policy: Policy;
  readonly runner: ToolRunner;
  readonly set: LiveSet;
  readonly setting: AppApproval | undefined;
  /** The off switch: Toolfold decides nothing, and the SDK behaves as without it. */
  readonly isOff: boolean;
}

/** The `toolApproval` function for the AI SDK, which decides which calls run. */
export type ToolApproval = (question: ApprovalQuestion) => Promise<Approval>;

/**
 * Creates the field `toolApproval` of `fold.with`. The AI SDK calls it with the final input of a tool,
 * after every transform, refinement and repair, and again when an approved call is resumed. It also
 * calls it for tools that Toolfold does not run.
 */
export function createToolApproval(inputs: ToolApprovalInputs): ToolApproval {
  const { policy, runner, set, setting, isOff } = inputs;
  return async (question) => {
    const { toolCall, tools, toolsContext, messages } = question;
    const { toolCallId, toolName: name, input, providerMetadata: metadata } = toolCall;
    set.noteUse(tools);
    const tool = own(tools, name) as ToolSet[string] | undefined;
    // Without this answer the SDK leaves the call without a result, and all later requests fail.
    if (isOff && !tool && toolCall.providerExecuted !== true)
      return { type: 'denied', reason: textOf(callAgain(name)) };
    const settingOf = (
      needsApproval: AppApprovalQuestion['needsApproval'],
      final: unknown = input,
    ) =>
      appApproval(setting, {
        ...question,
        toolCall: { ...toolCall, input: final },
        needsApproval,
      });
    if (set.isBridge(name) && set.holds(tool)) {
      // Loading and searching have no side effects. Only a setting for the bridge's name applies.
      const named = typeof setting === 'object' ? await settingOf(async () => false) : undefined;
      return named ?? { type: 'not-applicable' };
    }
    const context = await contextOf(name, tool, toolsContext);
    const options = { toolCallId, messages, context };
    const isForeign = !set.holds(tool);
    const foreign = isForeign ? tool : undefined;
    const call = runner.call(name, input, options, {
      metadata,
      isForeign,
      binding: isForeign ? await foreignBinding(tool) : tool && bindingOf(tool),
    });
    // The provider runs the tool: hooks and permits cannot stop it.
    if (toolCall.providerExecuted === true) {
      // Without Toolfold, the SDK asks only about tools that its set lists.
      if (set.holds(tool) && !Object.keys(tools ?? {}).includes(name))
        return { type: 'not-applicable' };
      const subject = await runner.subjectOf({ ...call, isForeign: true });
      const ofTool = () =>
        'kind' in subject ? undefined : runner.toolSetting(subject, options, foreign);
      const found = await settingOf(async () => (await ofTool())?.type === 'user-approval');
      return found ?? ((await ofTool()) as Approval);
    }
    return policy.approve(call, async (subject) => {
      let isUnknown = false;
      const ofTool = async () => {
        const found = await runner.toolSetting(subject, options, foreign);
        isUnknown ||= found.type === 'unknown';
        return found;
      };
      const needsApproval = async () => (await ofTool()).type === 'user-approval';
      const found = await settingOf(needsApproval, subject.final);
      if (!found) return ofTool();
      // The app's function asked for the tool's `needsApproval`, which is not known yet.
      return found.type === 'not-applicable' && isUnknown ? { type: 'unknown' } : found;
    });
  };
}
