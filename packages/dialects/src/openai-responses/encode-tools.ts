import { innerName } from '../canon/calls/tool-aliases.ts'
import { chosenBuiltin, mustCall } from '../canon/calls/tool-choice.ts'
import type { Losses } from '../canon/losses.ts'
import type { AnswerFormat, BuiltinTool, CanonRequest, Tool, ToolChoice } from '../canon/request.ts'
import type { JsonObject } from '../json-value.ts'

/** Functions, custom tools and tools of the provider in one list; undefined if empty. */
export function encodeTools(request: CanonRequest, losses: Losses): readonly JsonObject[] | undefined {
  const isOwn = request.extra.dialect === 'openai-responses'
  const write = (tool: Tool) => {
    if (tool.cache !== undefined) losses.dropped('cache_control')
    return encodeTool(tool, isOwn)
  }
  const isMissing = ({ isInTurns }: Tool | BuiltinTool) => isInTurns !== true || !isOwn
  const builtins = request.builtins.filter(isMissing).flatMap((builtin) => encodeBuiltin(builtin, losses))
  const list = [...grouped(request.tools.filter(isMissing), write), ...builtins]
  return list.length === 0 ? undefined : list
}

/** Puts the functions of one namespace into one tool, at the position of the first. */
function grouped(tools: readonly Tool[], write: (tool: Tool) => JsonObject): readonly JsonObject[] {
  const groups = Map.groupBy(tools, ({ name, namespace }) => namespace?.name ?? `.${name}`)
  return [...groups.values()].flatMap((members) => {
    const namespace = members[0]?.namespace
    if (namespace === undefined) return members.map(write)
    const inner = members.map((tool) => write({ ...tool, name: innerName(tool.name, namespace.name) }))
    return [{ type: 'namespace', name: namespace.name, description: namespace.description ?? '', tools: inner }]
  })
}

/** Without `strict`, this dialect makes the schema stricter; in all others it means that nothing is enforced. */
function encodeTool({ name, description, schema, strict, custom }: Tool, isOwn: boolean): JsonObject {
  const encoded = description === undefined ? {} : { description }
  if (custom !== undefined) {
    return { type: 'custom', name, ...encoded, ...(custom.format === undefined ? {} : { format: custom.format }) }
  }
  const checked = strict ?? (isOwn ? undefined : false)
  return {
    type: 'function',
    name,
    ...encoded,
    parameters: schema ?? { type: 'object', properties: {} },
    ...(checked === undefined ? {} : { strict: checked }),
  }
}

function encodeBuiltin({ dialect, purpose, name, value }: BuiltinTool, losses: Losses): readonly JsonObject[] {
  if (dialect === 'openai-responses') return [value]
  switch (purpose) {
    case 'web-search':
      losses.changed(`tools[${name}]`)
      return [{ type: 'web_search' }]
    case 'code':
      losses.changed(`tools[${name}]`)
      return [{ type: 'code_interpreter', container: { type: 'auto' } }]
    default:
      losses.dropped(`tools[${name}]`)
      return []
  }
}

/** A required choice is refused if no tools are offered. */
export function encodeChoice(request: CanonRequest, losses: Losses): string | JsonObject | undefined {
  const { tools, builtins, toolChoice } = request
  if (toolChoice === undefined) return undefined
  const chosen = chosenBuiltin(request)
  if (chosen !== undefined) {
    const [known] = encodeBuiltin(chosen, losses)
    if (known === undefined) losses.dropped('tool_choice')
    return known === undefined ? undefined : { type: known['type'] }
  }
  const hasTools = tools.length > 0 || builtins.some((builtin) => encodeBuiltin(builtin, losses).length > 0)
  if (hasTools || !mustCall(toolChoice)) return encodeToolChoice(toolChoice, tools)
  losses.dropped('tool_choice')
  return undefined
}

export function encodeToolChoice(choice: ToolChoice, tools: readonly Tool[]): string | JsonObject {
  const custom = new Set(tools.filter((tool) => tool.custom !== undefined).map(({ name }) => name))
  const named = (name: string) => ({ type: custom.has(name) ? 'custom' : 'function', name: namesOf(name, tools).name })
  switch (choice.mode) {
    case 'named':
      return named(choice.name)
    case 'allowed':
      return {
        type: 'allowed_tools',
        mode: choice.required ? 'required' : 'auto',
        tools: choice.names.map(named),
      }
    default:
      return choice.mode
  }
}

/** The name of a tool in this dialect, with a separate namespace. */
export function namesOf(
  name: string,
  tools: readonly Tool[],
): { readonly name: string; readonly namespace?: string | undefined } {
  const namespace = tools.find((tool) => tool.name === name)?.namespace
  return namespace === undefined ? { name } : { name: innerName(name, namespace.name), namespace: namespace.name }
}

export function encodeFormat(format: AnswerFormat): JsonObject {
  switch (format.type) {
    case 'text':
      return { type: 'text' }
    case 'json':
      return { type: 'json_object' }
    case 'schema': {
      const { schema, name = 'answer', description, strict } = format
      return {
        type: 'json_schema',
        name,
        ...(description === undefined ? {} : { description }),
        schema,
        ...(strict === undefined ? {} : { strict }),
      }
    }
  }
}
