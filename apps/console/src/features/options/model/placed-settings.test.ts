import { expect, test } from 'vitest'
import { missingNeeds, placedCards, valueOf } from './placed-settings.ts'
import { SETTINGS } from './settings.ts'

const cardsWith = (values: Record<string, string>) => placedCards(values)
const setting = (key: string) => {
  const found = SETTINGS.find((each) => each.key === key)
  if (found === undefined) throw new Error(`no setting ${key}`)
  return found
}

test(
  'settings without a group are among Other Settings, switches recognised by their name',
  { tags: ['C2.23', 'C3.16'] },
  () => {
    const other = cardsWith({ SomethingNew: 'x', SomethingEnabled: 'true', RetryTimes: '2' }).find(
      ({ id }) => id === 'otherSettings',
    )
    expect(other?.settings.map(({ key, kind }) => [key, kind])).toEqual([
      ['AvailableGroups', 'shown'],
      ['SomethingNew', 'text'],
      ['SomethingEnabled', 'flag'],
    ])
  },
)

test('a card has the settings of its groups and no other', () => {
  for (const { groups, settings } of cardsWith({})) {
    expect(settings.every(({ group }) => groups.includes(group))).toBe(true)
  }
})

test('a value that the gateway does not list is its default; a secret has none', { tags: 'C3.15' }, () => {
  expect(valueOf(setting('QuotaPerUnit'), {})).toBe('500000')
  expect(valueOf(setting('QuotaPerUnit'), { QuotaPerUnit: '1000' })).toBe('1000')
  expect(valueOf(setting('SMTPToken'), { SMTPToken: 'never sent' })).toBe('')
})

test('a switch says what it needs, until that is set', () => {
  const challenge = setting('TurnstileCheckEnabled')
  const none = { values: { TurnstileSiteKey: '' }, secretsSet: [], managedBy: {} }
  expect(missingNeeds(challenge, none)).toEqual(['TurnstileSiteKey', 'TurnstileSecretKey'])
  const both = { values: { TurnstileSiteKey: 'site' }, secretsSet: ['TurnstileSecretKey'], managedBy: {} }
  expect(missingNeeds(challenge, both)).toEqual([])
})
