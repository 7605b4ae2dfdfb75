import { type BodyRefusal, invalidField } from './body-refusal.ts'

/**
 * Ways to be served that cost more than the list price: OpenAI's and Google's `priority`, Groq's `performance`, Anthropic's
 * `speed: fast`. No price here knows of them, so such a call could not be charged for what it costs. Cheaper ones are let through.
 */
const DEARER: ReadonlySet<string> = new Set(['priority', 'performance', 'fast'])

/** A refusal where the field asks for one of them. */
export function refuseDearTier(field: string, value: unknown): BodyRefusal | undefined {
  if (typeof value !== 'string' || !DEARER.has(value.toLowerCase())) return undefined
  return invalidField(field, `must not be ${value.toLowerCase()}: it costs more, and has no price here`)
}
