import { findingIn } from '@sluice/contract/findings/catalogue'
import { expect, it } from 'vitest'
import { printDoctorReport } from './doctor-report.ts'

const REPORT = {
  format: 1,
  version: '1.0.0',
  examined_at: 0,
  elapsed_ms: 512,
  worst: 'warning',
  findings: [
    findingIn('english', {
      id: 'channels.off',
      subject: 'Frank\u001B[31mfurt\n1',
      params: { channel: 7, since: '2026-11-20 08:15 UTC', reason: 'its key was refused.' },
    }),
    findingIn('english', { id: 'clock.ok' }),
  ],
} as const

const printed = (isColoured: boolean): readonly string[] => {
  const lines: string[] = []
  printDoctorReport({ ...REPORT, findings: [...REPORT.findings] }, { isColoured, print: (line) => lines.push(line) })
  return lines
}

it('findings are printed by urgency, in 80 columns, with their ids and what to do', () => {
  expect(printed(false)).toEqual([
    'Warnings (1)',
    '  Channels: Channel Frankfurt 1 was switched off automatically on 2026-11-20',
    '  08:15 UTC: its key was refused.',
    '    → Fix the cause, test the channel and enable it.',
    '    channels.off',
    '',
    'OK (1)',
    '  Clocks: The clocks of the gateway and the database agree.',
    '',
    '0 problems, 1 warning, 0 notes (Sluice 1.0.0, 0.5 s)',
  ])
})

it('only our own headings are coloured: the name of a channel does not steer the terminal', { tags: 'S14' }, () => {
  const coloured = printed(true)
  expect(coloured.filter((line) => line.includes('\u001B'))).toEqual([
    '\u001B[1;33mWarnings (1)\u001B[0m',
    '\u001B[1;32mOK (1)\u001B[0m',
  ])
})
