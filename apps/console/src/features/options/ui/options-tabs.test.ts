import { expect, test } from 'vitest'
import { placedCards } from '../model/placed-settings.ts'
import { findSettings } from './options-tabs.tsx'

const words = {
  ofCard: ({ id }: { id: string }) => (id === 'email' ? 'Email' : id === 'logManagement' ? 'Log Management' : 'card'),
  ofSetting: ({ key }: { key: string }) => (key === 'RetryTimes' ? 'How often to try again' : ''),
}
const find = (text: string) =>
  findSettings(placedCards({}), text, words).flatMap(({ settings }) => settings.map(({ key }) => key))

test('settings are found by key and by words of their texts, in any case and order', () => {
  expect(find('retrytimes')).toEqual(['RetryTimes'])
  expect(find('AGAIN often')).toEqual(['RetryTimes'])
  expect(find('again never')).toEqual([])
})

test('settings of all tabs are found at once', () => {
  expect(find('link')).toEqual(['TopUpLink', 'ChatLink'])
  expect(find('smtp port')).toEqual(['SMTPPort', 'SMTPTransportSecurity'])
})

test('a card that matches itself is found with all of its settings', () => {
  const [card, ...others] = findSettings(placedCards({}), 'log man', words)
  expect(card).toMatchObject({ id: 'logManagement', whole: true })
  expect(card?.settings).toHaveLength(2)
  expect(others).toEqual([])
})

test('words of the card and of its settings count together', () => {
  expect(find('email token')).toEqual(['SMTPToken'])
})
