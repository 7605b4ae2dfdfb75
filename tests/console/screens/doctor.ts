import type { DoctorReport, Finding } from '@sluice/contract/doctor'
import { type Found, findingIn } from '@sluice/contract/findings/catalogue'
import { expect } from '../fixtures.ts'
import type { Screen } from './screen.ts'

const FOUND: readonly Found[] = [
  { id: 'proxy.untrusted', subject: '10.0.0.7' },
  {
    id: 'channels.off',
    subject: 'Frankfurt, the second',
    params: { channel: 7, since: '2026-11-20 08:15 UTC', reason: 'its key was refused.' },
  },
  { id: 'disk.low', subject: '/var/lib/sluice-with-a-long-name/data', params: { free: '1.4 GB', size: '3.9 GB' } },
  { id: 'mail.none' },
  { id: 'clock.ok' },
  { id: 'ledger.ok', params: { at: '2026-11-24 03:00 UTC' } },
]

function report(now: number, found: readonly Found[]): DoctorReport {
  const findings: readonly Finding[] = found.map((each) => findingIn('english', each))
  const worst = findings[0]?.severity ?? 'ok'
  return {
    format: 1,
    version: '1.0.0',
    examined_at: Math.floor(now / 1_000),
    elapsed_ms: 510,
    worst,
    findings: [...findings],
  }
}

/** Fixed findings, because real ones depend on the machine. */
export const doctorScreens: readonly Screen[] = [
  {
    name: 'doctor',
    route: '/doctor',
    as: 'root',
    show: async (page) => {
      const json = { success: true, data: report(Date.now(), FOUND) }
      await page.route('**/api/doctor/?*', (route) => route.fulfill({ json }))
      await page.goto('/doctor')
      await expect(page.getByRole('heading', { name: 'Problems (1)' })).toBeVisible()
    },
  },
  {
    name: 'doctor-in-order',
    route: '/doctor',
    as: 'root',
    show: async (page) => {
      const json = { success: true, data: report(Date.now(), FOUND.slice(4)) }
      await page.route('**/api/doctor/?*', (route) => route.fulfill({ json }))
      await page.goto('/doctor')
      await expect(page.getByText('No problems found.')).toBeVisible()
    },
  },
]
