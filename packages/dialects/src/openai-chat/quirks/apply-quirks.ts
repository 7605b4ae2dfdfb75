import type { ModelTraits } from '../../canon/codec.ts'
import { type Loss, Losses } from '../../canon/losses.ts'
import { asObject, type JsonObject } from '../../json-value.ts'
import { fitMessages } from './messages.ts'
import type { Quirk } from './quirk.ts'
import { fitSettings } from './settings.ts'
import { fitThinking } from './thinking.ts'

export interface QuirkTarget {
  /** The provider's name of the model. */
  readonly model: string
  readonly takes: ModelTraits
}

/** A body while quirks are applied: members are replaced, never changed inside. */
export type Fitting = Record<string, unknown>

/** Applies one rule to the members that it concerns. */
export type Fit = (body: Fitting, quirks: ReadonlySet<Quirk>, losses: Losses, target: QuirkTarget) => void

const fitTools: Fit = (body, quirks, losses) => {
  const tools = body['tools']
  if (Array.isArray(tools)) {
    if (quirks.has('known-fields-only') && tools.length === 0) delete body['tools']
    if (quirks.has('no-strict-tools')) body['tools'] = tools.map((tool) => withoutStrict(tool, losses))
    if (quirks.has('tool-stream') && body['stream'] === true) body['tool_stream'] ??= true
  }
  if (quirks.has('no-json-schema')) describeSchema(body, losses)
}

function withoutStrict(tool: unknown, losses: Losses): unknown {
  const entry = asObject(tool)
  const called = asObject(entry?.['function'])
  if (entry === undefined || called === undefined || !('strict' in called)) return tool
  if (called['strict'] === true) losses.dropped('tools[].strict')
  const known = Object.entries(called).filter(([name]) => name !== 'strict')
  return { ...entry, function: Object.fromEntries(known) }
}

/** A provider that only supports JSON without a schema gets the schema as text. */
function describeSchema(body: Fitting, losses: Losses): void {
  const format = asObject(body['response_format'])
  if (format?.['type'] !== 'json_schema') return
  const named = asObject(format['json_schema']) ?? {}
  body['response_format'] = { type: 'json_object' }
  losses.changed('response_format')
  const rule = `Answer with one JSON object that matches this JSON Schema:\n${JSON.stringify(named['schema'] ?? {})}`
  const messages: readonly unknown[] = Array.isArray(body['messages']) ? body['messages'] : []
  const [first, ...rest] = messages
  const system = asObject(first)
  const isInstruction = system?.['role'] === 'system' || system?.['role'] === 'developer'
  body['messages'] =
    system !== undefined && isInstruction
      ? [withText(system, rule), ...rest]
      : [{ role: 'system', content: rule }, ...messages]
}

function withText(message: JsonObject, text: string): JsonObject {
  const { content } = message
  if (Array.isArray(content)) return { ...message, content: [...(content as unknown[]), { type: 'text', text }] }
  return { ...message, content: typeof content === 'string' && content !== '' ? `${content}\n\n${text}` : text }
}

const FITS: readonly Fit[] = [fitSettings, fitThinking, fitTools, fitMessages]

/** Makes a translated or passed-on body acceptable to the provider; vendor fields stay unchanged. Idempotent. */
export function applyQuirks(
  body: JsonObject,
  quirks: readonly Quirk[],
  target: QuirkTarget,
): { readonly body: JsonObject; readonly losses: readonly Loss[] } {
  if (quirks.length === 0) return { body, losses: [] }
  const losses = new Losses()
  const fitted: Fitting = { ...body }
  const all = new Set(quirks)
  for (const fit of FITS) fit(fitted, all, losses, target)
  return { body: fitted, losses: losses.list() }
}
