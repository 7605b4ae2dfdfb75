import { readChoiceWord } from '../canon/calls/tool-choice.ts'
import { type FieldReader, othersThan } from '../canon/field-reader.ts'
import type { BuiltinTool, DecodedTools, Tool, ToolChoice } from '../canon/request.ts'
import { asObject, type JsonObject } from '../json-value.ts'
import { cacheOf } from './decode-content.ts'

const FUNCTION_MEMBERS: ReadonlySet<string> = new Set(['name', 'description', 'parameters', 'strict', 'cache_control'])
const CUSTOM_MEMBERS: ReadonlySet<string> = new Set(['name', 'description', 'format'])

/** Reads `tools`, the older `functions`, and `web_search_options`. */
export function decodeTools(read: FieldReader, body: JsonObject): DecodedTools {
  const tools: Tool[] = []
  const builtins: BuiltinTool[] = []
  const others: Record<string, unknown> = {}
  const keep = (tool: Tool, given: JsonObject, known: ReadonlySet<string>) => {
    tools.push(tool)
    for (const [name, value] of Object.entries(othersThan(given, known))) others[`tools[${tool.name}].${name}`] = value
  }
  read.objects(body['tools'], 'tools', (entry, path) => {
    const type = read.needText(entry['type'], `${path}.type`)
    if (type !== 'function' && type !== 'custom') {
      builtins.push({ dialect: 'openai-chat', purpose: purposeOf(type), name: type, value: entry })
      return
    }
    const given = read.object(entry[type] ?? {}, `${path}.${type}`) ?? {}
    const tool = type === 'custom' ? decodeCustom(read, given, path) : decodeFunction(read, given, `${path}.function`)
    keep(
      { ...tool, ...cacheOf(given), ...cacheOf(entry) },
      given,
      type === 'custom' ? CUSTOM_MEMBERS : FUNCTION_MEMBERS,
    )
  })
  read.objects(body['functions'], 'functions', (given, path) => {
    keep(decodeFunction(read, given, path), given, FUNCTION_MEMBERS)
  })
  const search = read.object(body['web_search_options'], 'web_search_options')
  if (search !== undefined) {
    builtins.push({ dialect: 'openai-chat', purpose: 'web-search', name: 'web_search_options', value: search })
  }
  return { tools, builtins, others }
}

function decodeFunction(read: FieldReader, given: JsonObject, path: string): Tool {
  const description = read.text(given['description'], `${path}.description`)
  const schema = read.object(given['parameters'], `${path}.parameters`)
  const strict = read.flag(given['strict'], `${path}.strict`)
  return {
    name: read.needText(given['name'], `${path}.name`),
    ...(description === undefined ? {} : { description }),
    ...(schema === undefined ? {} : { schema }),
    ...(strict === undefined ? {} : { strict }),
  }
}

function decodeCustom(read: FieldReader, given: JsonObject, path: string): Tool {
  const description = read.text(given['description'], `${path}.custom.description`)
  const format = read.object(given['format'], `${path}.custom.format`)
  return {
    name: read.needText(given['name'], `${path}.custom.name`),
    ...(description === undefined ? {} : { description }),
    custom: format === undefined ? {} : { format },
  }
}

function purposeOf(type: string): BuiltinTool['purpose'] {
  if (/web_?search|live_search/.test(type)) return 'web-search'
  return type === 'code_interpreter' ? 'code' : 'other'
}

/** Undefined if no choice is set, or one of the provider's tools is chosen; the latter stays among this dialect's own fields. */
export function decodeToolChoice(read: FieldReader, body: JsonObject): ToolChoice | undefined {
  const field = body['tool_choice'] === undefined || body['tool_choice'] === null ? 'function_call' : 'tool_choice'
  const choice = body[field]
  if (choice === undefined || choice === null) return undefined
  const given = asObject(choice)
  if (given === undefined) {
    return readChoiceWord(read, choice, field)
  }
  if (field === 'function_call') return { mode: 'named', name: read.needText(given['name'], 'function_call.name') }
  switch (given['type']) {
    case 'function':
    case 'custom':
      return { mode: 'named', name: nameIn(read, given, `tool_choice.${given['type']}.name`) }
    case 'allowed_tools': {
      const allowed = read.object(given['allowed_tools'], 'tool_choice.allowed_tools') ?? {}
      const path = 'tool_choice.allowed_tools'
      const mode = read.oneOf(allowed['mode'], `${path}.mode`, ['auto', 'required'])
      const tools = read.objects(allowed['tools'], `${path}.tools`, (tool) => tool)
      if (!tools.every(({ type }) => type === 'function' || type === 'custom')) return undefined
      const names = tools.map((tool, index) => nameIn(read, tool, `${path}.tools[${index}].function.name`))
      return { mode: 'allowed', names, required: mode === 'required' }
    }
    default:
      return undefined
  }
}

function nameIn(read: FieldReader, tool: JsonObject, field: string): string {
  const named = asObject(tool['type'] === 'custom' ? tool['custom'] : tool['function'])
  return read.needText(named?.['name'] ?? tool['name'], field)
}
