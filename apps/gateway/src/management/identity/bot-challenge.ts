import { createHash } from 'node:crypto'
import type { Refusal } from '@sluice/contract/errors'
import type { Context } from 'hono'
import * as v from 'valibot'
import type { SharedPorts } from '../ports.ts'

/** Cloudflare checks answers here: https://developers.cloudflare.com/turnstile/get-started/server-side-validation/ */
export const TURNSTILE_ADDRESS = 'https://challenges.cloudflare.com/turnstile/v0/siteverify'
const TIMEOUT_MS = 5_000
const REPLY_MAX_BYTES = 10_000
/** How long the second step of a sign-in can reuse the answer of the first. */
const KEPT_MS = 5 * 60_000
/** Held answers; the oldest is dropped first, and its owner must solve another. */
const KEPT_MAX = 10_000

const REQUIRED: Refusal = { code: 'challenge_required', data: { turnstile_required: true } }
const FAILED: Refusal = { code: 'challenge_failed', data: { turnstile_required: true } }
const UNAVAILABLE: Refusal = { code: 'challenge_unavailable', retryAfter: 10 }

/** Keeps bots out if the option is on. If an answer cannot be checked, nobody gets through. */
export interface BotChallenge {
  /** Undefined when the challenge is off or `token` answers it. An answer that is held for `purpose` need not be given again. */
  readonly demand: (context: Context, token: string, purpose?: string) => Promise<Refusal | undefined>
  /** An answer works once; this lets `purpose` reuse it for five minutes. */
  readonly keep: (token: string, purpose: string) => void
}

export interface ChallengeDeps extends Pick<SharedPorts, 'options' | 'fetchGuarded' | 'clientAddress' | 'now'> {
  readonly turnstileAddress: string
}

export function createBotChallenge(deps: ChallengeDeps): BotChallenge {
  /** Expiry of held answers in unix ms, by the digest of answer and purpose; oldest first. */
  const kept = new Map<string, number>()

  const verify = async (context: Context, token: string): Promise<Refusal | undefined> => {
    const { TurnstileSecretKey, ServerAddress } = deps.options()
    if (TurnstileSecretKey === '') return UNAVAILABLE
    const form = { secret: TurnstileSecretKey, response: token, remoteip: deps.clientAddress(context) }
    const reply = await deps.fetchGuarded({
      method: 'POST',
      url: deps.turnstileAddress,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
      timeoutMs: TIMEOUT_MS,
      maxBytes: REPLY_MAX_BYTES,
      signal: context.req.raw.signal,
    })
    return reply.ok ? outcome(reply.body, ServerAddress) : UNAVAILABLE
  }

  /** More time left than an answer is held for means that the clock was set back. */
  const isKept = (answer: string): boolean => {
    const left = (kept.get(answer) ?? 0) - deps.now()
    return left > 0 && left <= KEPT_MS
  }

  return {
    demand: async (context, token, purpose) => {
      if (!deps.options().TurnstileCheckEnabled) return undefined
      if (token === '') return REQUIRED
      if (purpose !== undefined && isKept(digest(token, purpose))) return undefined
      return await verify(context, token)
    },
    keep: (token, purpose) => {
      if (token === '') return
      const [oldest] = kept.keys()
      if (kept.size >= KEPT_MAX && oldest !== undefined) kept.delete(oldest)
      kept.set(digest(token, purpose), deps.now() + KEPT_MS)
    },
  }
}

const replySchema = v.object({
  success: v.boolean(),
  hostname: v.optional(v.string()),
  'error-codes': v.optional(v.array(v.string()), []),
})

function outcome(body: Buffer, serverAddress: string): Refusal | undefined {
  const reply = parse(body)
  if (reply === undefined) return UNAVAILABLE
  if (!reply.success) return reply['error-codes'].some((code) => code.endsWith('-input-secret')) ? UNAVAILABLE : FAILED
  // An answer from another site's page does not count.
  const own = ownName(serverAddress)
  return own === undefined || reply.hostname === undefined || reply.hostname === own ? undefined : FAILED
}

function parse(body: Buffer): v.InferOutput<typeof replySchema> | undefined {
  try {
    const parsed = v.safeParse(replySchema, JSON.parse(body.toString('utf8')))
    return parsed.success ? parsed.output : undefined
  } catch {
    return undefined
  }
}

/** The name that visitors see; undefined while the setting still names this machine. */
function ownName(serverAddress: string): string | undefined {
  if (!URL.canParse(serverAddress)) return undefined
  const { hostname } = new URL(serverAddress)
  return hostname === 'localhost' || hostname.startsWith('127.') ? undefined : hostname
}

function digest(token: string, purpose: string): string {
  return createHash('sha256').update(`${purpose}\n${token}`).digest('hex')
}
