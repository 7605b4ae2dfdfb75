import { expect, test } from 'vitest'
import { checkEntry, entryOf, isAskedAbout, isUnchanged } from './setting-value.ts'
import type { Setting } from './setting.ts'
import { SETTINGS } from './settings.ts'

const setting = (key: string): Setting => {
  const found = SETTINGS.find((each) => each.key === key)
  if (found === undefined) throw new Error(`no setting ${key}`)
  return found
}

test.each([
  ['RetryTimes', '3', '3'],
  ['RetryTimes', ' 007 ', '7'],
  ['ChannelDisableThreshold', '2.50', '2.5'],
  ['QuotaForNewUser', '0', '0'],
  ['EmailDomainWhitelist', 'a.com , b.com\nc.com,', 'a.com,b.com,c.com'],
  ['TopUpLink', ' https://shop.example.com ', 'https://shop.example.com'],
  ['TopUpLink', '', ''],
  ['GroupRatio', '{ "default": 1 }', '{"default":1}'],
  ['SystemName', ' Weir ', 'Weir'],
  ['Notice', ' kept as it is\n', ' kept as it is\n'],
])('%s takes %j as %j', (key, entry, text) => {
  expect(checkEntry(setting(key), entry)).toEqual({ text })
})

test.each([
  ['RetryTimes', '-1', 'integer'],
  ['RetryTimes', '1.5', 'integer'],
  ['RetryTimes', 'many', 'integer'],
  ['RetryTimes', '', 'integer'],
  ['QuotaForNewUser', '-5', 'integer'],
  ['ChannelDisableThreshold', '101', 'number'],
  ['QuotaPerUnit', '1e6', 'number'],
  ['QuotaPerUnit', '500,000', 'number'],
  ['TopUpLink', 'javascript:alert(1)', 'address'],
  ['TopUpLink', 'shop.example.com', 'address'],
  ['ServerAddress', '', 'empty'],
  ['SystemName', '  ', 'empty'],
  ['GroupRatio', '[1]', 'json-object'],
])('%s does not take %j: %s', { tags: 'C5.1' }, (key, entry, is) => {
  expect(checkEntry(setting(key), entry)).toMatchObject({ problem: { is } })
})

test('broken JSON is reported with its line', () => {
  expect(checkEntry(setting('GroupRatio'), '{\n  "a" 1\n}')).toEqual({ problem: { is: 'json', line: 2, column: 7 } })
})

test.each([
  ['QuotaPerUnit', '500000.0', '500000', true],
  ['QuotaPerUnit', '50000', '500000', false],
  ['GroupRatio', '{\n "default": 1\n}', '{"default":1}', true],
  ['EmailDomainWhitelist', 'a.com, b.com', 'a.com,b.com', true],
  ['SMTPToken', '  ', '', true],
  ['SMTPToken', 'x', '', false],
  ['RetryTimes', 'many', '3', false],
])('%s: %j over %j is unchanged: %j', { tags: 'C4.8' }, (key, entry, stored, unchanged) => {
  expect(isUnchanged(setting(key), entry, stored)).toBe(unchanged)
})

test('a field shows formatted JSON and lists with spaces, and text that is not JSON as it is', () => {
  expect(entryOf(setting('GroupRatio'), '{"default":1}')).toBe('{\n  "default": 1\n}')
  expect(entryOf(setting('GroupRatio'), 'broken')).toBe('broken')
  expect(entryOf(setting('EmailDomainWhitelist'), 'a.com,b.com')).toBe('a.com, b.com')
})

test('a switch asks only when it is turned in the harmful direction', () => {
  expect(isAskedAbout(setting('PasswordLoginEnabled'), 'false')).toBe(true)
  expect(isAskedAbout(setting('PasswordLoginEnabled'), 'true')).toBe(false)
  expect(isAskedAbout(setting('TurnstileCheckEnabled'), 'true')).toBe(true)
  expect(isAskedAbout(setting('TurnstileCheckEnabled'), 'false')).toBe(false)
  expect(isAskedAbout(setting('ChatLink'), 'https://example.com')).toBe(false)
})
