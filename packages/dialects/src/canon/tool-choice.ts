import type { BuiltinTool, CanonRequest, ToolChoice } from './request.ts'

/** Whether a tool must be called. Without tools that means nothing, and providers refuse it: then it is lost. */
export function mustCall(choice: ToolChoice | undefined): boolean {
  return choice?.mode === 'required' || choice?.mode === 'named' || (choice?.mode === 'allowed' && choice.required)
}

/** The provider's tool that must be called: a choice may name one that is not a function, as Claude Code's searches do. */
export function chosenBuiltin({ tools, builtins, toolChoice }: CanonRequest): BuiltinTool | undefined {
  if (toolChoice?.mode !== 'named' || tools.some(({ name }) => name === toolChoice.name)) return undefined
  return builtins.find(({ name, value }) => name === toolChoice.name || value['name'] === toolChoice.name)
}
