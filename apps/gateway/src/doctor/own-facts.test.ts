import { randomBytes } from 'node:crypto'
import { createVault } from '@sluice/store/vault'
import { expect, it } from 'vitest'
import { loadConfig } from '../environment/environment.ts'
import { placesWithin } from '../process/open-files.ts'
import { createClockSteps, createOwnFacts, memoryLimitOf } from './own-facts.ts'

const SECRET = 'redis://:canary-password@valkey.internal:6379/0'

function factsWith(env: Readonly<Record<string, string>>, vault = createVault([randomBytes(32)])) {
  const { config, problems } = loadConfig(env)
  if (config === undefined) throw new Error(problems.join('\n'))
  return createOwnFacts({
    config,
    vault,
    fileLimit: Infinity,
    places: placesWithin(Infinity, config.maxRequests),
    aheadMs: () => 0,
    steppedMs: () => 0,
    uncharged: () => 0,
  })()
}

it('what a replica says about itself holds no secret, and tells two addresses of Valkey apart', { tags: 'S20' }, () => {
  const vault = createVault([randomBytes(32)])
  const one = factsWith({ SLUICE_VALKEY_URL: SECRET, SLUICE_METRICS_TOKEN: 'canary-metrics-token' }, vault)
  expect(JSON.stringify(one)).not.toContain('canary')
  expect(JSON.stringify(one)).not.toContain('valkey.internal')
  const same = factsWith({ SLUICE_VALKEY_URL: SECRET }, vault)
  const other = factsWith({ SLUICE_VALKEY_URL: 'redis://elsewhere:6379/0' }, vault)
  expect(same.settings['SLUICE_VALKEY_URL']).toBe(one.settings['SLUICE_VALKEY_URL'])
  expect(other.settings['SLUICE_VALKEY_URL']).not.toBe(one.settings['SLUICE_VALKEY_URL'])
})

it('a memory limit above what the machine has is none', () => {
  expect([memoryLimitOf(0, 8), memoryLimitOf(2 ** 63, 8), memoryLimitOf(8, 8), memoryLimitOf(4, 8)]).toEqual([
    0, 0, 0, 4,
  ])
})

it('a clock that is set while the process runs is noticed, also when it is set back, and one that is corrected little by little is not', () => {
  const world = { own: 1_000_000, steady: 0 }
  const largest = createClockSteps(
    () => world.own,
    () => world.steady,
  )
  const pass = (own: number, steady: number) => {
    world.own += own
    world.steady += steady
    return largest()
  }
  expect(pass(30_500, 30_000)).toBe(0)
  expect(pass(30_000 - 5_000, 30_000)).toBe(-5_000)
  expect(pass(30_000 + 3_000, 30_000)).toBe(-5_000)
  expect(pass(30_000 + 3_600_000, 30_000)).toBe(3_600_000)
})
