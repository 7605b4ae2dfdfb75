import { faultOf } from '@sluice/providers/failures/fault-of'
import { KINDS, kindOf } from '@sluice/providers/kinds/all'
import type { ProviderKind } from '@sluice/providers/kinds/kind'
import { expect, test } from 'vitest'
import { errorOf, RECORDED_FAILURES, type RecordedFailure } from './failures.ts'

const named = (failure: RecordedFailure) => ({
  ...failure,
  said: errorOf(failure)?.message.slice(0, 80),
})

test.each(RECORDED_FAILURES.map(named))('$vendor, $status, "$said": $fault', ({ kind, status, fault, ...failure }) => {
  const known = kindOf(kind)
  if (known === undefined) throw new Error(`no kind ${kind}`)
  expect(faultOf(known, status, errorOf({ ...failure, status }))).toBe(fault)
})

test.each(RECORDED_FAILURES.map(named))('$vendor, $status: $source is a page', ({ source }) => {
  expect(source).toMatch(/^https:\/\/github\.com\/[\w.-]+\/[\w.-]+\/(?:issues|pull)\/\d+$/)
})

test('every rule of a kind has been met: without it, some recorded failure would be somebody else’s fault', () => {
  const idle: string[] = []
  for (const kind of KINDS as readonly ProviderKind[]) {
    const { failures = [], code, name } = kind
    // Kinds that share their rules also share the failures.
    const met = RECORDED_FAILURES.filter(({ kind: of }) =>
      kindOf(of)?.failures?.some((rule) => failures.includes(rule)),
    )
    for (const rule of failures) {
      const without = { ...kind, failures: failures.filter((other) => other !== rule) }
      const isNeeded = [...met, ...RECORDED_FAILURES.filter(({ kind: of }) => of === code)].some(
        (failure) => faultOf(without, failure.status, errorOf(failure)) !== failure.fault,
      )
      if (!isNeeded) idle.push(`${name}: ${JSON.stringify({ ...rule, text: rule.text?.source })}`)
    }
  }
  expect(idle).toEqual([])
})

test('what a reseller or a server of any kind passes on is read as its vendor means it', () => {
  const inFront = KINDS.filter(({ code }) => code === 50 || code === 2) as readonly ProviderKind[]
  expect(inFront).toHaveLength(2)
  const accounts = RECORDED_FAILURES.filter(({ status, fault }) => status === 400 && fault === 'account')
  expect(accounts.length).toBeGreaterThan(5)
  for (const failure of accounts) {
    for (const kind of inFront) expect(faultOf(kind, failure.status, errorOf(failure)), failure.source).toBe('account')
  }
})
