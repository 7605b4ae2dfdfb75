import type { TextSet } from '~/lib/i18n/texts.ts'

export const en = {
  title: 'Top Up',
  subtitle: 'Your balance, and the ways to add to it',
  group: 'Top Up',
  balance: 'Current Balance',
  balanceFailed: 'The balance could not be loaded.',
  tokens: (count: string) => `${count} tokens`,
  unlimited: 'Unlimited',
  worth: (amount: string) => `About ${amount}`,
  used: (amount: string, requests: string) => `${amount} used in ${requests} requests so far`,
  redeemTitle: 'Redeem Code',
  code: 'Redemption code',
  redeem: 'Redeem',
  redeeming: 'Redeeming...',
  redeemCommand: 'Redeem a code',
  codeRequired: 'Redemption code is required',
  redeemed: (count: string) => `Successfully redeemed! Added ${count} tokens.`,
  redeemFailed: 'Redemption failed',
  payment: 'Online Payment',
  paymentText: 'Pay on the operator’s page. It opens in a new tab and credits this account.',
  pay: 'Open payment page',
  tips: 'Tips',
  tipList: {
    one: 'Redemption codes are case-sensitive.',
    two: 'Each code can be redeemed once.',
    three: 'After several wrong codes you must wait a few minutes.',
    four: 'Every charge is in the logs, with a receipt.',
  },
  openLogs: 'Open logs',
  recent: 'Recent top-ups',
  recentEmpty: 'Nothing has been added yet.',
  recentFailed: 'Recent top-ups could not be loaded.',
}

export const topupTexts: TextSet<typeof en> = {
  en,
  'zh-CN': async () => (await import('./zh-cn.ts')).zhCN,
}
