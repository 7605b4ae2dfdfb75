import type { AnswerDecoder, Frame } from '../codec.ts'
import { digest } from '../digest.ts'
import type { AnswerEvent } from '../events.ts'
import type { Loss } from '../losses.ts'
import type { ChatDialect, Part } from '../parts.ts'
import type { CanonRequest, ToolChoice } from '../request.ts'

const NAME_LIMIT = 64
const DIGEST_LENGTH = 10
/** Names that OpenAI, Anthropic and Bedrock accept; tool names from MCP servers are often longer, and Gemini's have dots. */
const COMMON = /^[a-zA-Z0-9_-]{1,64}$/
const GEMINIS = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/

export interface TakenNames {
  /** The request with names that the provider accepts. */
  readonly request: CanonRequest
  /** The client's name for each name of the provider. */
  readonly aliases: ReadonlyMap<string, string>
  readonly losses: readonly Loss[]
}

/** Renames tools as a dialect's providers require, unless the client speaks it too. `withClientNames` reverses it for the calls. */
export function withTakenNames(request: CanonRequest, dialect: ChatDialect): TakenNames {
  if (request.extra.dialect === dialect) return { request, aliases: new Map(), losses: [] }
  const taken = dialect === 'gemini' ? GEMINIS : COMMON
  const encoded = new Map<string, string>()
  const names = namesIn(request)
  const used = new Set(names.keys())
  for (const [name, namespace] of names) {
    if (namespace === undefined && taken.test(name)) continue
    const alias = aliasOf(name, namespace, used)
    used.add(alias)
    encoded.set(name, alias)
  }
  if (encoded.size === 0) return { request, aliases: new Map(), losses: [] }
  return {
    request: renamed(request, (name) => encoded.get(name) ?? name),
    aliases: new Map([...encoded].map(([name, alias]) => [alias, name])),
    losses: request.tools.flatMap(({ name, namespace }): readonly Loss[] => [
      ...(encoded.has(name) ? [{ what: `tools[${name}].name`, became: 'changed' as const }] : []),
      ...((namespace?.description ?? '') === ''
        ? []
        : [{ what: `tools[${namespace?.name}].description`, became: 'dropped' as const }]),
    ]),
  }
}

export function withClientNames(decoder: AnswerDecoder, aliases: TakenNames['aliases']): AnswerDecoder {
  if (aliases.size === 0) return decoder
  return {
    push: (frame: Frame) => clientNames(decoder.push(frame), aliases),
    end: () => clientNames(decoder.end(), aliases),
  }
}

/** As `withClientNames`, for a whole reply. */
export function clientNames(events: readonly AnswerEvent[], aliases: TakenNames['aliases']): readonly AnswerEvent[] {
  return events.map((event) =>
    event.type === 'tool-start' ? { ...event, name: aliases.get(event.name) ?? event.name } : event,
  )
}

function namesIn({ tools, turns }: CanonRequest): ReadonlyMap<string, string | undefined> {
  const calls = turns.flatMap(({ parts }) => parts.filter((part) => part.kind === 'tool-call'))
  return new Map([
    ...tools.map(({ name, namespace }) => [name, namespace?.name] as const),
    ...calls.map(({ name, namespace }) => [name, namespace] as const),
  ])
}

/** The digest of the whole name distinguishes names that become equal once shortened and cleaned. */
function aliasOf(name: string, namespace: string | undefined, used: ReadonlySet<string>): string {
  const flat = namespace === undefined ? '' : flatName(name, namespace)
  if (COMMON.test(flat) && GEMINIS.test(flat) && !used.has(flat)) return flat
  const clean = name.replace(/[^a-zA-Z0-9_-]/g, '_')
  const headed = /^[a-zA-Z_]/.test(clean) ? clean : `_${clean}`
  return `${headed.slice(0, NAME_LIMIT - DIGEST_LENGTH - 1)}_${digest(name, DIGEST_LENGTH)}`
}

function renamed(request: CanonRequest, nameOf: (name: string) => string): CanonRequest {
  const { tools, turns, toolChoice } = request
  return {
    ...request,
    tools: tools.map((tool) => ({ ...tool, name: nameOf(tool.name) })),
    turns: turns.map((turn) => ({ ...turn, parts: turn.parts.map((part) => renamedPart(part, nameOf)) })),
    toolChoice: toolChoice && renamedChoice(toolChoice, nameOf),
  }
}

function renamedPart(part: Part, nameOf: (name: string) => string): Part {
  if (part.kind === 'tool-call') return { ...part, name: nameOf(part.name) }
  return part.kind === 'tool-result' && part.name !== undefined ? { ...part, name: nameOf(part.name) } : part
}

function renamedChoice(choice: ToolChoice, nameOf: (name: string) => string): ToolChoice {
  switch (choice.mode) {
    case 'named':
      return { ...choice, name: nameOf(choice.name) }
    case 'allowed':
      return { ...choice, names: choice.names.map(nameOf) }
    default:
      return choice
  }
}

/**
 * A function in a group, with both names joined by a dot; OpenAI's function names contain no dots, so it is unambiguous. OpenAI's
 * Responses allow the same function in two groups; Codex has a group for each MCP server.
 */
export function qualifiedName(namespace: string, name: string): string {
  return `${namespace}.${name}`
}

export function innerName(qualified: string, namespace: string): string {
  return qualified.startsWith(`${namespace}.`) ? qualified.slice(namespace.length + 1) : qualified
}

/** Without dots, which some providers refuse: `mcp__files__read_file`, as clients name such functions themselves. */
function flatName(qualified: string, namespace: string): string {
  const inner = innerName(qualified, namespace)
  return `${namespace}${namespace.endsWith('_') || inner.startsWith('_') ? '' : '__'}${inner}`
}
