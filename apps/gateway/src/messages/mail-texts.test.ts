import { describe, expect, test } from 'vitest'
import { writeMail } from './mail-texts.ts'
import type { MailContent } from './mail.ts'

const CONTENTS: readonly MailContent[] = [
  { kind: 'verification_code', code: 'K3Y9QT', minutes: 10 },
  {
    kind: 'password_reset',
    username: 'ann',
    link: 'https://gateway.example.com/user/reset?email=a&token=b',
    minutes: 10,
  },
  { kind: 'email_changed', username: 'ann' },
  { kind: 'quota_low', username: 'ann', quota: 900, link: 'https://gateway.example.com/topup' },
  { kind: 'budget_low', username: 'ann', token: 'laptop', period: 'week', quota: 5000 },
  { kind: 'charges_corrected', count: 3, requestId: '019a0000000070008000000000000001' },
  { kind: 'channel_disabled', channel: 'east', id: 7, reason: 'invalid key' },
  { kind: 'channel_enabled', channel: 'east', id: 7 },
  { kind: 'channel_key_disabled', channel: 'east', id: 7, key: 2, reason: 'invalid key' },
  { kind: 'channel_keys_enabled', channel: 'east', id: 7 },
  { kind: 'channels_tested', tested: 12, failed: 2 },
  { kind: 'plain', subject: 'News', text: 'First.\n\nSecond.' },
]

describe.each(CONTENTS)('the mail $kind', (content) => {
  const values = Object.entries(content).filter(([key]) => !['kind', 'subject', 'text', 'period'].includes(key))

  test.each(['en', 'zh'] as const)('names everything it is about, in %s', (language) => {
    const { subject, text, html } = writeMail(content, 'Sluice', language)
    for (const [, value] of values) {
      expect(subject + text).toContain(String(value))
      expect(subject + html).toContain(String(value).replaceAll('&', '&amp;'))
    }
    expect(/\p{Script=Han}/u.test(text)).toBe(language === 'zh' && content.kind !== 'plain')
  })

  test('says it in both languages when the language of the reader is unknown', () => {
    const both = writeMail(content, 'Sluice')
    expect(both.text).toContain(writeMail(content, 'Sluice', 'en').text)
    expect(both.text).toContain(writeMail(content, 'Sluice', 'zh').text)
  })
})

test('the period of a budget is said in the language of the reader', () => {
  const content = { kind: 'budget_low', username: 'ann', token: '', period: 'month', quota: 50 } as const
  expect(writeMail(content, 'Sluice', 'en').text).toContain('for this month')
  expect(writeMail(content, 'Sluice', 'zh').text).toContain('本月')
})

test('the code and the link that the reader needs are on lines of their own', () => {
  for (const [content, line] of [
    [CONTENTS[0], 'K3Y9QT'],
    [CONTENTS[1], 'https://gateway.example.com/user/reset?email=a&token=b'],
  ] as const) {
    expect(content === undefined ? [] : writeMail(content, 'Sluice', 'en').text.split('\n')).toContain(line)
  }
})

test('values are text and never markup or a template', { tags: 'S17' }, () => {
  const hostile = `<img src=x onerror="alert('1')">{{7*7}}\${7*7}<%= 7*7 %>`
  const content = { kind: 'channel_disabled', channel: hostile, id: 1, reason: hostile } as const
  const { html, text } = writeMail(content, hostile, 'en')
  expect(html).not.toMatch(/<img|"alert|49/)
  expect(html).toContain('&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;{{7*7}}')
  expect(text).toContain(hostile)
})

test.each(CONTENTS)(
  'no name chosen by a user becomes markup or a header in the mail $kind',
  { tags: 'S14' },
  (content) => {
    const hostile = '\r\nBcc: eve@example.com\r\n\r\n</title><img src=x onerror="alert(1)">\u2028'
    const chosen = Object.entries(content).map(([key, value]) => [
      key,
      typeof value === 'string' && key !== 'kind' && key !== 'period' ? `${value}${hostile}` : value,
    ])
    const { subject, html } = writeMail({ ...content, ...Object.fromEntries(chosen) }, `Sluice${hostile}`)
    expect(subject).not.toMatch(/[\p{Cc}\u2028]/u)
    expect(html).not.toMatch(/<img|onerror="/)
    expect(html.match(/<\/title>/g)).toHaveLength(1)
  },
)

test('a system name cannot add header lines to a subject', { tags: 'S14' }, () => {
  const { subject } = writeMail(
    { kind: 'channel_enabled', channel: 'a\r\nBcc: eve@example.com', id: 1 },
    'Sys\u2028tem',
    'en',
  )
  expect(subject).not.toMatch(/[\r\n\u2028]/)
  expect(writeMail({ kind: 'plain', subject: 'x'.repeat(5_000), text: '' }, 'S').subject).toHaveLength(200)
})
