import type { ChannelMinutes } from '@sluice/store/queries/channels/channel-minutes'
import { describe, expect, it } from 'vitest'
import { reasonToSwitchOff } from './reason-to-switch-off.ts'

const calls = (more: Partial<ChannelMinutes>): ChannelMinutes => ({
  calls: 100,
  failed: 40,
  badMinutes: 3,
  mostOfOneUser: 10,
  isOneCaller: false,
  ...more,
})

describe('the decision to switch a channel off', () => {
  it('is made when more than the threshold failed, for several users and in several minutes', () => {
    expect(reasonToSwitchOff(calls({}), 5)).toBe('40 of 100 calls failed within 15 minutes')
    expect(reasonToSwitchOff(calls({ failed: 5, mostOfOneUser: 2 }), 5)).toBeUndefined()
    expect(reasonToSwitchOff(calls({ failed: 6, mostOfOneUser: 1 }), 5)).toBeDefined()
    expect(reasonToSwitchOff(calls({ failed: 100 }), 100)).toBeUndefined()
    expect(reasonToSwitchOff(calls({}), 0)).toBeDefined()
    expect(reasonToSwitchOff(calls({ failed: 0, badMinutes: 0, mostOfOneUser: 0 }), 0)).toBeUndefined()
  })

  it('forgives one bad minute, or two', () => {
    expect(reasonToSwitchOff(calls({ failed: 99, mostOfOneUser: 1, badMinutes: 2 }), 5)).toBeUndefined()
  })

  it('ignores a channel that is seldom called', () => {
    expect(reasonToSwitchOff(calls({ calls: 9, failed: 9, mostOfOneUser: 5 }), 5)).toBeUndefined()
    expect(reasonToSwitchOff(calls({ calls: 10, failed: 10, mostOfOneUser: 0 }), 5)).toBeDefined()
  })

  it('leaves out the user with the most failures', () => {
    const poisoned = calls({ calls: 1_500, failed: 1_001, mostOfOneUser: 1_000, badMinutes: 15 })
    expect(reasonToSwitchOff(poisoned, 5)).toBeUndefined()
    expect(reasonToSwitchOff({ ...poisoned, failed: 1_100 }, 5)).toBeDefined()
  })

  it('takes more minutes when there is only one user', () => {
    const alone = calls({ failed: 40, mostOfOneUser: 40, isOneCaller: true })
    expect(reasonToSwitchOff({ ...alone, badMinutes: 4 }, 5)).toBeUndefined()
    expect(reasonToSwitchOff({ ...alone, badMinutes: 5 }, 5)).toBeDefined()
    // Nine calls of others are too few to tell.
    const nearly = calls({ calls: 1_009, failed: 1_001, mostOfOneUser: 1_000 })
    expect(reasonToSwitchOff({ ...nearly, badMinutes: 4 }, 5)).toBeUndefined()
    expect(reasonToSwitchOff({ ...nearly, badMinutes: 5 }, 5)).toBeDefined()
  })
})
