import { isRefusal } from '@sluice/contract/errors'
import { createMemoryLimits } from '@sluice/coordination/limits'
import { systemTimers } from '@sluice/ledger/timers'
import { NO_LIMITS, type RequestLimits } from '@sluice/store/options/request-limits'
import { describe, expect, test } from 'vitest'
import { plainCounts } from '../../calls/parsed-call.ts'
import { admit, type AdmitDeps, countRequest, countTokensUsed } from './admit.ts'
import { createOpenCalls } from './caller-limits.ts'
import { createFairQueue } from './fair-queue.ts'

const caller = (limits: Partial<RequestLimits>) => ({
  tokenId: 1,
  userId: 2,
  group: 'default',
  limits: { ...NO_LIMITS, ...limits },
})

function open({ slots = 2, share = 1, ofUser = NO_LIMITS } = {}) {
  const options = { GroupLimits: new Map([['default', ofUser]]) }
  const deps: AdmitDeps = {
    limits: createMemoryLimits({ capacity: 100, now: () => 0, shareOf: () => share }),
    openCalls: createOpenCalls(() => share),
    queue: createFairQueue({
      slots,
      mostWaiting: 1,
      patienceMs: 0,
      now: () => 0,
      after: (ms, task) => systemTimers.after(ms, task),
    }),
    relayRateLimit: 0,
    options: () => options,
    now: () => 0,
  }
  /** Admits one request; `end` does what the edge does when the request is over. */
  const enter = async (who: ReturnType<typeof caller>, tokens?: number) => {
    const endings: (() => void)[] = []
    const replyHeaders: string[] = []
    const request = {
      path: '/v1/chat/completions',
      signal: new AbortController().signal,
      replyHeaders,
      atEnd: (task: () => void) => void endings.push(task),
    }
    const admitted = await admit(deps, request, who, tokens)
    const end = () => {
      for (const task of endings.splice(0)) task()
    }
    return { admitted, replyHeaders, end, refused: isRefusal(admitted) ? admitted : undefined }
  }
  const left = (headers: readonly string[], of: string) => headers[headers.indexOf(`x-ratelimit-remaining-${of}`) + 1]
  return { deps, enter, left }
}

describe('admitting a request', () => {
  test('gives back everything it took when the request ends', async () => {
    const { deps, enter } = open()
    const first = await enter(caller({ concurrency: 1 }))
    expect(deps.queue.running).toBe(1)
    expect((await enter(caller({ concurrency: 1 }))).refused).toMatchObject({ code: 'rate_limited', retryAfter: 1 })
    first.end()
    expect(deps.queue.running).toBe(0)
    expect((await enter(caller({ concurrency: 1 }))).refused).toBeUndefined()
  })

  test('gives back the open request that was counted when another limit refuses', async () => {
    const { enter } = open()
    const who = caller({ rpm: 1, concurrency: 5 })
    await enter(who)
    for (let n = 0; n < 10; n += 1) {
      const { refused, end } = await enter(who)
      expect(refused?.params?.['limit']).toBe('1 requests per minute for this token')
      end()
    }
  })

  test('counts nothing for a request that gets no slot', async () => {
    const { enter, left } = open({ slots: 1 })
    const other = await enter(caller({}))
    const who = caller({ rpm: 2, tpm: 100 })
    expect((await enter(who, 60)).refused).toMatchObject({ code: 'overloaded' })
    other.end()
    const { replyHeaders } = await enter(who, 60)
    expect([left(replyHeaders, 'requests'), left(replyHeaders, 'tokens')]).toEqual(['1', '40'])
  })

  test('replaces the estimate with the actual usage, in parts where it arrives in parts', async () => {
    const { enter, left } = open()
    const who = caller({ tpm: 1_000 })
    const { admitted, end } = await enter(who, 300)
    if (isRefusal(admitted)) throw new Error(admitted.code)
    admitted.used(plainCounts(50, 100))
    admitted.used(plainCounts(0, 150))
    end()
    expect(left((await enter(who, 0)).replyHeaders, 'tokens')).toBe('700')
    const nothing = await enter(who, 300)
    nothing.end()
    expect(left((await enter(who, 0)).replyHeaders, 'tokens')).toBe('700')
  })

  test('names the limit with the longest wait', async () => {
    const { enter } = open({ ofUser: { ...NO_LIMITS, rpm: 2 } })
    const who = caller({ rpm: 1 })
    await enter(who)
    expect((await enter(who)).refused).toMatchObject({
      params: { limit: '1 requests per minute for this token', seconds: 60 },
    })
  })

  test('holds each process to its share of the open requests, and to at least one', async () => {
    const { enter } = open({ slots: 10, share: 1 / 3 })
    const statuses: (string | undefined)[] = []
    for (let n = 0; n < 3; n += 1) statuses.push((await enter(caller({ concurrency: 4 }))).refused?.code)
    expect(statuses).toEqual([undefined, undefined, 'rate_limited'])
    const small = open({ share: 1 / 3 })
    expect((await small.enter(caller({ concurrency: 1 }))).refused).toBeUndefined()
  })
})

describe('a request that is only counted', () => {
  test('is held to the same limits without taking a slot', async () => {
    const { deps } = open({ slots: 1 })
    const who = caller({ rpm: 1, tpm: 100 })
    expect(await countRequest(deps, who, 0)).toBeUndefined()
    expect(await countRequest(deps, who, 0)).toMatchObject({ code: 'rate_limited' })
    expect(deps.queue.running).toBe(0)
  })

  test('counts tokens for every caller with limits, for token and user alike', async () => {
    const { deps } = open({ ofUser: { ...NO_LIMITS, tpm: 50 } })
    countTokensUsed(deps, caller({ tpm: 1_000 }), plainCounts(40, 60))
    expect(await countRequest(deps, caller({ tpm: 1_000 }), 0)).toMatchObject({
      params: { limit: '50 tokens per minute for this account' },
    })
  })
})
