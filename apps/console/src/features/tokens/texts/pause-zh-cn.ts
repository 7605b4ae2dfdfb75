import type { Translation } from '~/lib/i18n/texts.ts'
import type { en } from './pause-texts.ts'

export const zhCN: Translation<typeof en> = {
  title: '已被规则暂停',
  session: (token, amount) => `${token}：一个会话已用 ${amount}，达到令牌对单个会话的上限`,
  loop: (token) => `${token}：相同的请求过于频繁，疑似循环`,
  until: (time) => `至 ${time}`,
  release: '解除',
  releaseOf: (token) => `解除 ${token} 的暂停`,
  released: '已解除',
  releaseFailed: '无法解除',
}
