import { type FieldReader, othersThan } from '../canon/field-reader.ts'
import type { BuiltinTool, Tool, ToolChoice } from '../canon/request.ts'
import type { JsonObject } from '../json-value.ts'
import { camelCase, camelObject } from './camel-case.ts'
import { listOf } from './decode-turns.ts'
import { toJsonSchema } from './json-schema.ts'

const PURPOSES: Readonly<Record<string, BuiltinTool['purpose']>> = {
  googleSearch: 'web-search',
  googleSearchRetrieval: 'web-search',
  enterpriseWebSearch: 'web-search',
  urlContext: 'web-fetch',
  codeExecution: 'code',
}
const DECLARATION_KNOWN = new Set(['name', 'description', 'parameters', 'parametersJsonSchema'])
const CALLING_KNOWN = new Set(['mode', 'allowedFunctionNames'])
const CALLING = 'toolConfig.functionCallingConfig'

export interface DecodedTools {
  readonly tools: readonly Tool[]
  readonly builtins: readonly BuiltinTool[]
}

/** `tools`: lists of functions, and Google's own tools by their names. */
export function decodeTools(value: unknown, reader: FieldReader, extra: Record<string, unknown>): DecodedTools {
  const tools: Tool[] = []
  const builtins: BuiltinTool[] = []
  reader.objects(listOf(value), 'tools', (object, path) => {
    const { functionDeclarations, ...others } = camelCase(object)
    tools.push(
      ...reader.objects(listOf(functionDeclarations), `${path}.functionDeclarations`, (declared, at) =>
        decodeFunction(camelCase(declared), at, reader, extra),
      ),
    )
    for (const [name, own] of Object.entries(others)) {
      const purpose = Object.hasOwn(PURPOSES, name) ? (PURPOSES[name] ?? 'other') : 'other'
      builtins.push({ dialect: 'gemini', purpose, name, value: { [name]: own ?? {} } })
    }
  })
  return { tools, builtins }
}

function decodeFunction(declared: JsonObject, path: string, reader: FieldReader, extra: Record<string, unknown>): Tool {
  const name = reader.needText(declared['name'], `${path}.name`)
  const description = reader.text(declared['description'], `${path}.description`)
  const openApi = reader.object(declared['parameters'], `${path}.parameters`)
  const schema =
    reader.object(declared['parametersJsonSchema'], `${path}.parametersJsonSchema`) ??
    (openApi && toJsonSchema(openApi))
  for (const [key, value] of Object.entries(othersThan(declared, DECLARATION_KNOWN))) extra[`${path}.${key}`] = value
  return { name, ...(description === undefined ? {} : { description }), ...(schema && { schema }) }
}

/** `toolConfig`; anything other than a choice of functions goes to `extra` by path. */
export function decodeToolConfig(
  value: unknown,
  reader: FieldReader,
  extra: Record<string, unknown>,
): ToolChoice | undefined {
  const config = reader.object(value, 'toolConfig')
  if (config === undefined) return undefined
  const { functionCallingConfig, ...others } = camelCase(config)
  for (const [name, own] of Object.entries(others)) extra[`toolConfig.${name}`] = own
  const calling = camelObject(reader.object(functionCallingConfig, CALLING))
  if (calling === undefined) return undefined
  for (const [name, own] of Object.entries(othersThan(calling, CALLING_KNOWN))) extra[`${CALLING}.${name}`] = own
  const mode = reader.text(calling['mode'], `${CALLING}.mode`)?.toUpperCase()
  const names = reader
    .list(calling['allowedFunctionNames'], `${CALLING}.allowedFunctionNames`)
    .map((name, i) => reader.needText(name, `${CALLING}.allowedFunctionNames[${i}]`))
  return choiceOf(mode, names, reader, extra)
}

function choiceOf(
  mode: string | undefined,
  names: readonly string[],
  reader: FieldReader,
  extra: Record<string, unknown>,
): ToolChoice | undefined {
  const [first] = names
  switch (mode) {
    case undefined:
    case '':
    case 'MODE_UNSPECIFIED':
      return undefined
    case 'AUTO':
      return { mode: 'auto' }
    case 'NONE':
      return { mode: 'none' }
    case 'ANY':
      if (first === undefined) return { mode: 'required' }
      return names.length === 1 ? { mode: 'named', name: first } : { mode: 'allowed', names, required: true }
    case 'VALIDATED':
      if (first !== undefined) return { mode: 'allowed', names, required: false }
      extra[`${CALLING}.mode`] = 'VALIDATED'
      return { mode: 'auto' }
    default:
      return reader.refuse(`${CALLING}.mode`, 'must be one of AUTO, ANY, NONE, VALIDATED')
  }
}
