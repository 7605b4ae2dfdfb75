import { asObject } from '@sluice/dialects/json-value'
import { looseKeySet } from '@sluice/dialects/splice/key-set'
import { arrayElements, isScanFault, parseScalar, parseSpan, scanObject, type Span } from '@sluice/dialects/splice/scan'
import { outputCounted, type TokenCounts } from '@sluice/dialects/token-counts'
import { traitsOf } from '@sluice/providers/capabilities/capabilities'
import type { Candidate } from './choose.ts'
import type { Reserved } from './reserve.ts'

/**
 * What an answer may cost beyond the text that its client is shown.
 * thoughts → reasoning that is not told, or told in part · more → sound, pictures, searches and other work of the provider
 */
export type Unseen = 'nothing' | 'thoughts' | 'more'

/** What came of an answer: its bytes, and how many of them were text, which is looked at where it matters. */
export interface Came {
  readonly bytes: number
  readonly shown: () => number
}

type Asking = Pick<Reserved, 'asked' | 'body' | 'kind'> & {
  readonly candidate: Pick<Candidate, 'upstreamModel' | 'quote'> & {
    readonly route: { readonly channel: { readonly id: number } }
  }
}

/** Models that are remembered; those of a few hundred channels. */
const MODELS = 10_000
/** Text has more bytes per token than this, in every language. */
const BYTES_PER_TOKEN = 3
/** Events that tell all of their tokens have more bytes than this for each, unless they hold many. */
const EVENT_BYTES_PER_TOKEN = 128
/** Bytes of a field that is looked into; in what is larger anything may stand. */
const FIELD_LIMIT = 65_536
/** Bytes of a body that is looked at only to learn something. */
const LEARNT_LIMIT = 65_536

/**
 * Knows which models count more than they tell: by their names, and by what their answers came to. A model that nobody has a rule
 * for is taken to do so until one answer of it was heard to its end.
 */
export class UnseenOutput {
  private readonly models = new Map<string, Unseen>()

  /** What the answer to this request may hold. Looks at the body: for answers that break off, not for every one. */
  of(request: Asking): Unseen {
    const { asked, body, kind, candidate } = request
    if (!asked.hasText) return 'more'
    const { audio_output: sound, image_output: picture } = candidate.quote.rates.units ?? {}
    if (sound !== undefined || picture !== undefined || candidate.quote.charges === 'reported') return 'more'
    const wanted = kind.body === 'form' ? 'more' : asksFor(body)
    if (wanted !== 'nothing') return wanted
    const heard = this.models.get(nameOf(request))
    return heard === undefined || heard === 'nothing' ? byName(candidate.upstreamModel, heard) : heard
  }

  /** To be told of each answer that came whole. */
  learn(request: Asking, counts: TokenCounts | undefined, came: Came): void {
    const name = nameOf(request)
    const known = this.models.get(name)
    if (known === 'thoughts' || known === 'more') return
    const heard = counts === undefined ? 'nothing' : heardIn(counts, came)
    if (heard === known || (heard !== 'nothing' && isAskedFor(request, heard))) return
    const [oldest] = this.models.keys()
    if (oldest !== undefined && this.models.size >= MODELS) this.models.delete(oldest)
    this.models.set(name, heard)
  }
}

/** What a model is only known to do when it is asked to says nothing of the requests that do not ask. */
function isAskedFor({ body, kind }: Asking, heard: Unseen): boolean {
  return kind.body === 'form' || body.length > LEARNT_LIMIT || asksFor(body) === heard
}

function heardIn(counts: TokenCounts, came: Came): Unseen {
  const { search, tool_call: call, image, audio_output: sound, image_output: picture } = counts.units ?? {}
  if ([search, call, image, sound, picture].some((count) => count !== undefined)) return 'more'
  const made = outputCounted(counts)
  const thought = counts.reasoning + (counts.units?.reasoning_output ?? 0)
  if (thought > 0) return came.shown() < made * BYTES_PER_TOKEN ? 'thoughts' : 'nothing'
  // Not every provider says how much of it was reasoning.
  return came.bytes < made * EVENT_BYTES_PER_TOKEN && came.shown() < made ? 'thoughts' : 'nothing'
}

const nameOf = ({ candidate }: Asking) => `${candidate.route.channel.id} ${candidate.upstreamModel}`

/** Models that think before they answer, whatever they are asked, and do not tell all of it. */
function byName(model: string, heard: Unseen | undefined): Unseen {
  const { thinking, efforts } = traitsOf(model)
  if (thinking === undefined) return heard ?? 'thoughts'
  const isThinking = thinking === 'forced' || (thinking === 'effort' && efforts?.includes('none') !== true)
  return isThinking ? 'thoughts' : 'nothing'
}

/** What asks for reasoning in any dialect, and what asks for anything else that is paid for and is no text of the answer. */
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
/** Gemini puts its wishes into an object of their own, and takes its names in snake case too. */
const KEYS = looseKeySet(...THOUGHTS, ...MORE, 'tools', 'generationConfig')

/** `level` 1 is Gemini's object of wishes; what is nested deeper steers nothing, and each level is read again. */
function asksFor(body: Uint8Array, { start: at, end }: Span = { start: 0, end: body.length }, level = 0): Unseen {
  const scanned = scanObject(body, KEYS, { at, end, duplicates: 'last' })
  if (isScanFault(scanned)) return 'more'
  const { values } = scanned
  const { tools, generationConfig: wishes } = values
  const hasWishes = level === 0 && wishes !== undefined && body[wishes.start] === OPEN_OBJECT
  const inside = hasWishes ? asksFor(body, wishes, 1) : 'nothing'
  const isAsked = (key: keyof typeof values) => {
    const span = values[key]
    return span !== undefined && (span.end - span.start > FIELD_LIMIT || !saysNo(parseSpan(body, span)))
  }
  if (inside === 'more' || MORE.some(isAsked) || (tools !== undefined && hasForeignTool(body, tools))) return 'more'
  return inside === 'thoughts' || THOUGHTS.some(isAsked) ? 'thoughts' : 'nothing'
}

/** `null`, `false`, `"none"`, `{"type": "disabled"}`, `{"effort": "none"}`; a list of modalities with text alone. */
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

/** Whether some tool is run by the provider: one of a type of its own, or of Gemini's that declares no functions. */
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
