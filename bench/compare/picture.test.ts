import { expect, it } from 'vitest'
import { pictureOf } from './picture.ts'
import { type BenchReport, flushOf, sectionsOf } from './report.ts'
import { reading, sameEverywhere, sampleRound } from './rounds-sample.ts'

const targets = ['direct', 'nginx', 'bare', 'Sluice', 'Portkey'] as const
const reportOf = (round = sampleRound()): BenchReport => ({
  date: '2026-11-23',
  machine: '2 × A & B',
  rounds: 1,
  targets,
  sections: sectionsOf({ rounds: [round], memory: {}, flushesMs: [] }, targets),
  flushMs: flushOf([]),
  budgets: [],
})

it('draws a bar for every gateway in both panels, on one scale', () => {
  const bars = [...pictureOf(reportOf()).matchAll(/<rect class="([^"]*)".* width="(\d+)"/g)]
  const expected = [
    ['bar', 9],
    ['bar', 23],
    ['bar ours', 46],
    ['bar', 370],
  ]
  expect(bars.map(([, name, width]) => [name, Number(width)])).toEqual([...expected, ...expected])
})

it('names date and machine, and needs nothing from elsewhere', () => {
  const picture = pictureOf(reportOf())
  expect(picture).toContain('2026-11-23, 2 × A &amp; B; one round of npm run bench')
  expect(picture.replace('xmlns="http://www.w3.org/2000/svg"', '')).not.toMatch(/https?:|url\(|@import/)
})

it('says so where a gateway could not keep up', () => {
  const behind = { ...reading(800, 900), behind: '100 of 200 requests a second' }
  const picture = pictureOf(reportOf({ ...sampleRound(), Portkey: sameEverywhere(behind) }))
  expect(picture.match(/could not keep up/g)).toHaveLength(2)
})

it('refuses a run without figures', () => {
  expect(() => pictureOf({ ...reportOf(), targets: ['direct'] })).toThrow('no figures')
})
