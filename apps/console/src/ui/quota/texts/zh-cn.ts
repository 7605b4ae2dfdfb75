import type { Translation } from '~/lib/i18n/texts.ts'
import type { en } from './quota-texts.ts'

export const zhCN: Translation<typeof en> = {
  points: (count) => `${count} 点`,
  estimate: (amount) => `约 ${amount}`,
  budget: { day: '每日预算', week: '每周预算', month: '每月预算' },
  noBudget: '不限',
  noBudgetHint: '以额度点为单位；留空表示不限。',
  budgetUsed: (amount, resets) => `已用 ${amount}，${resets} 重新计算`,
  budgetLine: (name, used, quota, resets) => `${name}：已用 ${used}，共 ${quota}，${resets} 重新计算`,
  budgetShare: (name, percent) => `${name}已用 ${percent}%`,
  budgetNoNumber: '请输入额度点数，或留空',
  budgetNegative: '预算不能为负数',
  budgetWhole: '预算必须为整数',
  budgetTooLarge: '预算过大',
  beforeMove: '迁移之前',
  usedBefore: (amount, requests) => `${requests} 次请求，已用 ${amount}`,
}
