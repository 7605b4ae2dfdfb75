import type { TextSet } from '~/lib/i18n/texts.ts'

export const en = {
  title: 'Sessions',
  subtitle: 'What each of an agent’s tasks costs, if the agent names its sessions',
  group: 'Sessions',
  empty:
    'No sessions yet. Coding agents such as Claude Code, Codex and opencode name theirs; other clients can send a session-id header.',
  refresh: 'Refresh',
  token: 'Token',
  username: 'Username',
  filter: 'Filter',
  sortedAmong: (among: string) => `Only the latest ${among} sessions are sorted.`,
  pages: 'Pages',
  firstPage: 'First page',
  nextPage: 'Next page',
  openCalls: (client: string) => `calls in the session of ${client}`,
  moreModels: (first: string, count: string) => `${first} +${count}`,
  unit: {
    calls: (count: string) => (count === '1' ? '1 call' : `${count} calls`),
    tokens: (count: string) => `${count} tokens`,
  },
  columns: {
    last: 'Last call',
    client: 'Client',
    token: 'Token',
    username: 'User',
    models: 'Models',
    calls: 'Calls',
    duration: 'Duration',
    tokens: 'Tokens',
    cache: 'Cached',
    saved: 'Saved by cache',
    cost: 'Cost',
  },
}

export const usageSessionTexts: TextSet<typeof en> = {
  en,
  'zh-CN': async () => (await import('./zh-cn.ts')).zhCN,
}
