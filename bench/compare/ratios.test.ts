import { expect, it } from 'vitest'
import { beyond, compared, overRounds, type Round, times } from './ratios.ts'
import { reading, sameEverywhere, sampleRound } from './rounds-sample.ts'

const BEHIND = { ...reading(5, 900), behind: '100 of 200 requests a second' }

it('compares within a round, so a slower machine changes nothing', () => {
  const rounds = [sampleRound(1), sampleRound(3), sampleRound(1)]
  expect(compared(rounds, ['Sluice', 'nginx'], ['closed32', 'cpu'], times)).toBe(5)
  expect(compared(rounds, ['Sluice', 'bare'], ['rate200', 'p50'], beyond)).toBeCloseTo(0.5)
})

it('adds the threads of a target up', () => {
  expect(overRounds([sampleRound()], 'Sluice', 'rate50', 'cpu')).toBe(100)
})

it('has the processor time of provider and client for the direct path, and its latency', () => {
  expect(overRounds([sampleRound()], 'direct', 'rate200', 'cpu')).toBe(24)
  expect(overRounds([sampleRound()], 'direct', 'rate200', 'p50')).toBe(20)
})

it('leaves out a round in which a target fell behind, and has no figure when that was most of them', () => {
  const behind: Round = { ...sampleRound(), Sluice: sameEverywhere(BEHIND) }
  expect(overRounds([sampleRound(), behind, sampleRound()], 'Sluice', 'rate1000', 'cpu')).toBe(100)
  const mostly = [behind, sampleRound(), behind]
  expect(overRounds(mostly, 'Sluice', 'rate1000', 'cpu')).toBeNaN()
  expect(compared(mostly, ['Sluice', 'bare'], ['rate1000', 'cpu'], times)).toBeNaN()
})

it('takes the rounds that measured a scenario where others were spared it', () => {
  const spared: Round = { bare: { closed1: reading(50, 20) }, Sluice: { closed1: reading(300, 20) } }
  expect(overRounds([sampleRound(), spared], 'Sluice', 'pace20by1000', 'cpu')).toBe(100)
  expect(overRounds([sampleRound(), spared], 'Sluice', 'closed1', 'cpu')).toBe(200)
})
