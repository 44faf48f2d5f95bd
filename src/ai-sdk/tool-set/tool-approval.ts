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
  /** Nothing is judged: the SDK does as it does without Toolfold. */
  readonly isOff: boolean;
}

/** Decides for the AI SDK which calls run: its `toolApproval`. */
export type ToolApproval = (question: ApprovalQuestion) => Promise<Approval>;

/**
 * The third field of `fold.with`. The AI SDK asks it about what a tool would really get, after every
 * transform, refinement and repair, and again when an approved call is resumed; also about tools
 * that Toolfold does not run.
 */
export function createToolApproval(inputs: ToolApprovalInputs): ToolApproval {
  const { policy, runner, set, setting, isOff } = inputs;
  return async (question) => {
    const { toolCall, tools, toolsContext, messages } = question;
    const { toolCallId, toolName: name, input, providerMetadata: metadata } = toolCall;
    set.noteUse(tools);
    const tool = own(tools, name) as ToolSet[string] | undefined;
    // The SDK would leave the call without a result, and fail every request after it.
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
      // Loading and searching have no effect; a setting by their very name still holds.
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
    // Run by the provider: neither hooks nor permits can hold it.
    if (toolCall.providerExecuted === true) {
      // The SDK asks about those that it has a tool for.
      if (set.holds(tool) && !Object.keys(tools ?? {}).includes(name))
        return { type: 'not-applicable' };
      const subject = await runner.subjectOf({ ...call, isForeign: true });
      const wish = () => ('kind' in subject ? undefined : runner.wish(subject, options, foreign));
      const found = await settingOf(async () => (await wish())?.type === 'user-approval');
      return found ?? ((await wish()) as Approval);
    }
    return policy.approve(call, async (subject) => {
      let isUnknown = false;
      const wish = async () => {
        const found = await runner.wish(subject, options, foreign);
        isUnknown ||= found.type === 'unknown';
        return found;
      };
      const isWished = async () => (await wish()).type === 'user-approval';
      const found = await settingOf(isWished, subject.final);
      if (!found) return wish();
      // Its function asked what the tool wants, and that is not known yet.
      return found.type === 'not-applicable' && isUnknown ? { type: 'unknown' } : found;
    });
  };
}
