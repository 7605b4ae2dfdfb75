import { asFunction } from '../canon/calls/free-text-tools.ts'
import type { Losses } from '../canon/losses.ts'
import type { BuiltinTool, CanonRequest, Tool, ToolChoice } from '../canon/request.ts'
import type { JsonObject } from '../json-value.ts'
import { isThirdGeneration } from './model-version.ts'

const NAMES: Readonly<Record<Exclude<BuiltinTool['purpose'], 'other'>, string>> = {
  'web-search': 'googleSearch',
  'web-fetch': 'urlContext',
  code: 'codeExecution',
}

/** `model` is the provider's name. */
export function encodeTools({ tools, builtins }: CanonRequest, model: string, losses: Losses): readonly JsonObject[] {
  const functions = tools.map((tool) => encodeFunction(tool, losses))
  const declared = functions.length === 0 ? [] : [{ functionDeclarations: functions }]
  if (functions.length > 0 && !isThirdGeneration(model)) {
    // Older models accept either their own tools or functions.
    for (const { name } of builtins) losses.dropped(`tools[${name}]`)
    return declared
  }
  return [...declared, ...builtins.flatMap((tool) => encodeBuiltin(tool, losses))]
}

function encodeFunction(tool: Tool, losses: Losses): JsonObject {
  const { name, description, schema, strict, cache } = asFunction(tool, losses)
  if (strict === true) losses.dropped('strict')
  if (cache !== undefined) losses.dropped('cache_control')
  return {
    name,
    ...(description === undefined ? {} : { description }),
    ...(schema === undefined ? {} : { parametersJsonSchema: schema }),
  }
}

function encodeBuiltin({ dialect, purpose, name, value }: BuiltinTool, losses: Losses): readonly JsonObject[] {
  if (dialect === 'gemini') return [value]
  if (purpose === 'other') {
    losses.dropped(`tools[${name}]`)
    return []
  }
  losses.changed(`tools[${name}]`)
  return [{ [NAMES[purpose]]: {} }]
}

/** `functionCallingConfig`; undefined if the client set no choice. */
export function encodeChoice(choice: ToolChoice | undefined): JsonObject | undefined {
  switch (choice?.mode) {
    case undefined:
      return undefined
    case 'auto':
      return { mode: 'AUTO' }
    case 'none':
      return { mode: 'NONE' }
    case 'required':
      return { mode: 'ANY' }
    case 'named':
      return { mode: 'ANY', allowedFunctionNames: [choice.name] }
    case 'allowed':
      return { mode: choice.required ? 'ANY' : 'VALIDATED', allowedFunctionNames: choice.names }
  }
}
