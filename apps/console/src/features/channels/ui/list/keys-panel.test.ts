import type { LaneHealth } from '@sluice/contract/routing'
import { describe, expect, it } from 'vitest'
import { keyState } from './keys-panel.tsx'

const A = 'aaaaaaaaaaaa'
const key = (status: number) => ({ position: 1, fingerprint: A, status, reason: '', since: 0 })
const lane = (model: string, more: Partial<LaneHealth> = {}): LaneHealth => ({
  fingerprint: A,
  key: 1,
  keys: 2,
  model,
  standing: 'ready',
  worth: 1,
  failure_rate: 0,
  open: 0,
  answered: 0,
  failed: 0,
  ...more,
})
const resting = (model: string, until: number, cause: LaneHealth['cause'] = 'limited') =>
  lane(model, { standing: 'resting', cause, until })

describe('the state of a key', () => {
  it('is on while nothing is known against it, or only against other keys', () => {
    expect(keyState(key(1), [])).toEqual({ kind: 'on' })
    expect(keyState(key(1), [lane('m'), { ...resting('m', 9), fingerprint: 'b' }])).toEqual({ kind: 'on' })
  })

  it('is off whoever switched it off, whatever the state of its models', () => {
    expect(keyState(key(2), [resting('m', 9)])).toEqual({ kind: 'off' })
    expect(keyState(key(3), [])).toEqual({ kind: 'refused' })
  })

  it('is a cooldown of some of its models', () => {
    expect(keyState(key(1), [resting('m', 5), lane('n')])).toEqual({
      kind: 'rests',
      until: 5,
      cause: 'limited',
      models: 1,
    })
  })

  it('is a cooldown of the whole key when all of its models cool down, until the last one ends, or when its account is refused', () => {
    const whole = { kind: 'rests', models: 0 }
    expect(keyState(key(1), [resting('m', 5), resting('n', 7, 'failing')])).toEqual({
      ...whole,
      until: 7,
      cause: 'failing',
    })
    expect(keyState(key(1), [resting('m', 5, 'account'), resting('n', 9), lane('o')])).toEqual({
      ...whole,
      until: 5,
      cause: 'account',
    })
  })
})
