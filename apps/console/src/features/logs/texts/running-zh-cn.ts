import type { Translation } from '~/lib/i18n/texts.ts'
import type { en } from './running-texts.ts'

export const zhCN: Translation<typeof en> = {
  title: '正在进行',
  none: '没有正在进行的调用。',
  lost: '已退出登录，列表不再更新。',
  stage: { waiting: '等待中', asking: '正在请求提供商', streaming: '正在回答' },
  tokens: (n) => `约 ${n} 个 token`,
  cost: (amount) => `目前约 ${amount}`,
  since: (seconds) => `${seconds} 秒`,
  stop: '停止',
  stopOf: (model, user) => `停止 ${user} 对 ${model} 的调用`,
  stopped: '调用已停止，已送达的部分照常计费。',
  stopFailed: '无法停止此调用，它可能已经结束。',
}
