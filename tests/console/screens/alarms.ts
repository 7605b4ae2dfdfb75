import type { Alarm } from '@sluice/contract/routes/alarms'
import { expect } from '../fixtures.ts'
import type { Screen } from './screen.ts'

const DAY_MS = 86_400_000

/** One alarm of each kind, only in replies, because real alarms would appear above every other screen of the shared gateway. */
function alarms(now: number): readonly Alarm[] {
  const first_seen_ms = now - 3 * DAY_MS
  const last_seen_ms = now - 60_000
  const channel = { channel_id: 7, channel_name: 'Frankfurt, the second' }
  return [
    {
      id: 4,
      kind: 'configuration_drift',
      subject: 'RetryTimes',
      channel_id: 0,
      channel_name: '',
      first_seen_ms,
      last_seen_ms,
      count: 0,
    },
    {
      id: 3,
      kind: 'unpriced_model',
      subject: 'gpt-6-luna-preview',
      ...channel,
      first_seen_ms,
      last_seen_ms,
      count: 12,
    },
    {
      id: 2,
      kind: 'unpriced_unit',
      subject: 'a-model-with-a-rather-long-name-2026-11-20: web_search',
      channel_id: 9,
      channel_name: 'A channel with a name that is rather longer than any column',
      first_seen_ms,
      last_seen_ms,
      count: 1_234_567,
    },
    {
      id: 1,
      kind: 'ending_model',
      subject: 'gpt-4o: 2026-12-20',
      channel_id: 0,
      channel_name: '',
      first_seen_ms,
      last_seen_ms,
      count: 1,
    },
  ]
}

export const alarmScreens: readonly Screen[] = [
  {
    name: 'alarms',
    route: '/alarms',
    as: 'root',
    show: async (page) => {
      const json = { success: true, data: alarms(Date.now()), total: 4 }
      await page.route('**/api/alarm/?*', (route) => route.fulfill({ json }))
      await page.goto('/alarms')
      await expect(page.getByRole('button', { name: 'Dismiss gpt-6-luna-preview' })).toBeVisible()
    },
  },
]
