import { innerName, qualifiedName } from '../canon/calls/tool-aliases.ts'
import { readChoiceWord } from '../canon/calls/tool-choice.ts'
import { type FieldReader, othersThan } from '../canon/field-reader.ts'
import type { BuiltinTool, DecodedTools, Tool, ToolChoice } from '../canon/request.ts'
import { asObject, asText, type JsonObject } from '../json-value.ts'

const FUNCTION_MEMBERS = new Set(['type', 'name', 'description', 'parameters', 'strict'])
const CUSTOM_MEMBERS = new Set(['type', 'name', 'description', 'format'])
const GROUP_MEMBERS = new Set(['type', 'name', 'description', 'tools'])

/** Items of `input` contain tools found by a search, or added during the conversation. Nothing else in those items is kept. */
export function decodeTools(read: FieldReader, list: unknown, input: unknown): DecodedTools {
  const reader = new ToolReader(read)
  reader.list(list, 'tools')
  const items: readonly unknown[] = Array.isArray(input) ? input : []
  for (const [index, item] of items.entries()) {
    const given = asObject(item)
    const type = asText(given?.['type'])
    if (type === 'additional_tools' || type === 'tool_search_output')
      reader.listInTurn(given?.['tools'], `input[${index}].tools`, type === 'tool_search_output' ? 'kept' : 'moved')
  }
  return reader.read()
}

type Namespace = NonNullable<Tool['namespace']>

class ToolReader {
  readonly #read: FieldReader
  /** By name: a later tool with the same name replaces the first. */
  readonly #tools = new Map<string, Tool>()
  readonly #builtins: BuiltinTool[] = []
  readonly #others: Record<string, unknown> = {}

  /** The item that the tools come from, if any; `kept`: the item stays in its turn. */
  #item: 'kept' | 'moved' | undefined

  constructor(read: FieldReader) {
    this.#read = read
  }

  listInTurn(list: unknown, field: string, item: 'kept' | 'moved'): void {
    this.#item = item
    this.list(list, field)
  }

  list(list: unknown, field: string, namespace?: Namespace): void {
    this.#read.objects(list, field, (tool, path) => this.#tool(tool, path, namespace))
  }

  read(): DecodedTools {
    return { tools: [...this.#tools.values()], builtins: this.#builtins, others: this.#others }
  }

  #tool(tool: JsonObject, path: string, namespace: Namespace | undefined): void {
    const read = this.#read
    const type = read.needText(tool['type'], `${path}.type`)
    if (type === 'namespace' && namespace === undefined) this.#group(tool, path)
    else if (type !== 'function' && type !== 'custom' && namespace !== undefined) {
      read.refuse(`${path}.type`, 'must be function or custom: it is inside a namespace')
    } else if (type !== 'function' && type !== 'custom') {
      const isKnown = this.#builtins.some(({ name }) => name === type && this.#item !== undefined)
      const builtin = { dialect: 'openai-responses', purpose: purposeOf(type), name: type, value: tool } as const
      if (!isKnown) this.#builtins.push({ ...builtin, ...this.#place })
    } else {
      const plain = type === 'custom' ? decodeCustom(read, tool, path) : decodeFunction(read, tool, path)
      const known =
        namespace === undefined ? plain : { ...plain, name: qualifiedName(namespace.name, plain.name), namespace }
      this.#tools.set(known.name, this.#tools.has(known.name) ? known : { ...known, ...this.#place })
      const more = othersThan(tool, type === 'custom' ? CUSTOM_MEMBERS : FUNCTION_MEMBERS)
      for (const [name, value] of Object.entries(more)) this.#others[`tools[${known.name}].${name}`] = value
    }
  }

  get #place(): { readonly isInTurns?: true } {
    return this.#item === 'kept' ? { isInTurns: true } : {}
  }

  #group(tool: JsonObject, path: string): void {
    const name = this.#read.needText(tool['name'], `${path}.name`)
    const description = this.#read.text(tool['description'], `${path}.description`)
    this.list(tool['tools'], `${path}.tools`, { name, ...(description === undefined ? {} : { description }) })
    for (const [member, value] of Object.entries(othersThan(tool, GROUP_MEMBERS))) {
      this.#others[`tools[${name}].${member}`] = value
    }
  }
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

/** Undefined if no choice is set, or one of the provider's tools is chosen; the latter stays among this dialect's own fields. */
export function decodeToolChoice(read: FieldReader, choice: unknown, tools: readonly Tool[]): ToolChoice | undefined {
  if (choice === undefined || choice === null) return undefined
  const given = asObject(choice)
  if (given === undefined) {
    return readChoiceWord(read, choice, 'tool_choice')
  }
  switch (given['type']) {
    case 'function':
    case 'custom':
      return { mode: 'named', name: chosenName(read, given, 'tool_choice.name', tools) }
    case 'allowed_tools': {
      const allowed = read.objects(given['tools'], 'tool_choice.tools', (tool) => tool)
      const mode = read.oneOf(given['mode'], 'tool_choice.mode', ['auto', 'required'])
      if (!allowed.every(({ type }) => type === 'function' || type === 'custom')) return undefined
      const names = allowed.map((tool, index) => chosenName(read, tool, `tool_choice.tools[${index}].name`, tools))
      return { mode: 'allowed', names, required: mode === 'required' }
    }
    default:
      return undefined
  }
}

/** A choice may name a grouped function without its group. */
function chosenName(read: FieldReader, { name, namespace }: JsonObject, field: string, tools: readonly Tool[]): string {
  const given = read.needText(name, field)
  if (typeof namespace === 'string') return qualifiedName(namespace, given)
  if (tools.some((tool) => tool.name === given)) return given
  const grouped = tools.find(
    (tool) => tool.namespace !== undefined && innerName(tool.name, tool.namespace.name) === given,
  )
  return grouped?.name ?? given
}
