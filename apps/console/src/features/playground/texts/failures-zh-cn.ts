import type { Translation } from '~/lib/i18n/texts.ts'
import type { en } from './failures-texts.ts'

export const zhCN: Translation<typeof en> = {
  send: '发送消息失败',
  regenerate: '重新生成消息失败',
  noBody: '响应没有内容',
  streamError: '流错误',
  broken: '回复完成前连接中断。',
  cut: '回复完成前数据流已结束。',
  silent: (minutes) => `${minutes} 分钟内没有收到任何内容，回复已结束。`,
  tooLong: (characters) => `回复达到 ${characters} 个字符的显示上限，已结束。`,
  unreadable: '回复的一部分无法读取。',
}
