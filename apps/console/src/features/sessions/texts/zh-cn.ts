import type { Translation } from '~/lib/i18n/texts.ts'
import type { en } from './session-texts.ts'

export const zhCN: Translation<typeof en> = {
  title: '会话',
  subtitle: '智能体每项任务的费用，前提是它为会话命名',
  group: '会话',
  empty: '还没有会话。Claude Code、Codex、opencode 等编程智能体会自动命名会话；其他客户端可发送 session-id 请求头。',
  refresh: '刷新',
  token: '令牌',
  username: '用户名',
  filter: '筛选',
  sortedAmong: (among) => `仅对最近的 ${among} 个会话排序。`,
  pages: '分页',
  firstPage: '第一页',
  nextPage: '下一页',
  openCalls: (client) => `${client} 会话的调用`,
  moreModels: (first, count) => `${first} +${count}`,
  unit: { calls: (count) => `${count} 次调用`, tokens: (count) => `${count} 个 token` },
  columns: {
    last: '最近调用',
    client: '客户端',
    token: '令牌',
    username: '用户',
    models: '模型',
    calls: '调用次数',
    duration: '时长',
    tokens: 'Token',
    cache: '缓存占比',
    saved: '缓存节省',
    cost: '费用',
  },
}
