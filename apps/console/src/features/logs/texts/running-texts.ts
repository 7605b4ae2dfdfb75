import type { TextSet } from '~/lib/i18n/texts.ts'

/** Texts of the calls that run now. */
export const en = {
  title: 'Running now',
  none: 'No call is running.',
  lost: 'Signed out; the list no longer follows.',
  stage: { waiting: 'Waiting', asking: 'Asking the provider', streaming: 'Answering' },
  tokens: (n: string) => `≈ ${n} tokens`,
  cost: (amount: string) => `≈ ${amount} so far`,
  since: (seconds: string) => `${seconds} s`,
  stop: 'Stop',
  stopOf: (model: string, user: string) => `Stop the call of ${user} to ${model}`,
  stopped: 'The call was stopped. What had arrived is charged.',
  stopFailed: 'The call could not be stopped; it may have ended.',
}

export const runningTexts: TextSet<typeof en> = {
  en,
  'zh-CN': async () => (await import('./running-zh-cn.ts')).zhCN,
}
