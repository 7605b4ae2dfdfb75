import type { TextSet } from '~/lib/i18n/texts.ts'

export const en = {
  points: (count: string) => `${count} points`,
  estimate: (amount: string) => `About ${amount}`,
  budget: { day: 'Daily budget', week: 'Weekly budget', month: 'Monthly budget' },
  noBudget: 'No limit',
  noBudgetHint: 'In quota points; empty means no limit.',
  budgetUsed: (amount: string, resets: string) => `${amount} used, resets on ${resets}`,
  budgetLine: (name: string, used: string, quota: string, resets: string) =>
    `${name}: ${used} of ${quota} used, resets on ${resets}`,
  budgetShare: (name: string, percent: number) => `${name} ${percent}% used`,
  budgetNoNumber: 'Enter a number of quota points, or leave it empty',
  budgetNegative: 'A budget must not be negative',
  budgetWhole: 'A budget must be a whole number',
  budgetTooLarge: 'This budget is too large',
  beforeMove: 'Before the move',
  usedBefore: (amount: string, requests: string) => `${amount} used in ${requests} requests`,
}

export const quotaTexts: TextSet<typeof en> = {
  en,
  'zh-CN': async () => (await import('./zh-cn.ts')).zhCN,
}
