import type { TextSet } from '~/lib/i18n/texts.ts'

export const en = {
  title: 'Getting started',
  progress: (done: number, all: number) => `${done} of ${all} done`,
  done: 'Done',
  open: 'To do',
  collapse: 'Collapse',
  dismiss: 'Do not show again',
  steps: {
    token: 'Create a token',
    call: 'Make a first call',
    balance: 'Add balance',
    twoFactor: 'Enable two-factor sign-in',
    channel: 'Add a channel',
    channelTest: 'Test a channel',
    prices: 'Give every model a price',
    user: 'Invite a user',
  },
}

export const firstStepsTexts: TextSet<typeof en> = {
  en,
  'zh-CN': async () => (await import('./first-steps-zh-cn.ts')).zhCN,
}
