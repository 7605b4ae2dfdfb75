import { type DoctorReport, type Finding, SEVERITIES } from '@sluice/contract/doctor'
import { type Found, findingIn, type Language } from '@sluice/contract/findings/catalogue'
import { readOptions } from '@sluice/store/options/options'
import { loadOptions } from '@sluice/store/snapshots/options'
import { VERSION } from '../process/identity.ts'
import { runChecks } from './run-checks.ts'
import { checksOf, type DoctorParts } from './wire-checks.ts'

export interface Examination {
  readonly version: string
  /** Unix milliseconds. */
  readonly begun: number
  readonly elapsedMs: number
  readonly found: readonly Found[]
}

/** The console waits ten seconds for a call. */
const EACH_MS = 7_000

/** Runs all checks of the installation at once, and changes nothing. */
export async function examine(parts: DoctorParts, signal: AbortSignal): Promise<Examination> {
  const { database, vault, now, steady, pause, onError } = parts
  const [begun, began] = [now(), steady()]
  const openSecret = (sealed: string): string | undefined => {
    const opened = vault.open('option', sealed)
    return opened.ok ? opened.text : undefined
  }
  const { options, problems } = readOptions(await loadOptions(database.kysely), openSecret)
  const checks = checksOf(parts, options, problems)
  const found = await runChecks(checks, { eachMs: EACH_MS, pause, signal, onError })
  return { version: VERSION, begun, elapsedMs: steady() - began, found }
}

/** Findings of a kind from one check; further ones would say nothing new, and a report must stay readable. */
const MOST_OF_A_KIND = 50

/** Writes the report in a language, the most urgent findings first. */
export function reportOf({ version, begun, elapsedMs, found }: Examination, language: Language): DoctorReport {
  const kinds = new Map<string, number>()
  const shown = found.filter(({ id }) => {
    const count = (kinds.get(id) ?? 0) + 1
    kinds.set(id, count)
    return count <= MOST_OF_A_KIND
  })
  const findings = shown.map((each) => findingIn(language, each)).toSorted((a, b) => urgencyOf(b) - urgencyOf(a))
  return {
    format: 1,
    version,
    examined_at: Math.floor(begun / 1_000),
    elapsed_ms: Math.round(elapsedMs),
    worst: findings[0]?.severity ?? 'ok',
    findings,
  }
}

const urgencyOf = ({ severity }: Finding): number => SEVERITIES.indexOf(severity)
