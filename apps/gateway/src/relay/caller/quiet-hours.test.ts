import { readQuietHours } from '@sluice/store/options/quiet-hours'
import { expect, test } from 'vitest'
import { quietUntil } from './quiet-hours.ts'

/** The end of the quiet hours, in UTC; undefined outside them. */
function until(text: string, now: string): string | undefined {
  const hours = readQuietHours(text)
  if ('problem' in hours) throw new Error(hours.problem)
  const end = quietUntil(hours, Date.parse(now))
  return end === undefined ? undefined : new Date(end).toISOString().slice(0, 16)
}

test.for([
  ['12:00-13:00 UTC', '2026-06-01T11:59:59Z', undefined],
  ['12:00-13:00 UTC', '2026-06-01T12:00:00Z', '2026-06-01T13:00'],
  ['12:00-13:00 UTC', '2026-06-01T12:59:59.999Z', '2026-06-01T13:00'],
  ['12:00-13:00 UTC', '2026-06-01T13:00:00Z', undefined],
  ['22:00-07:00 UTC', '2026-06-01T21:59:00Z', undefined],
  ['22:00-07:00 UTC', '2026-06-01T23:30:30Z', '2026-06-02T07:00'],
  ['22:00-07:00 UTC', '2026-06-02T06:59:00Z', '2026-06-02T07:00'],
  ['22:00-00:00 UTC', '2026-06-01T23:59:00Z', '2026-06-02T00:00'],
  ['00:00-23:59 UTC', '2026-06-01T00:00:00Z', '2026-06-01T23:59'],
  // A zone in summer and in winter.
  ['22:00-07:00 Europe/Berlin', '2026-06-01T20:00:00Z', '2026-06-02T05:00'],
  ['22:00-07:00 Europe/Berlin', '2026-12-01T21:00:00Z', '2026-12-02T06:00'],
  ['22:00-07:00 Asia/Kathmandu', '2026-06-01T16:15:00Z', '2026-06-02T01:15'],
  // Clocks go from 02:00 to 03:00 on 29 March, at 01:00 UTC: the night is an hour shorter, and 02:30 never comes.
  ['22:00-07:00 Europe/Berlin', '2026-03-28T22:00:00Z', '2026-03-29T05:00'],
  ['22:00-02:30 Europe/Berlin', '2026-03-28T22:00:00Z', '2026-03-29T01:00'],
  ['02:10-02:40 Europe/Berlin', '2026-03-29T01:10:00Z', undefined],
  // Clocks go from 03:00 back to 02:00 on 25 October, at 01:00 UTC: 02:30 comes twice, and the time before it is quiet twice.
  ['22:00-07:00 Europe/Berlin', '2026-10-24T22:00:00Z', '2026-10-25T06:00'],
  ['22:00-02:30 Europe/Berlin', '2026-10-24T23:00:00Z', '2026-10-25T00:30'],
  ['22:00-02:30 Europe/Berlin', '2026-10-25T00:45:00Z', undefined],
  ['22:00-02:30 Europe/Berlin', '2026-10-25T01:15:00Z', '2026-10-25T01:30'],
] as const)('%s at %s', ([hours, now, end]) => {
  expect(until(hours, now)).toBe(end)
})

test.for([
  ['', 'have the form'],
  ['22-7', 'have the form'],
  ['24:00-07:00 UTC', 'have the form'],
  ['22:00-07:00', 'have the form'],
  ['22:00-22:00 UTC', 'must not begin'],
  ['22:00-07:00 Mars/Olympus', 'not a time zone'],
] as const)('"%s" is refused', ([text, problem]) => {
  expect(readQuietHours(text)).toMatchObject({ problem: expect.stringContaining(problem) as string })
})
