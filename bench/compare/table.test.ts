import { expect, it } from 'vitest'
import type { TargetName } from '../targets.ts'
import { flushOf, sectionsOf } from './report.ts'
import { reading, sameEverywhere, sampleRound } from './rounds-sample.ts'
import { tableOf } from './table.ts'

const FRAME = { date: '2026-11-23', machine: 'a machine', flushMs: flushOf([0.2, 0.3, 0.4]), budgets: [] }

function linesOf(targets: readonly TargetName[], rounds = [sampleRound()]): readonly string[] {
  const memory = { bare: { idleMb: 50, heldMb: 100 }, Sluice: { idleMb: 90, heldMb: 150 } }
  const sections = sectionsOf({ rounds, memory, flushesMs: [] }, targets)
  return tableOf({ ...FRAME, rounds: rounds.length, targets, sections })
}

const words = (lines: readonly string[], start: string) =>
  lines
    .find((line) => line.trim().startsWith(start))
    ?.trim()
    .slice(start.length)
    .trim()
    .split(/\s+/)

it('shows every target with its ratios to the bare relay and to nginx', () => {
  const lines = linesOf(['nginx', 'bare', 'Sluice'])
  expect(words(lines, '200 requests a second')).toEqual(['20.0', '50.0', '×2.50', '100', '×2.00', '×5.00'])
  expect(words(lines, 'p50')).toEqual(['20.1', '20.3', '+0.20', '20.8', '+0.50', '+0.70'])
  expect(words(lines, 'with 1,000 open streams')).toEqual(['100', '150', '×1.50'])
})

it('has no column for a ratio to what was not measured', () => {
  expect(linesOf(['bare', 'Sluice'])[0]?.trim().split(/\s+/)).toEqual(['bare', 'Sluice', '/bare'])
})

it('divides the processor time of Sluice by thread', () => {
  const lines = linesOf(['bare', 'Sluice'])
  const at = lines.findIndex((line) => line.includes('closed loop, 4 connections'))
  expect(lines.slice(at + 1, at + 4).map((line) => line.trim().split(/\s{2,}/))).toEqual([
    ['main thread', '70.0'],
    ['ledger thread', '25.0'],
    ['other threads', '5.00'],
  ])
})

it('says what the bench itself takes', () => {
  const lines = linesOf(['direct', 'bare'])
  expect(lines).toContain('The bench itself, 1,000 streams of 20 chunks a second, µs: provider 13.0, client 11.0')
  expect(words(lines, '200 requests a second')).toEqual(['24.0', '50.0'])
  expect(linesOf(['bare', 'Sluice']).join('\n')).not.toContain('bench itself')
})

it('names the reason for a figure that is missing', () => {
  const behind = { ...reading(5, 900), behind: '310 of 1000 requests a second' }
  const round = { ...sampleRound(), Portkey: { ...sameEverywhere(reading(800, 22)), rate1000: behind } }
  const lines = linesOf(['bare', 'Portkey'], [round])
  expect(words(lines, '1,000 requests a second')).toEqual(['50.0', '–1)'])
  expect(lines).toContain('1) Portkey, 1,000 requests a second: 310 of 1000 requests a second')
  expect(lines.filter((line) => line.startsWith('2)'))).toEqual([])
})

it('prints the flush of the machine', () => {
  expect(linesOf(['bare', 'Sluice']).join('\n')).toMatch(/flush of 512 bytes.*0\.30 \/ 0\.40/)
})

it('says that a target did not open the streams whose memory was to be measured', () => {
  const memory = { bare: { idleMb: 50, heldMb: NaN } }
  const targets = ['direct', 'bare'] as const
  const sections = sectionsOf({ rounds: [sampleRound()], memory, flushesMs: [] }, targets)
  const lines = tableOf({ ...FRAME, rounds: 1, targets, sections })
  expect(words(lines, 'with 1,000 open streams')).toEqual(['–1)'])
  expect(lines).toContain('1) bare, with 1,000 open streams: did not open the streams within two minutes')
})
