import { type FieldReader, othersThan } from '../canon/field-reader.ts'
import type { BuiltinTool, DecodedTools, Tool, ToolChoice } from '../canon/request.ts'
import type { JsonObject } from '../json-value.ts'
import type { ContentReader } from './decode-content.ts'

const TOOL_MEMBERS: ReadonlySet<string> = new Set([
  'type',
  'name',
  'description',
  'input_schema',
  'strict',
  'cache_control',
])

/** A tool with its own type is run by the provider or known to it by name. Tools added by messages come last: read those first. */
export function decodeTools(read: FieldReader, content: ContentReader, list: unknown): DecodedTools {
  const tools = new Map<string, Tool>()
  const builtins: BuiltinTool[] = []
  const others: Record<string, unknown> = {}
  const add = (tool: JsonObject, path: string, isInTurns = false) => {
    const place = isInTurns ? { isInTurns } : {}
    const type = read.text(tool['type'], `${path}.type`) ?? 'custom'
    if (type !== 'custom') {
      const isKnown = builtins.some((known) => known.name === type && isInTurns)
      if (!isKnown) {
        builtins.push({ dialect: 'anthropic-messages', purpose: purposeOf(type), name: type, value: tool, ...place })
      }
      return
    }
    const name = read.needText(tool['name'], `${path}.name`)
    const description = read.text(tool['description'], `${path}.description`)
    const schema = read.object(tool['input_schema'], `${path}.input_schema`)
    const strict = read.flag(tool['strict'], `${path}.strict`)
    tools.set(name, {
      name,
      ...(description === undefined ? {} : { description }),
      ...(schema === undefined ? {} : { schema }),
      ...(strict === undefined ? {} : { strict }),
      ...content.cache(tool, path),
      ...(tools.has(name) ? {} : place),
    })
    for (const [member, value] of Object.entries(othersThan(tool, TOOL_MEMBERS))) {
      others[`tools[${name}].${member}`] = value
    }
  }
  read.objects(list, 'tools', (tool, path) => add(tool, path))
  for (const [tool, path] of content.addedTools) add(tool, path, true)
  return { tools: [...tools.values()], builtins, others }
}

/** The types carry dates: `web_search_20250305`. */
function purposeOf(type: string): BuiltinTool['purpose'] {
  if (type.startsWith('web_search')) return 'web-search'
  if (type.startsWith('web_fetch')) return 'web-fetch'
  return type.startsWith('code_execution') ? 'code' : 'other'
}

export interface DecodedChoice {
  readonly toolChoice: ToolChoice | undefined
  readonly parallelTools: boolean | undefined
}

export function decodeToolChoice(read: FieldReader, value: unknown): DecodedChoice {
  const choice = read.object(value, 'tool_choice')
  if (choice === undefined) return { toolChoice: undefined, parallelTools: undefined }
  const one = read.flag(choice['disable_parallel_tool_use'], 'tool_choice.disable_parallel_tool_use')
  return { toolChoice: decodeMode(read, choice), parallelTools: one === undefined ? undefined : !one }
}

function decodeMode(read: FieldReader, choice: JsonObject): ToolChoice | undefined {
  const type = read.oneOf(choice['type'] ?? '', 'tool_choice.type', ['auto', 'any', 'tool', 'none'])
  switch (type) {
    case 'auto':
    case 'none':
      return { mode: type }
    case 'any':
      return { mode: 'required' }
    case 'tool':
      return { mode: 'named', name: read.needText(choice['name'], 'tool_choice.name') }
    default:
      return undefined
  }
}
