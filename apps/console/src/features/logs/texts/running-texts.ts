import type { TextSet } from '~/lib/i18n/texts.ts'

export const en = {
  title: 'Running now',
  none: 'No call is running.',
  lost: 'Signed out; the list is no longer updated.',
  stage: { waiting: 'Waiting', asking: 'Calling the provider', streaming: 'Answering' },
  tokens: (n: string) => `≈ ${n} tokens`,
  cost: (amount: string) => `≈ ${amount} so far`,
  since: (seconds: string) => `${seconds} s`,
  stop: 'Stop',
  stopOf: (model: string, user: string) => `Stop the call of ${user} to ${model}`,
  stopped: 'The call was stopped. The part that had arrived is charged.',
  stopFailed: 'The call could not be stopped; it may already have ended.',
}

export const runningTexts: TextSet<typeof en> = {
  en,
  'zh-CN': async () => (await import('./running-zh-cn.ts')).zhCN,
}
