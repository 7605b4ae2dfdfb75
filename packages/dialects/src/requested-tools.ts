import { asList, asObject, asText, type JsonObject } from './json-value.ts'

/** A tool that the provider would run. */
export interface RequestedTool {
  /** The same name for every vendor: `web_search`, `code_interpreter`, `mcp`. */
  readonly name: string
  /** The requesting field: `tools[1]`, `web_search_options`. */
  readonly field: string
}

/** Types of tools that the client runs, or that only help it find its own tools: they cost only their tokens. */
const RUN_BY_CLIENT =
  /^(?:function|custom|namespace|local_shell|apply_patch|bash|text_editor|computer(?:_use(?:_preview)?)?|memory|tool_search\w*)$/
/** In Google's dialect, a tool's key is its type; the client's functions are next to it. */
const DECLARATIONS = 'function_declarations'
/** Keys of a tool whose type may be omitted: Anthropic's client functions. */
const PLAIN: ReadonlySet<string> = new Set(['name', 'input_schema'])
/** Fields other than `tools` that request a tool. */
const ASKING: Readonly<Record<string, string>> = {
  web_search_options: 'web_search',
  search_parameters: 'web_search',
  enable_search: 'web_search',
  mcp_servers: 'mcp',
}

/** The tools that a conversation lets its provider run. Names match in any case; an unknown type counts as a provider's tool. */
export function requestedTools(body: JsonObject): readonly RequestedTool[] {
  const found: RequestedTool[] = []
  for (const [key, value] of Object.entries(body)) {
    const field = key.toLowerCase()
    if (field === 'tools') found.push(...asList(value).flatMap((tool, at) => namesOf(tool, `tools[${at}]`)))
    else if (field === 'input') found.push(...asList(value).flatMap((item, at) => namesInItem(item, `input[${at}]`)))
    else if (field === 'messages')
      found.push(...asList(value).flatMap((message, at) => namesInMessage(message, `messages[${at}]`)))
    else if (field === 'plugins')
      found.push(...asList(value).flatMap((plugin, at) => pluginOf(plugin, `plugins[${at}]`)))
    else if (ASKING[field] !== undefined && isRequested(value)) found.push({ name: ASKING[field], field })
  }
  return found
}

/** OpenAI's Responses can add tools in the middle of a conversation. */
function namesInItem(item: unknown, field: string): readonly RequestedTool[] {
  const { type, tools } = asObject(item) ?? {}
  if (type !== 'additional_tools' && type !== 'tool_search_output') return []
  return asList(tools).flatMap((tool, at) => namesOf(tool, `${field}.tools[${at}]`))
}

/** Anthropic's messages can add tools. */
function namesInMessage(message: unknown, field: string): readonly RequestedTool[] {
  return asList(asObject(message)?.['content']).flatMap((block, at) => {
    const { type, tool } = asObject(block) ?? {}
    const definition = type === 'tool_addition' ? asObject(tool)?.['definition'] : undefined
    return definition === undefined ? [] : namesOf(definition, `${field}.content[${at}].tool.definition`)
  })
}

function namesOf(tool: unknown, field: string): readonly RequestedTool[] {
  const members = Object.entries(asObject(tool) ?? {})
  const isPlain = members.some(([key]) => PLAIN.has(key.toLowerCase()))
  const types = members.filter(([key]) => key.toLowerCase() === 'type').map(([, type]) => asText(type))
  if (types.length === 0 && isPlain) return []
  const names = types.length === 0 ? members.map(([key]) => key) : types.map((type) => ownNameOf(type, members))
  return names
    .map(toolName)
    .filter((name) => name !== DECLARATIONS && !RUN_BY_CLIENT.test(name))
    .map((name) => ({ name, field }))
}

/** Moonshot's own functions look like a client's. */
function ownNameOf(type: string, members: readonly (readonly [string, unknown])[]): string {
  if (type !== 'builtin_function') return type
  return asText(asObject(new Map(members).get('function'))?.['name']) || type
}

function pluginOf(plugin: unknown, field: string): readonly RequestedTool[] {
  const id = asText(asObject(plugin)?.['id'])
  return id === '' ? [] : [{ name: id === 'web' ? 'web_search' : toolName(id), field }]
}

function isRequested(value: unknown): boolean {
  if (value === null || value === false) return false
  return Array.isArray(value) ? value.length > 0 : asObject(value)?.['mode'] !== 'off'
}

const SEARCHES = /^(?:web_search\w*|google_search\w*|enterprise_web_search|browser_search)$/

/** The canonical name of a tool, for spellings such as `webSearch`, `web_search_20250305` and `$web_search`. */
export function toolName(written: string): string {
  const name = written
    .replace(/^.*[:$]/, '')
    .replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    .replaceAll('-', '_')
    .replace(/^_+/, '')
    .replace(/_20\d\d_?\d\d_?\d\d$/, '')
  return SEARCHES.test(name) ? 'web_search' : name
}
