import { type BodyRefusal, invalidField, isBodyRefusal } from './body-refusal.ts'
import { refuseDearTier } from './dear-tier.ts'
import { isList, isNull, readModel } from './request-fields.ts'
import { arrayElements, parseScalar, type Span } from './splice/scan.ts'
import { cutMember, type Splice } from './splice/splice.ts'

/**
 * Vendor fields that change which model or provider answers, or what is charged besides tokens: OpenRouter's `models`, `route`,
 * `provider`, `plugins` and `preset`, LiteLLM's `fallbacks`, Vercel's `providerOptions`, Groq's `compound_custom`, search options
 * of xAI, Perplexity and OpenAI, tiers and regions. Any call can contain them, even in a form.
 */
export const STEERING_FIELDS = [
  'models',
  'route',
  'provider',
  'plugins',
  'preset',
  'fallbacks',
  'providerOptions',
  'compound_custom',
  'search_parameters',
  'web_search_options',
  'service_tier',
  'speed',
  'inference_geo',
] as const

type SteeringField = (typeof STEERING_FIELDS)[number]

/** What a request demands of the answering model or provider. */
export interface Steering {
  /** Fallback models, in order. */
  readonly models: readonly string[]
  /** Removes `models` from the body: the gateway tries them itself, each at its own price. */
  readonly cut: Splice | undefined
  /** The request tells the provider how to choose, or to do additional work, so the list price may not cover its cost. */
  readonly isDearer: boolean
}

export const NO_STEERING: Steering = { models: [], cut: undefined, isDearer: false }
/** A few more than an operator can configure for a model. */
const MODELS_LIMIT = 8

/** Refused: the answering model must be known in advance, to check that the key may use it and to price the call. */
const MAY_LEAD_ELSEWHERE = [
  'preset',
  'fallbacks',
  'providerOptions',
  'compound_custom',
] as const satisfies readonly SteeringField[]
/** For calls in which no other model can replace the first. */
export const STRAY_FIELDS = ['models', ...MAY_LEAD_ELSEWHERE] as const
/** Names of form parts, in lower case. */
export const STRAY_PARTS: ReadonlySet<string> = new Set(STRAY_FIELDS.map((field) => field.toLowerCase()))
const MAY_COST_MORE: readonly SteeringField[] = ['provider', 'plugins', 'search_parameters', 'web_search_options']

/** Refuses whatever cannot be checked or charged. `spans` are from a scan for these fields. */
export function readSteering(
  body: Uint8Array,
  spans: Readonly<Partial<Record<SteeringField, Span>>>,
): Steering | BodyRefusal {
  const has = (field: SteeringField) => spans[field] !== undefined && !isNull(body, spans[field])
  if (!STEERING_FIELDS.some((field) => spans[field] !== undefined)) return NO_STEERING
  const scalar = (field: SteeringField) => (spans[field] === undefined ? null : parseScalar(body, spans[field]))
  const speed = scalar('speed')
  const dear =
    refuseDearTier('service_tier', scalar('service_tier')) ??
    // In other dialects `speed` may be a number.
    (typeof speed === 'string' ? refuseDearTier('speed', speed) : undefined)
  if (dear !== undefined) return dear
  const stray = MAY_LEAD_ELSEWHERE.find(has)
  if (stray !== undefined) return strayField(stray)
  if (has('inference_geo') && scalar('inference_geo') !== 'global') {
    return invalidField(
      'inference_geo',
      'must be "global": other regions cost more, and this gateway has no prices for them',
    )
  }
  if (has('route') && scalar('route') !== 'fallback') return invalidField('route', 'must be "fallback"')
  const models = spans.models === undefined || isNull(body, spans.models) ? [] : readModels(body, spans.models)
  if (isBodyRefusal(models)) return models
  const cut = spans.models === undefined ? undefined : cutMember(body, spans.models)
  return { models, cut, isDearer: MAY_COST_MORE.some(has) }
}

export function strayField(field: string): BodyRefusal {
  return invalidField(field, 'is not available: it may select a model that was not checked')
}

/** For Google's dialect, which lacks these fields, although servers that also speak other dialects read them. */
export function refuseStray(
  body: Uint8Array,
  spans: Readonly<Partial<Record<(typeof STRAY_FIELDS)[number], Span>>>,
): BodyRefusal | undefined {
  const stray = STRAY_FIELDS.find((field) => spans[field] !== undefined && !isNull(body, spans[field]))
  return stray && strayField(stray)
}

/** As `readSteering`, for calls in which no other model can replace the requested one. */
export function readSoleSteering(...request: Parameters<typeof readSteering>): Steering | BodyRefusal {
  const steering = readSteering(...request)
  if (isBodyRefusal(steering) || steering.models.length === 0) return steering
  return invalidField('models', 'is supported only for conversations')
}

function readModels(body: Uint8Array, span: Span): readonly string[] | BodyRefusal {
  if (!isList(body, span)) return invalidField('models', 'must be a list of models')
  const models: string[] = []
  for (const element of arrayElements(body, span)) {
    const field = `models[${models.length}]`
    if (models.length === MODELS_LIMIT) return invalidField('models', `must list at most ${MODELS_LIMIT} models`)
    const model = readModel(parseScalar(body, element), field)
    if (typeof model !== 'string') return model
    models.push(model)
  }
  return models
}
