import type { ChannelMinutes } from '@sluice/store/queries/channel-minutes'
import { describe, expect, it } from 'vitest'
import { verdictOfCalls } from './calls-verdict.ts'

const calls = (more: Partial<ChannelMinutes>): ChannelMinutes => ({
  calls: 100,
  failed: 40,
  badMinutes: 3,
  mostOfOneUser: 10,
  isOneCaller: false,
  ...more,
})

describe('the verdict of calls', () => {
  it('is off when more than the threshold failed, for several users and in several minutes', () => {
    expect(verdictOfCalls(calls({}), 5)).toBe('40 of 100 calls failed within 15 minutes')
    expect(verdictOfCalls(calls({ failed: 5, mostOfOneUser: 2 }), 5)).toBeUndefined()
    expect(verdictOfCalls(calls({ failed: 6, mostOfOneUser: 1 }), 5)).toBeDefined()
    expect(verdictOfCalls(calls({ failed: 100 }), 100)).toBeUndefined()
    expect(verdictOfCalls(calls({}), 0)).toBeDefined()
    expect(verdictOfCalls(calls({ failed: 0, badMinutes: 0, mostOfOneUser: 0 }), 0)).toBeUndefined()
  })

  it('forgives a bad minute, and two', () => {
    expect(verdictOfCalls(calls({ failed: 99, mostOfOneUser: 1, badMinutes: 2 }), 5)).toBeUndefined()
  })

  it('says nothing of a channel that is seldom called', () => {
    expect(verdictOfCalls(calls({ calls: 9, failed: 9, mostOfOneUser: 5 }), 5)).toBeUndefined()
    expect(verdictOfCalls(calls({ calls: 10, failed: 10, mostOfOneUser: 0 }), 5)).toBeDefined()
  })

  it('leaves out the user who met most of the failures', () => {
    const poisoned = calls({ calls: 1_500, failed: 1_001, mostOfOneUser: 1_000, badMinutes: 15 })
    expect(verdictOfCalls(poisoned, 5)).toBeUndefined()
    expect(verdictOfCalls({ ...poisoned, failed: 1_100 }, 5)).toBeDefined()
  })

  it('takes more minutes where there is one user', () => {
    const alone = calls({ failed: 40, mostOfOneUser: 40, isOneCaller: true })
    expect(verdictOfCalls({ ...alone, badMinutes: 4 }, 5)).toBeUndefined()
    expect(verdictOfCalls({ ...alone, badMinutes: 5 }, 5)).toBeDefined()
    // Nine calls of others are too few to tell.
    const nearly = calls({ calls: 1_009, failed: 1_001, mostOfOneUser: 1_000 })
    expect(verdictOfCalls({ ...nearly, badMinutes: 4 }, 5)).toBeUndefined()
    expect(verdictOfCalls({ ...nearly, badMinutes: 5 }, 5)).toBeDefined()
  })
})
