import { asFunction } from '../canon/calls/free-text-tools.ts'
import { chosenBuiltin, mustCall } from '../canon/calls/tool-choice.ts'
import type { Losses } from '../canon/losses.ts'
import type { AnswerFormat, BuiltinTool, CanonRequest, Tool, ToolChoice } from '../canon/request.ts'
import type { JsonObject } from '../json-value.ts'
import { encodeFormat as encodeFlatFormat } from '../openai-responses/encode-tools.ts'

/** The kinds of tools that a provider accepts besides functions. */
export interface ToolTraits {
  readonly cacheMarks: boolean
  /** Free-text tools. */
  readonly customTools: boolean
}

/** `tools` and the fields that control them. */
export function encodeTools(canonRequest: CanonRequest, losses: Losses, takes: ToolTraits): JsonObject {
  const request = takes.customTools ? canonRequest : withAllowedOnly(canonRequest, losses)
  const { tools, builtins, toolChoice, parallelTools } = request
  const own = builtins.filter(({ dialect }) => dialect === 'openai-chat')
  for (const { dialect, name } of builtins) if (dialect !== 'openai-chat') losses.dropped(`tools[${name}]`)
  const search = own.find(isSearchOption)
  const written = [
    ...tools.map((tool) => encodeTool(takes.customTools ? tool : asFunction(tool, losses), losses, takes)),
    ...own.filter((tool) => !isSearchOption(tool)).map(({ value }) => value),
  ]
  const chosen = chosenBuiltin(request)
  const isChoosable = written.length > 0 && (chosen === undefined || chosen.dialect === 'openai-chat')
  if (!isChoosable && mustCall(toolChoice)) losses.dropped('tool_choice')
  return {
    ...(written.length === 0 ? {} : { tools: written }),
    ...(search === undefined ? {} : { web_search_options: search.value }),
    // Both are refused without tools.
    ...(!isChoosable || toolChoice === undefined
      ? {}
      : { tool_choice: encodeToolChoice(toolChoice, takes.customTools ? tools : []) }),
    ...(written.length === 0 || parallelTools === undefined ? {} : { parallel_tool_calls: parallelTools }),
  }
}

/** Only OpenAI can restrict the choice to some of the tools; others are sent only the allowed ones. */
function withAllowedOnly(request: CanonRequest, losses: Losses): CanonRequest {
  const { tools, toolChoice } = request
  if (toolChoice?.mode !== 'allowed') return request
  losses.changed('tool_choice')
  const allowed = new Set(toolChoice.names)
  return {
    ...request,
    tools: tools.filter(({ name }) => allowed.has(name)),
    toolChoice: { mode: toolChoice.required ? 'required' : 'auto' },
  }
}

function isSearchOption({ name }: BuiltinTool): boolean {
  return name === 'web_search_options'
}

function encodeTool(tool: Tool, losses: Losses, { cacheMarks }: ToolTraits) {
  const { name, description, schema, strict, custom, cache } = tool
  const described = { name, ...(description === undefined ? {} : { description }) }
  if (cache !== undefined && !cacheMarks) losses.dropped('cache_control')
  const marked =
    cache === undefined || !cacheMarks
      ? {}
      : { cache_control: { type: 'ephemeral', ...(cache.ttl === '1h' ? { ttl: '1h' } : {}) } }
  if (custom !== undefined) {
    const format = custom.format === undefined ? {} : { format: custom.format }
    return { type: 'custom', custom: { ...described, ...format }, ...marked }
  }
  const members = {
    ...described,
    ...(schema === undefined ? {} : { parameters: schema }),
    ...(strict === undefined ? {} : { strict }),
  }
  return { type: 'function', function: members, ...marked }
}

function encodeToolChoice(choice: ToolChoice, tools: readonly Tool[]): unknown {
  const named = (name: string) => {
    const isCustom = tools.some((tool) => tool.name === name && tool.custom !== undefined)
    return isCustom ? { type: 'custom', custom: { name } } : { type: 'function', function: { name } }
  }
  switch (choice.mode) {
    case 'named':
      return named(choice.name)
    case 'allowed': {
      const mode = choice.required ? 'required' : 'auto'
      return { type: 'allowed_tools', allowed_tools: { mode, tools: choice.names.map(named) } }
    }
    default:
      return choice.mode
  }
}

export function encodeFormat(format: AnswerFormat): JsonObject {
  const { type, name, schema, ...more } = encodeFlatFormat(format)
  return format.type === 'schema' ? { type, json_schema: { name, schema, ...more } } : { type }
}
