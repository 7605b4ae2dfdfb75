import type { TextSet } from '~/lib/i18n/texts.ts'

export const en = {
  title: 'Doctor',
  subtitle: 'What is wrong with this installation or soon will be, and how to fix it',
  runAgain: 'Run again',
  running: 'Checking…',
  commands: 'Doctor',
  failed: 'The installation could not be checked',
  severities: {
    problem: 'Problems',
    warning: 'Warnings',
    note: 'Notes',
    ok: 'OK',
  },
  one: {
    problem: 'Problem',
    warning: 'Warning',
    note: 'Note',
    ok: 'OK',
  },
  summary: (problems: number, warnings: number, notes: number) =>
    `Problems: ${problems}. Warnings: ${warnings}. Notes: ${notes}.`,
  examined: 'Checked',
  allWell: 'No problems found.',
  open: 'Open the page',
  openFor: (title: string) => `Open the page: ${title}`,
  command: 'The same is available in a terminal, for scripts and for a gateway that does not start: sluice doctor',
}

export const doctorTexts: TextSet<typeof en> = {
  en,
  'zh-CN': async () => (await import('./zh-cn.ts')).zhCN,
}
