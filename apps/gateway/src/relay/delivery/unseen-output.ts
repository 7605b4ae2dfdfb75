import { asObject } from '@sluice/dialects/json-value'
import { looseKeySet } from '@sluice/dialects/splice/key-set'
import { arrayElements, isScanFault, parseScalar, parseSpan, scanObject, type Span } from '@sluice/dialects/splice/scan'
import { outputCounted, type TokenCounts } from '@sluice/dialects/token-counts'
import { traitsOf } from '@sluice/providers/capabilities/capabilities'
import type { Candidate, Reserved } from '../stages/planned.ts'

/**
 * What an answer can cost in addition to its visible text. thoughts → reasoning that is hidden, or only partly shown · more →
 * audio, pictures, searches and other work of the provider
 */
export type Unseen = 'nothing' | 'thoughts' | 'more'

/** The part of an answer that arrived: its bytes, and how many of them were text, which is computed only when it matters. */
export interface Came {
  readonly bytes: number
  readonly shown: () => number
}

type Asking = Pick<Reserved, 'parsed' | 'body' | 'kind'> & {
  readonly candidate: Pick<Candidate, 'upstreamModel' | 'quote'> & {
    readonly route: { readonly channel: { readonly id: number } }
  }
}

/** Maximum cached models: those of a few hundred channels. */
const MODELS = 10_000
/** Text has more bytes per token than this, in every language. */
const BYTES_PER_TOKEN = 3
/** If events show all of their tokens, they have more bytes per token than this, unless each contains many. */
const EVENT_BYTES_PER_TOKEN = 128
/** Largest field that is inspected, in bytes; a larger one can contain anything. */
const FIELD_LIMIT = 65_536
/** Largest body, in bytes, that is inspected only to learn from it. */
const LEARNT_LIMIT = 65_536

/**
 * Knows which models charge for more than they show, by their names and by their earlier answers. A model without a rule is assumed
 * to do so until one of its answers has arrived whole.
 */
export class UnseenOutput {
  readonly #models = new Map<string, Unseen>()

  /** What the answer to this request can contain. Inspects the body, so it is called only for interrupted answers. */
  of(request: Asking): Unseen {
    const { parsed, body, kind, candidate } = request
    if (!parsed.hasText) return 'more'
    const { audio_output: sound, image_output: picture } = candidate.quote.rates.units ?? {}
    if (sound !== undefined || picture !== undefined || candidate.quote.charges === 'reported') return 'more'
    const wanted = kind.body === 'form' ? 'more' : asksFor(body)
    if (wanted !== 'nothing') return wanted
    const heard = this.#models.get(nameOf(request))
    return heard === undefined || heard === 'nothing' ? byName(candidate.upstreamModel, heard) : heard
  }

  /** Must be called for each answer that arrived whole. */
  learn(request: Asking, counts: TokenCounts | undefined, came: Came): void {
    const model = nameOf(request)
    const known = this.#models.get(model)
    if (known === 'thoughts' || known === 'more') return
    const output = counts === undefined ? 'nothing' : heardIn(counts, came)
    if (output === known || (output !== 'nothing' && isRequested(request, output))) return
    const [oldest] = this.#models.keys()
    if (oldest !== undefined && this.#models.size >= MODELS) this.#models.delete(oldest)
    this.#models.set(model, output)
  }
}

/** Requested behaviour says nothing about requests that do not ask for it. */
function isRequested({ body, kind }: Asking, heard: Unseen): boolean {
  return kind.body === 'form' || body.length > LEARNT_LIMIT || asksFor(body) === heard
}

function heardIn(counts: TokenCounts, came: Came): Unseen {
  const { search, tool_call: call, image, audio_output: sound, image_output: picture } = counts.units ?? {}
  if ([search, call, image, sound, picture].some((count) => count !== undefined)) return 'more'
  const made = outputCounted(counts)
  const thought = counts.reasoning + (counts.units?.reasoning_output ?? 0)
  if (thought > 0) return came.shown() < made * BYTES_PER_TOKEN ? 'thoughts' : 'nothing'
  // Not every provider reports how much of the output was reasoning.
  return came.bytes < made * EVENT_BYTES_PER_TOKEN && came.shown() < made ? 'thoughts' : 'nothing'
}

const nameOf = ({ candidate }: Asking) => `${candidate.route.channel.id} ${candidate.upstreamModel}`

/** Models that always reason before they answer, and do not show all of their reasoning. */
function byName(model: string, heard: Unseen | undefined): Unseen {
  const { thinking, efforts } = traitsOf(model)
  if (thinking === undefined) return heard ?? 'thoughts'
  const isThinking = thinking === 'forced' || (thinking === 'effort' && efforts?.includes('none') !== true)
  return isThinking ? 'thoughts' : 'nothing'
}

/** Fields that request reasoning in any dialect, and fields that request other charged work that is not text of the answer. */
const THOUGHTS = ['reasoning', 'reasoning_effort', 'thinking', 'enable_thinking', 'thinkingConfig'] as const
const MORE = [
  'modalities',
  'responseModalities',
  'prediction',
  'web_search_options',
  'search_parameters',
  'plugins',
  'mcp_servers',
  'container',
] as const
/** Gemini puts its options into a nested object, and accepts its names in snake case too. */
const KEYS = looseKeySet(...THOUGHTS, ...MORE, 'tools', 'generationConfig')

/** `level` 1 is Gemini's nested options object; anything deeper has no effect, and each level is scanned again. */
function asksFor(body: Uint8Array, { start: at, end }: Span = { start: 0, end: body.length }, level = 0): Unseen {
  const scanned = scanObject(body, KEYS, { at, end, duplicates: 'last' })
  if (isScanFault(scanned)) return 'more'
  const { values } = scanned
  const { tools, generationConfig: wishes } = values
  const hasWishes = level === 0 && wishes !== undefined && body[wishes.start] === OPEN_OBJECT
  const inside = hasWishes ? asksFor(body, wishes, 1) : 'nothing'
  const isRequested = (key: keyof typeof values) => {
    const span = values[key]
    return span !== undefined && (span.end - span.start > FIELD_LIMIT || !saysNo(parseSpan(body, span)))
  }
  if (inside === 'more' || MORE.some(isRequested) || (tools !== undefined && hasForeignTool(body, tools))) return 'more'
  return inside === 'thoughts' || THOUGHTS.some(isRequested) ? 'thoughts' : 'nothing'
}

/** `null`, `false`, `"none"`, `{"type": "disabled"}`, `{"effort": "none"}`, and a list of modalities with text alone. */
function saysNo(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((item) => /^text$/i.test(String(item)))
  const { type, effort, enabled } = asObject(value) ?? {}
  return (
    value === null ||
    value === false ||
    value === 'none' ||
    type === 'disabled' ||
    effort === 'none' ||
    enabled === false
  )
}

const OPEN_OBJECT = 0x7b
const OPEN_LIST = 0x5b
const TOOL_KEYS = looseKeySet('type', 'name', 'functionDeclarations')

/** Whether the provider runs a tool itself: one with its own type, or one of Gemini's without function declarations. */
function hasForeignTool(body: Uint8Array, tools: Span): boolean {
  if (body[tools.start] !== OPEN_LIST) return false
  for (const { start, end } of arrayElements(body, tools)) {
    const tool = scanObject(body, TOOL_KEYS, { at: start, end, duplicates: 'last' })
    if (isScanFault(tool)) return true
    const { type: span, name, functionDeclarations: declared } = tool.values
    const type = span === undefined ? undefined : parseScalar(body, span)
    if (span === undefined ? name === undefined && declared === undefined : type !== 'function' && type !== 'custom') {
      return true
    }
  }
  return false
}
