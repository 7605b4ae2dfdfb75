import { expect, test } from 'vitest'
import { type Beginnings, OPERATOR_STEPS, stepsOf, USER_STEPS } from './first-steps-card.tsx'

const nothing = { tokens: 0, requests: 0, balance: 0, twoFactor: false }
const done = (beginnings: Beginnings) =>
  stepsOf(beginnings)
    .filter((one) => one.done)
    .map(({ step }) => step)

test('every user starts with a token, a call, a balance and a second factor', () => {
  expect(stepsOf(nothing).map(({ step }) => step)).toEqual([...USER_STEPS])
  expect(done(nothing)).toEqual([])
  expect(done({ tokens: 1, requests: 3, balance: 500, twoFactor: true })).toEqual([...USER_STEPS])
})

test('operators have four more steps, the channel first', () => {
  const gateway = { channels: 0, tested: false, unpricedModels: 0, users: 1 }
  const steps = stepsOf({ ...nothing, gateway }).map(({ step }) => step)
  expect(steps[0]).toBe('channel')
  expect(new Set(steps)).toEqual(new Set([...USER_STEPS, ...OPERATOR_STEPS]))
  expect(done({ ...nothing, gateway })).toEqual([])
})

test('prices are set when no requested model lacks one', () => {
  const gateway = { channels: 2, tested: true, unpricedModels: 1, users: 2 }
  expect(done({ ...nothing, gateway })).toEqual(['channel', 'channelTest', 'user'])
  expect(done({ ...nothing, gateway: { ...gateway, unpricedModels: 0 } })).toContain('prices')
})
