import type { DoctorReport, Finding } from '@sluice/contract/doctor'
import { SEVERITIES } from '@sluice/contract/doctor'
import { type Found, findingIn, type Language } from '@sluice/contract/findings/catalogue'

/** What one run of all checks found. */
export interface Examination {
  readonly version: string
  /** Unix milliseconds. */
  readonly begun: number
  readonly elapsedMs: number
  readonly found: readonly Found[]
}

/** Of one check; further ones of a kind say nothing new, and a report must end. */
const MOST_OF_A_KIND = 50

/** The report in a language, the most urgent findings first. */
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
