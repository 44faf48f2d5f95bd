import { type Approval, callAgain, textOf } from '@toolfold/core/internal/host';
import { ownProperty } from '@toolfold/core/internal/tools/values';
import type { ToolSet } from 'ai';
import { bindingOf, foreignBinding } from '../metadata/index.ts';
import { type ApprovalQuestion, appApproval, contextOf } from './app-approval.ts';
import type { SdkView } from './sdk-view.ts';

/** The `toolApproval` function for the AI SDK, which decides which calls run. */
export type ToolApproval = (question: ApprovalQuestion) => Promise<Approval>;

/**
 * Creates the field `toolApproval` of `fold.with`. The AI SDK calls it with the final input of a tool,
 * after every transform, refinement and repair, and again when an approved call is resumed. It also
 * calls it for tools that Toolfold does not run.
 */
export function createToolApproval(view: SdkView): ToolApproval {
  const { set, isOff, inputs } = view;
  const { toolApproval: setting } = inputs;
  return async (question) => {
    const { toolCall, tools, toolsContext, messages } = question;
    const { toolCallId, toolName: name, input, providerMetadata: metadata } = toolCall;
    set.noteUse(tools);
    const tool = ownProperty(tools, name) as ToolSet[string] | undefined;
    // Without this answer the SDK leaves the call without a result, and all later requests fail.
    if (isOff && !tool && toolCall.providerExecuted !== true)
      return { type: 'denied', reason: textOf(callAgain(name)) };
    if (set.isBridge(name) && set.holds(tool)) {
      // Loading and searching have no side effects. Only a setting for the bridge's name applies.
      const needsApproval = async () => false;
      const named = typeof setting === 'object' && { ...question, needsApproval };
      return (
        (named && (await appApproval(setting, named, inputs.warn))) || { type: 'not-applicable' }
      );
    }
    const context = await contextOf(name, tool, ownProperty(toolsContext, name));
    const options = { toolCallId, messages, context };
    const isForeign = !set.holds(tool);
    const foreign = isForeign ? tool : undefined;
    const call = view.call(name, input, options, {
      metadata,
      isForeign,
      binding: isForeign ? await foreignBinding(tool) : tool && bindingOf(tool),
    });
    // The provider runs the tool: hooks and permits cannot stop it.
    if (toolCall.providerExecuted === true) {
      // Without Toolfold, the SDK asks only about tools that its set lists.
      if (set.holds(tool) && !Object.keys(tools ?? {}).includes(name))
        return { type: 'not-applicable' };
      const resolved = await view.resolve({ ...call, isForeign: true }, false);
      return 'kind' in resolved
        ? { type: 'not-applicable' }
        : ((await view.setting(options, question, foreign)(resolved, false)) as Approval);
    }
    return view.life.approve(call, view.setting(options, question, foreign));
  };
}
