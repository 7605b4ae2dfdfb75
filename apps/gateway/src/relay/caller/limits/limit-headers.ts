import type { RateDecision } from '@sluice/coordination/rate'
import type { CallerClaim } from './caller-claims.ts'

interface TightestLimit {
  readonly claim: CallerClaim
  readonly decision: RateDecision
}

/**
 * Names and values of the headers that report the tightest limit on requests and on tokens. The names are OpenAI's, which every
 * client of the family reads; on `/v1/messages` also Anthropic's. `now` in unix milliseconds.
 */
export function limitHeaders(
  claims: readonly CallerClaim[],
  decisions: readonly RateDecision[],
  speaksAnthropic: boolean,
  now: number,
): string[] {
  const headers: string[] = []
  for (const what of ['requests', 'tokens'] as const) {
    const tightestLimit = tightest(claims, decisions, what)
    if (tightestLimit === undefined) continue
    const { claim, decision } = tightestLimit
    const [limit, remaining] = [String(claim.rule.limit), String(decision.remaining)]
    headers.push(`x-ratelimit-limit-${what}`, limit)
    headers.push(`x-ratelimit-remaining-${what}`, remaining)
    headers.push(`x-ratelimit-reset-${what}`, duration(decision.resetMs))
    if (!speaksAnthropic) continue
    headers.push(`anthropic-ratelimit-${what}-limit`, limit)
    headers.push(`anthropic-ratelimit-${what}-remaining`, remaining)
    headers.push(`anthropic-ratelimit-${what}-reset`, secondOf(now + decision.resetMs))
  }
  return headers
}

function tightest(
  claims: readonly CallerClaim[],
  decisions: readonly RateDecision[],
  of: CallerClaim['of'],
): TightestLimit | undefined {
  let found: TightestLimit | undefined
  for (const [index, claim] of claims.entries()) {
    const decision = decisions[index]
    if (claim.of !== of || decision === undefined) continue
    const isTighter =
      found === undefined ||
      (found.decision.allowed && !decision.allowed) ||
      (found.decision.allowed === decision.allowed && decision.remaining < found.decision.remaining)
    if (isTighter) found = { claim, decision }
  }
  return found
}

/** As OpenAI writes it: `20ms`, `1.5s`, `6m0s`. */
function duration(ms: number): string {
  if (ms < 1_000) return `${Math.ceil(ms)}ms`
  if (ms < 60_000) return `${Math.ceil(ms / 100) / 10}s`
  const seconds = Math.ceil(ms / 1_000)
  return `${Math.floor(seconds / 60)}m${seconds % 60}s`
}

/** As Anthropic writes it, to the second: `2025-01-27T12:00:00Z`. */
function secondOf(ms: number): string {
  return new Date(Math.ceil(ms / 1_000) * 1_000).toISOString().replace('.000Z', 'Z')
}
