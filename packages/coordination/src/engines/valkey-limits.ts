import type { LimitClaim, Limits } from '../limits.ts'
import { decideRate, LONGEST_DEBT, type RateDecision, ROUNDING_MS } from '../rate.ts'
import type { Valkey } from './valkey.ts'

/**
 * `rate.ts` in Lua, shared by all replicas. Each key stores the time from which it counts as unused, by the server's own clock, so
 * that replicas' clocks may differ. Times are relative to now, so the arithmetic is bit for bit the same as in memory. The server
 * might be shared with others: a value that is not a time is ignored, and no time may be further ahead than a claim and a debt can
 * make it.
 */
const SHARED = `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local function before(key, period)
  local held = redis.pcall('GET', key)
  local ahead = type(held) == 'string' and tonumber(held) or now
  ahead = ahead - now
  if ahead ~= ahead then return 0 end
  return math.max(0, math.min(ahead, ${LONGEST_DEBT + 1} * period))
end
local function keep(key, ahead)
  if ahead <= 0 then redis.call('DEL', key)
  else redis.call('SET', key, string.format('%.17g', now + ahead), 'PX', math.ceil(ahead)) end
end
`

/** Each claim has three arguments: limit, period, cost. Returns whether all may pass, then the time before each key is unused. */
const TAKE = `${SHARED}
local ahead, answer, allowed = {}, {}, 1
for i, key in ipairs(KEYS) do
  local limit, period, cost = tonumber(ARGV[3 * i - 2]), tonumber(ARGV[3 * i - 1]), tonumber(ARGV[3 * i])
  local from, interval = before(key, period), period / limit
  if from + math.min(cost, limit) * interval - period > ${ROUNDING_MS} then allowed = 0 end
  ahead[i] = from + math.min(cost, ${LONGEST_DEBT} * limit) * interval
  answer[i + 1] = string.format('%.17g', from)
end
if allowed == 1 then
  for i, key in ipairs(KEYS) do keep(key, ahead[i]) end
end
answer[1] = allowed
return answer
`

const CORRECT = `${SHARED}
local limit, period, cost = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local most = ${LONGEST_DEBT} * limit
local counted = math.max(-most, math.min(cost, most))
keep(KEYS[1], math.min(before(KEYS[1], period) + counted * period / limit, ${LONGEST_DEBT} * period))
return 1
`

export const LIMIT_SCRIPTS = { take: TAKE, correct: CORRECT } as const

/**
 * Exact limits for all replicas. While the server is unreachable, each process enforces its share in memory. Server and process
 * count separately, so switching between them lets at most twice the limit through, however often it happens.
 */
export function createValkeyLimits(valkey: Pick<Valkey, 'usable' | 'run' | 'send'>, memory: Limits): Limits {
  return {
    take: (claims) => {
      if (!valkey.usable || claims.length === 0) return memory.take(claims)
      return valkey
        .run('take', claims.map(keyOf), claims.flatMap(numbersOf))
        .then((reply) => decisionsOf(claims, reply) ?? memory.take(claims))
    },
    correct: (claim) => {
      if (valkey.usable) valkey.send('correct', [keyOf(claim)], numbersOf(claim))
      else memory.correct(claim)
    },
  }
}

const keyOf = ({ key }: LimitClaim): string => `sluice:limit:${key}`
const numbersOf = ({ rule, cost }: LimitClaim): string[] => [rule.limit, rule.periodMs, cost].map(String)

/** Undefined if this is not an answer from the script. */
function decisionsOf(claims: readonly LimitClaim[], reply: unknown): readonly RateDecision[] | undefined {
  if (!Array.isArray(reply) || reply.length !== claims.length + 1) return undefined
  const times = reply.slice(1).map(Number)
  if (!times.every((time) => Number.isFinite(time) && time >= 0)) return undefined
  const isAllowed = reply[0] === 1
  return claims.map(({ rule, cost }, index) => {
    const before = times[index] ?? 0
    const { decision } = decideRate(before, 0, rule, cost)
    // A refusal counts nothing, so the remaining amount is reported without this claim.
    return isAllowed || !decision.allowed ? decision : { ...decideRate(before, 0, rule, 0).decision, allowed: true }
  })
}
