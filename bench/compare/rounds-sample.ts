import { type Reading, SCENARIO_NAMES } from '../scenarios.ts'
import type { Round } from './ratios.ts'

export function sameEverywhere(reading: Reading): Required<NonNullable<Round['Sluice']>> {
  const readings = SCENARIO_NAMES.map((name) => [name, reading])
  return Object.fromEntries(readings) as Required<NonNullable<Round['Sluice']>>
}

export function reading(mainUs: number, p50Ms: number, others: Reading['cpuUs'] = {}): Reading {
  return { cpuUs: { main: mainUs, ...others }, p50Ms, p99Ms: p50Ms + 5 }
}

/** A round on a machine that is `slower` times slower than another. */
export function sampleRound(slower = 1): Round {
  return {
    direct: sameEverywhere({ cpuUs: { provider: 13, client: 11 }, p50Ms: 20, p99Ms: 21 }),
    nginx: sameEverywhere(reading(20 * slower, 20.1)),
    bare: sameEverywhere(reading(50 * slower, 20.3)),
    Sluice: sameEverywhere(reading(70 * slower, 20.8, { ledger: 25 * slower, other: 5 * slower })),
    Portkey: sameEverywhere(reading(800 * slower, 22)),
  }
}
