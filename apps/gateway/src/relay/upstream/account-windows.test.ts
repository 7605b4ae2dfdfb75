import { expect, test } from 'vitest'
import { accountWindows } from './account-windows.ts'

const NOW = Date.parse('2026-11-28T10:00:00Z')
/** The provider's clock is a minute behind ours. */
const SENT = NOW - 60_000
const DATE = { date: new Date(SENT).toUTCString() }
const HOUR = 3_600_000
const unix = (ms: number) => String(Math.floor(ms / 1_000))

test.each([
  [
    'the windows of an Anthropic plan',
    {
      ...DATE,
      'anthropic-ratelimit-unified-status': 'allowed',
      'anthropic-ratelimit-unified-5h-status': 'allowed',
      'anthropic-ratelimit-unified-5h-utilization': '0.42',
      'anthropic-ratelimit-unified-5h-reset': unix(SENT + 2 * HOUR),
      'anthropic-ratelimit-unified-7d-status': 'rejected',
      'anthropic-ratelimit-unified-7d-utilization': '0.99',
      'anthropic-ratelimit-unified-7d-reset': unix(SENT + 50 * HOUR),
    },
    [
      ['5h', 0.42, 2 * HOUR],
      ['7d', 1, 50 * HOUR],
    ],
  ],
  [
    'the limits of an Anthropic key',
    {
      ...DATE,
      'anthropic-ratelimit-requests-limit': '50',
      'anthropic-ratelimit-requests-remaining': '0',
      'anthropic-ratelimit-requests-reset': new Date(SENT + 30_000).toISOString(),
      'anthropic-ratelimit-input-tokens-limit': '1000',
      'anthropic-ratelimit-input-tokens-remaining': '750',
      'anthropic-ratelimit-input-tokens-reset': new Date(SENT + 1_000).toISOString(),
    },
    [
      ['requests', 1, 30_000],
      ['input-tokens', 0.25, 1_000],
    ],
  ],
  [
    'OpenAI’s form, with durations',
    {
      'x-ratelimit-limit-requests': '10',
      'x-ratelimit-remaining-requests': '5',
      'x-ratelimit-reset-requests': '6m0s',
      'x-ratelimit-limit-tokens': '150000',
      'x-ratelimit-remaining-tokens': '0',
      'x-ratelimit-reset-tokens': '120ms',
    },
    [
      ['requests', 0.5, 360_000],
      ['tokens', 1, 120],
    ],
  ],
  [
    'the windows of Codex',
    {
      'x-codex-primary-used-percent': '100.0',
      'x-codex-primary-reset-after-seconds': '90',
      'x-codex-secondary-used-percent': '7',
      'x-codex-secondary-reset-at': unix(NOW + HOUR),
    },
    [
      ['codex primary', 1, 90_000],
      ['codex secondary', 0.07, HOUR],
    ],
  ],
])('reads %s', (_, headers, windows) => {
  expect(accountWindows(headers, NOW).map(({ name, used, resetsAt }) => [name, used, resetsAt - NOW])).toEqual(windows)
})

const requests = (limit: string, remaining: string, reset: string) => ({
  'x-ratelimit-limit-requests': limit,
  'x-ratelimit-remaining-requests': remaining,
  'x-ratelimit-reset-requests': reset,
})

test.each([
  ['no headers', {}],
  ['no reset', requests('10', '0', '')],
  ['a reset in the past', requests('10', '0', new Date(NOW - 1).toISOString())],
  ['what is not a number', requests('ten', '-1', '1s')],
  ['no limit at all', requests('0', '0', '1s')],
  ['no time', requests('10', '0', 'soon')],
  ['too long a text', requests('10', '0', `${'1'.repeat(60)}s`)],
])('makes nothing of %s', (_, headers) => {
  expect(accountWindows(headers, NOW)).toEqual([])
})

test('believes no reset beyond a month, and no share beyond the whole', { tags: 'S28' }, () => {
  const month = 31 * 86_400_000
  const inCentury = requests('10', '0', '2100-01-01T00:00:00Z')
  expect(accountWindows(inCentury, NOW)).toEqual([{ name: 'requests', used: 1, resetsAt: NOW + month }])
  expect(accountWindows(requests('10', '999999', '999999999999'), NOW)).toEqual([
    { name: 'requests', used: 0, resetsAt: NOW + month },
  ])
})
