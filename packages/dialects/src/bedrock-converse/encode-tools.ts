import { asFunction } from '../canon/calls/free-text-tools.ts'
import { chosenBuiltin, mustCall } from '../canon/calls/tool-choice.ts'
import type { Losses } from '../canon/losses.ts'
import type { CanonRequest, Tool, ToolChoice } from '../canon/request.ts'
import type { JsonObject } from '../json-value.ts'
import { cachePointOf } from './encode-turns.ts'

const ANYTHING: JsonObject = { type: 'object' }

/** Converse refuses calls and results in a conversation without tools, so tools used in the conversation are always declared. */
export function encodeTools(
  request: CanonRequest,
  { losses, caches }: { readonly losses: Losses; readonly caches: boolean },
): JsonObject | undefined {
  for (const { name } of request.builtins) losses.dropped(`tools[${name}]`)
  if (request.parallelTools === false) losses.dropped('parallel_tool_calls')
  const parts = request.turns.flatMap((turn) => turn.parts)
  const history = [...new Set(parts.flatMap((part) => (part.kind === 'tool-call' ? [part.name] : [])))]
  const hasHistory = parts.some(isToolPart)
  const { toolChoice } = request
  if (toolChoice?.mode === 'none' && !hasHistory) return undefined
  const offered = offeredTools(request)
  if (offered.length < request.tools.length) losses.changed('tool_choice')
  const declared = offered.length > 0 || !hasHistory ? offered : inHistory(history, losses)
  const isChoosable = offered.length > 0 && chosenBuiltin(request) === undefined
  if (!isChoosable && mustCall(toolChoice)) losses.dropped('tool_choice')
  if (declared.length === 0) return undefined
  const choice = isChoosable ? encodeChoice(toolChoice, losses) : undefined
  return {
    tools: declared.flatMap((tool) => encodeTool(tool, losses, caches)),
    ...(choice === undefined ? {} : { toolChoice: choice }),
  }
}

const isToolPart = ({ kind }: { readonly kind: string }) => kind === 'tool-call' || kind === 'tool-result'

/** If only some tools are allowed, only those are sent. */
function offeredTools({ tools, toolChoice }: CanonRequest): readonly Tool[] {
  if (toolChoice?.mode !== 'allowed') return tools
  const allowed = new Set(toolChoice.names)
  return tools.filter(({ name }) => allowed.has(name))
}

function inHistory(names: readonly string[], losses: Losses): readonly Tool[] {
  losses.changed('tools')
  return names.length === 0 ? [{ name: 'unknown' }] : names.map((name) => ({ name }))
}

function encodeTool(tool: Tool, losses: Losses, caches: boolean): readonly JsonObject[] {
  const { name, description, schema, strict, cache } = asFunction(tool, losses)
  // Converse has the field, but most of its models refuse it, and clients set it on every tool.
  if (strict === true) losses.dropped('tools[].function.strict')
  if (cache !== undefined && !caches) losses.dropped('cache_control')
  const toolSpec = {
    name,
    ...(description === undefined || description === '' ? {} : { description }),
    inputSchema: { json: withType(schema) },
  }
  return [{ toolSpec }, ...(cache !== undefined && caches ? [cachePointOf(cache)] : [])]
}

function withType(schema: JsonObject | undefined): JsonObject {
  if (schema === undefined) return ANYTHING
  return 'type' in schema ? schema : { type: 'object', ...schema }
}

function encodeChoice(choice: ToolChoice | undefined, losses: Losses): JsonObject | undefined {
  switch (choice?.mode) {
    case undefined:
      return undefined
    case 'auto':
      return { auto: {} }
    case 'required':
      return { any: {} }
    case 'named':
      return { tool: { name: choice.name } }
    case 'allowed':
      return choice.required ? { any: {} } : { auto: {} }
    case 'none':
      losses.dropped('tool_choice')
      return undefined
  }
}
