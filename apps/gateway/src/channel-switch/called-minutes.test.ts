import type { CalledLane } from '@sluice/routing/lane'
import { SEVERAL } from '@sluice/store/queries/channels/channel-minutes'
import { describe, expect, it } from 'vitest'
import { countOfCall, createCalledMinutes, isKeyRefused } from './called-minutes.ts'

const NOW = 6_000_000
const call = (more: Partial<CalledLane>): CalledLane => ({
  channel: 1,
  key: 'f00d',
  model: 'm',
  cause: 'answered',
  user: 7,
  code: '',
  status: 200,
  started: NOW,
  elapsedMs: 10,
  firstByteMs: 5,
  cooldown: undefined,
  ...more,
})

describe('calls that count', () => {
  it.each([
    ['answered', 200, 'passed'],
    ['provider', 500, 'failed'],
    ['provider', 0, 'failed'],
    ['limited', 429, undefined],
    ['request', 400, undefined],
    ['setup', 0, undefined],
    ['stopped', 0, undefined],
    // Perhaps because of the request: a moderated prompt, a region, one model.
    ['account', 403, 'failed'],
    // The key itself: it is switched off, and the channel is not blamed.
    ['account', 401, undefined],
    ['account', 402, undefined],
    ['account', 429, undefined],
  ] as const)('%s with status %i counts as %s', (cause, status, count) => {
    expect(countOfCall({ cause, status })).toBe(count)
    expect(isKeyRefused({ cause, status })).toBe(cause === 'account' && status !== 403)
  })

  it('are kept by channel and minute until they are taken', () => {
    const minutes = createCalledMinutes()
    minutes.add(call({}), NOW)
    minutes.add(call({ cause: 'provider', status: 500 }), NOW + 59_999)
    minutes.add(call({ cause: 'request', status: 400 }), NOW)
    minutes.add(call({}), NOW + 60_000)
    minutes.add(call({ channel: 2, user: 8, cause: 'provider', status: 0 }), NOW)
    minutes.add(call({ channel: 2, user: 9 }), NOW)
    expect(minutes.take()).toEqual([
      { channel: 1, minute: 100, calls: 2, failed: 1, caller: 7, failedOf: new Map([[7, 1]]) },
      { channel: 1, minute: 101, calls: 1, failed: 0, caller: 7, failedOf: new Map() },
      { channel: 2, minute: 100, calls: 2, failed: 1, caller: SEVERAL, failedOf: new Map([[8, 1]]) },
    ])
    expect(minutes.take()).toEqual([])
  })

  it('that could not be written are taken again, with those added since', () => {
    const minutes = createCalledMinutes()
    minutes.add(call({ cause: 'provider', status: 500 }), NOW)
    const taken = minutes.take()
    minutes.add(call({ user: 8, cause: 'provider', status: 500 }), NOW)
    minutes.putBack(taken)
    expect(minutes.take()).toEqual([
      {
        channel: 1,
        minute: 100,
        calls: 2,
        failed: 2,
        caller: SEVERAL,
        failedOf: new Map([
          [8, 1],
          [7, 1],
        ]),
      },
    ])
  })

  it('take bounded space, while the database is away and however many users there are', { tags: 'S28' }, () => {
    const minutes = createCalledMinutes()
    for (let user = 1; user <= 1_000; user++) minutes.add(call({ user, cause: 'provider', status: 500 }), NOW)
    const [crowded] = minutes.take()
    expect([crowded?.failed, crowded?.failedOf.size]).toEqual([1_000, 64])
    for (let minute = 0; minute < 3_000; minute++) minutes.add(call({}), minute * 60_000)
    const waiting = minutes.take()
    expect([waiting.length, waiting[0]?.minute]).toEqual([2_000, 1_000])
  })
})
