import { asObject, type JsonObject } from '../json-value.ts'
import type { TokenCounts } from '../token-counts.ts'
import type { UsageReport } from './usage-report.ts'

/** The total usage of one request's parts; unknown if a part did not report its usage. */
export function addedReports(reports: readonly (UsageReport | undefined)[]): UsageReport | undefined {
  const known = reports.filter((report) => report !== undefined)
  if (known.length === 0 || known.length < reports.length) return undefined
  return known.reduce((sum, report) => ({
    counts: sum.counts && report.counts && addedCounts(sum.counts, report.counts),
    reportedNanoUsd:
      sum.reportedNanoUsd === undefined || report.reportedNanoUsd === undefined
        ? undefined
        : sum.reportedNanoUsd + report.reportedNanoUsd,
    own: addedMembers(sum.own, report.own),
  }))
}

function addedCounts({ units: some, ...counts }: TokenCounts, { units: more, ...others }: TokenCounts): TokenCounts {
  const units = some === undefined || more === undefined ? (some ?? more) : addedMembers({ ...some }, { ...more })
  return { ...(addedMembers(counts, others) as unknown as TokenCounts), ...(units === undefined ? {} : { units }) }
}

/** Adds numbers, also in nested objects; for anything else the last value is kept. */
export function addedMembers(sum: JsonObject, more: JsonObject): JsonObject {
  const added = Object.entries(more).map(([name, value]): [string, unknown] => {
    const before = sum[name]
    if (typeof value === 'number' && typeof before === 'number') return [name, before + value]
    const [inner, others] = [asObject(before), asObject(value)]
    return [name, inner === undefined || others === undefined ? value : addedMembers(inner, others)]
  })
  return { ...sum, ...Object.fromEntries(added) }
}
