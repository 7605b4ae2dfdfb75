import { type BodyRefusal, invalidField, isBodyRefusal } from '../body-refusal.ts'
import { refuseDearTier } from '../dear-tier.ts'
import { TOKENS_LIMIT } from '../openai-chat/identify.ts'
import { readReferences, type Reference } from '../references.ts'
import { isNull, isRefused, readWhole, refuseScan, RequestFields } from '../request-fields.ts'
import { looseKeySet } from '../splice/key-set.ts'
import { isScanFault, parseScalar, scanObject, type Span } from '../splice/scan.ts'
import { insertText, type Splice } from '../splice/splice.ts'
import { refuseStray, STRAY_FIELDS } from '../steering.ts'
import { GEMINI_REFERENCES } from './stored-objects.ts'

/** The members of a `generateContent` body that the gateway needs; everything else is passed on unread. */
export interface GeminiRequest {
  /** Token limit of one candidate, including thoughts. */
  readonly maxOutput: number | undefined
  /** Candidates, each of which is charged. */
  readonly n: number
  /** Bytes of contents, instruction and tools without inline media, for the prompt estimate. */
  readonly promptBytes: number
  readonly media: { readonly count: number; readonly bytes: number }
  /** Positions at which the body names a model, in addition to the path. */
  readonly models: readonly Span[]
  readonly references: readonly Reference[]
  readonly spans: { readonly body: Span; readonly systemInstruction: Span | undefined }
}

const KEYS = looseKeySet(
  'contents',
  'systemInstruction',
  'tools',
  'generationConfig',
  'serviceTier',
  'cachedContent',
  'model',
  ...STRAY_FIELDS,
)
const CONFIG_KEYS = looseKeySet('maxOutputTokens', 'candidateCount', 'routingConfig')
/** The maximum that Google accepts. */
const CANDIDATES_LIMIT = 8

/** A name in both spellings is refused like a duplicate. */
export function readGeminiRequest(body: Uint8Array): GeminiRequest | BodyRefusal {
  const fields = RequestFields.read(body, KEYS)
  if (isBodyRefusal(fields)) return fields
  const { spans, media } = fields
  if (spans.contents === undefined || isNull(body, spans.contents)) return invalidField('contents', 'is required')
  if (!isListOrObject(body, spans.contents)) return invalidField('contents', 'must be a list')
  const dear = refuseDearTier('serviceTier', fields.value('serviceTier'))
  if (dear !== undefined) return dear
  const stray = refuseStray(body, spans)
  if (stray !== undefined) return stray
  const config = readConfig(body, spans.generationConfig)
  if (isBodyRefusal(config)) return config
  const references = readReferences(body, fields, GEMINI_REFERENCES)
  if (isRefused(references)) return references
  const prompt = ['contents', 'systemInstruction', 'tools', 'generationConfig'] as const
  const bytes = prompt.reduce((sum, name) => sum + fields.bytes(name), 0)
  return {
    ...config,
    promptBytes: Math.max(0, bytes - media.bytes),
    media,
    models: spans.model === undefined ? [] : [spans.model],
    references,
    spans: { body: fields.object, systemInstruction: spans.systemInstruction },
  }
}

function readConfig(body: Uint8Array, span: Span | undefined): Pick<GeminiRequest, 'maxOutput' | 'n'> | BodyRefusal {
  if (span === undefined || isNull(body, span)) return { maxOutput: undefined, n: 1 }
  const config = scanObject(body, CONFIG_KEYS, { at: span.start, end: span.end })
  if (isScanFault(config)) return refuseScan(config, 'generationConfig')
  const { maxOutputTokens, candidateCount, routingConfig } = config.values
  if (routingConfig !== undefined && !isNull(body, routingConfig)) {
    return invalidField(
      'generationConfig.routingConfig',
      'is not available: it selects models other than the one in the path',
    )
  }
  const read = (value: Span | undefined) => (value === undefined ? null : parseScalar(body, value))
  const cap = readWhole('generationConfig.maxOutputTokens', read(maxOutputTokens), {
    min: 0,
    max: TOKENS_LIMIT,
    absent: 0,
  })
  if (isRefused(cap)) return cap
  const n = readWhole('generationConfig.candidateCount', read(candidateCount), {
    min: 0,
    max: CANDIDATES_LIMIT,
    absent: 1,
  })
  if (isRefused(n)) return n
  return { maxOutput: cap === 0 ? undefined : cap, n: Math.max(n, 1) }
}

export function setSystemInstruction({ spans }: GeminiRequest, text: string): Splice {
  const value = JSON.stringify({ parts: [{ text }] })
  const { body, systemInstruction: old } = spans
  // The body has contents at least, so a comma always follows the inserted member.
  if (old === undefined) return insertText(body.start + 1, `"systemInstruction":${value},`)
  return { start: old.start, end: old.end, bytes: new TextEncoder().encode(value) }
}

/** Requires a span found by a scan: only the first byte is examined. */
function isListOrObject(body: Uint8Array, { start }: Span): boolean {
  return body[start] === 0x5b || body[start] === 0x7b
}
