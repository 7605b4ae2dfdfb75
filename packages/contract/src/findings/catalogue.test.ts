import { expect, it } from 'vitest'
import { checkOf, FINDINGS, findingIn, type FindingId } from './catalogue.ts'
import type { FindingEntry } from './finding-entry.ts'

const entries: readonly (readonly [FindingId, FindingEntry])[] = Object.entries(FINDINGS) as [FindingId, FindingEntry][]
const placesOf = (text = ''): readonly string[] => [...new Set(text.match(/\{\w+\}/g))].toSorted()

it.each(entries)('%s belongs to a check and says the same in both languages', (id, entry) => {
  expect(checkOf(id)).toBeTruthy()
  expect(placesOf(entry.chinese.finding)).toEqual(placesOf(entry.finding))
  expect(entry.chinese.remedy === undefined).toBe(entry.remedy === undefined)
})

it.each(entries)('%s says what to do, unless all is well', (_, { severity, remedy }) => {
  expect(remedy === undefined).toBe(severity === 'ok')
})

it('fills texts and links, and encodes what goes into an address', () => {
  const found = findingIn('english', {
    id: 'settings.needs',
    subject: 'A & B',
    params: { missing: 'SMTPFrom' },
  })
  expect(found).toMatchObject({
    check: 'settings',
    title: 'Settings',
    severity: 'warning',
    finding: 'A & B is on but does nothing, because SMTPFrom is not set.',
    link: '/settings?tab=operation&find=A%20%26%20B',
  })
  expect(findingIn('chinese', { id: 'clock.ok' }).finding).toBe('网关与数据库的时钟一致。')
})
