import { type FieldReader, othersThan } from '../canon/field-reader.ts'
import type { BuiltinTool, DecodedTools, Tool, ToolChoice } from '../canon/request.ts'
import { asObject, type JsonObject } from '../json-value.ts'

const FUNCTION_MEMBERS = new Set(['type', 'name', 'description', 'parameters', 'strict'])
const CUSTOM_MEMBERS = new Set(['type', 'name', 'description', 'format'])

export function decodeTools(read: FieldReader, list: unknown): DecodedTools {
  const tools: Tool[] = []
  const builtins: BuiltinTool[] = []
  const others: Record<string, unknown> = {}
  read.objects(list, 'tools', (tool, path) => {
    const type = read.needText(tool['type'], `${path}.type`)
    if (type !== 'function' && type !== 'custom') {
      builtins.push({ dialect: 'openai-responses', purpose: purposeOf(type), name: type, value: tool })
      return
    }
    const known = type === 'custom' ? decodeCustom(read, tool, path) : decodeFunction(read, tool, path)
    tools.push(known)
    const more = othersThan(tool, type === 'custom' ? CUSTOM_MEMBERS : FUNCTION_MEMBERS)
    for (const [name, value] of Object.entries(more)) others[`tools[${known.name}].${name}`] = value
  })
  return { tools, builtins, others }
}

function decodeFunction(read: FieldReader, tool: JsonObject, path: string): Tool {
  const description = read.text(tool['description'], `${path}.description`)
  const schema = read.object(tool['parameters'], `${path}.parameters`)
  const strict = read.flag(tool['strict'], `${path}.strict`)
  return {
    name: read.needText(tool['name'], `${path}.name`),
    ...(description === undefined ? {} : { description }),
    ...(schema === undefined ? {} : { schema }),
    ...(strict === undefined ? {} : { strict }),
  }
}

function decodeCustom(read: FieldReader, tool: JsonObject, path: string): Tool {
  const description = read.text(tool['description'], `${path}.description`)
  const format = read.object(tool['format'], `${path}.format`)
  return {
    name: read.needText(tool['name'], `${path}.name`),
    ...(description === undefined ? {} : { description }),
    custom: format === undefined ? {} : { format },
  }
}

/** The types carry dates: `web_search_preview_2025_03_11`. */
function purposeOf(type: string): BuiltinTool['purpose'] {
  if (type.startsWith('web_search')) return 'web-search'
  return type === 'code_interpreter' ? 'code' : 'other'
}

const MODES = ['auto', 'none', 'required'] as const

/** Undefined when it is left open, or names a tool of the provider; then it stays among this dialect's own fields. */
export function decodeToolChoice(read: FieldReader, choice: unknown): ToolChoice | undefined {
  if (choice === undefined || choice === null) return undefined
  const given = asObject(choice)
  if (given === undefined) {
    const mode = read.oneOf(choice, 'tool_choice', MODES)
    return mode && { mode }
  }
  switch (given['type']) {
    case 'function':
    case 'custom':
      return { mode: 'named', name: read.needText(given['name'], 'tool_choice.name') }
    case 'allowed_tools': {
      const tools = read.objects(given['tools'], 'tool_choice.tools', (tool) => tool)
      const mode = read.oneOf(given['mode'], 'tool_choice.mode', ['auto', 'required'])
      if (!tools.every(({ type }) => type === 'function' || type === 'custom')) return undefined
      const names = tools.map(({ name }, index) => read.needText(name, `tool_choice.tools[${index}].name`))
      return { mode: 'allowed', names, required: mode === 'required' }
    }
    default:
      return undefined
  }
}
