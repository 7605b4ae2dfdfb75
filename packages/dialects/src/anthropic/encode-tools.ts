import { asFunction } from '../canon/calls/free-text-tools.ts'
import { chosenBuiltin, mustCall } from '../canon/calls/tool-choice.ts'
import type { Losses } from '../canon/losses.ts'
import type { BuiltinTool, CanonRequest, Tool, ToolChoice } from '../canon/request.ts'
import { asObject, type JsonObject } from '../json-value.ts'
import { closedSchema } from './closed-schema.ts'
import { cached } from './encode-turns.ts'

/** The API refuses a choice without tools, so both are left out together. */
export function encodeTools(request: CanonRequest, losses: Losses): JsonObject {
  const { toolChoice, builtins } = request
  const isMissing = ({ isInTurns }: Tool | BuiltinTool) =>
    isInTurns !== true || request.extra.dialect !== 'anthropic-messages'
  const functions = offeredTools(request, losses)
    .filter(isMissing)
    .map((tool) => encodeTool(tool, request, losses))
  const tools = [...functions, ...builtins.filter(isMissing).flatMap((tool) => encodeBuiltin(tool, losses))]
  if (tools.length === 0) {
    if (mustCall(toolChoice)) losses.dropped('tool_choice')
    return {}
  }
  const chosen = chosenBuiltin(request)
  const isLost = chosen !== undefined && chosen.dialect !== 'anthropic-messages'
  if (isLost) losses.dropped('tool_choice')
  const choice = encodeChoice(isLost ? undefined : toolChoice, request.parallelTools)
  if (toolChoice?.mode === 'none' && request.parallelTools !== undefined) losses.dropped('parallel_tool_calls')
  return { tools, ...(choice === undefined ? {} : { tool_choice: choice }) }
}

/** If only some tools are allowed, only those are sent. */
function offeredTools({ tools, toolChoice }: CanonRequest, losses: Losses): readonly Tool[] {
  if (toolChoice?.mode !== 'allowed') return tools
  const allowed = new Set(toolChoice.names)
  const cut = tools.filter(({ name }) => !allowed.has(name))
  losses.changed('tool_choice')
  if (cut.some(({ cache }) => cache !== undefined)) losses.dropped('cache_control')
  if (cut.some(({ strict }) => strict !== undefined)) losses.dropped('tools[].function.strict')
  return tools.filter(({ name }) => allowed.has(name))
}

function encodeTool(tool: Tool, { extra }: CanonRequest, losses: Losses): JsonObject {
  const { name, description, schema, strict, cache } = asFunction(tool, losses)
  return {
    name,
    ...(description === undefined ? {} : { description }),
    input_schema:
      strict === true && extra.dialect !== 'anthropic-messages' ? enforced(schema, losses) : withType(schema),
    ...(strict === undefined ? {} : { strict }),
    ...cached(cache),
    ...(extra.dialect === 'anthropic-messages' ? membersOf(extra.fields, `tools[${name}].`) : {}),
  }
}

function membersOf(fields: JsonObject, prefix: string): JsonObject {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([path]) => path.startsWith(prefix))
      .map(([path, value]) => [path.slice(prefix.length), value]),
  )
}

/** A schema that the model is forced to follow. */
function enforced(schema: JsonObject | undefined, losses: Losses): JsonObject {
  const given = withType(schema)
  const closed = closedSchema(given)
  if (closed !== given) losses.changed('tools[].function.parameters')
  return closed
}

function withType(schema: JsonObject | undefined): JsonObject {
  if (schema === undefined) return { type: 'object' }
  return 'type' in schema ? schema : { type: 'object', ...schema }
}

function encodeBuiltin({ dialect, purpose, name, value }: BuiltinTool, losses: Losses): readonly JsonObject[] {
  if (dialect === 'anthropic-messages') return [value]
  if (purpose === 'web-search') {
    losses.changed(`tools[${name}]`)
    return [{ type: 'web_search_20250305', name: 'web_search', ...placeOf(value) }]
  }
  losses.dropped(`tools[${name}]`)
  return []
}

/** OpenAI's chat nests the members of a location one level deeper than Responses and Anthropic. */
function placeOf(value: JsonObject): JsonObject {
  const place = asObject(value['user_location'])
  if (place?.['type'] !== 'approximate') return {}
  return { user_location: { type: 'approximate', ...(asObject(place['approximate']) ?? place) } }
}

function encodeChoice(choice: ToolChoice | undefined, parallel: boolean | undefined): JsonObject | undefined {
  if (choice?.mode === 'none') return { type: 'none' }
  if (choice === undefined && parallel === undefined) return undefined
  return {
    ...encodeMode(choice),
    ...(parallel === undefined ? {} : { disable_parallel_tool_use: !parallel }),
  }
}

function encodeMode(choice: ToolChoice | undefined): JsonObject {
  switch (choice?.mode) {
    case 'required':
      return { type: 'any' }
    case 'named':
      return { type: 'tool', name: choice.name }
    case 'allowed':
      return { type: choice.required ? 'any' : 'auto' }
    default:
      return { type: 'auto' }
  }
}
