import type { TextSet } from '~/lib/i18n/texts.ts'

export const en = {
  cancelled: 'Request Cancelled',
  cancelledText: 'What the provider had written by then may be charged.',
  group: 'Playground',
  title: 'Conversations',
  open: 'Conversations',
  untitled: 'New conversation',
  picture: 'Picture',
  search: 'Search titles and texts...',
  none: 'No conversations yet. They are stored here, in this browser only.',
  noneFound: (text: string) => `Nothing contains “${text}”.`,
  groups: {
    pinned: 'Pinned',
    today: 'Today',
    yesterday: 'Yesterday',
    week: 'Last 7 days',
    month: 'Last 30 days',
    older: 'Older',
  },
  messages: (count: number) => (count === 1 ? '1 message' : `${count} messages`),
  actionsFor: (title: string) => `Actions for ${title}`,
  rename: 'Rename',
  newTitle: 'Title of the conversation',
  pin: 'Pin',
  unpin: 'Unpin',
  remove: 'Delete',
  removed: (count: number) => (count === 1 ? 'Conversation deleted.' : `${count} conversations deleted.`),
  undo: 'Undo',
  removeAll: 'Delete all',
  removeAllTitle: 'Delete all conversations?',
  removeAllText: (count: number) => `${count} conversations are deleted from this browser. There is no other copy.`,
  keptHere: (count: string, most: string, size: string, mostSize: string) =>
    `In this browser only, until you sign out: ${count} of ${most} conversations, ${size} of ${mostSize}. The oldest go first.`,
  keptNot: 'This browser does not let the console store anything. Conversations are lost when you leave this page.',
  failed: 'The last change could not be stored. There may be no room left: delete conversations with pictures.',
  temporary: 'Temporary conversation',
  temporaryHelp: 'Not stored: it is lost when you leave it.',
  temporaryBadge: 'Temporary',
}

export const historyTexts: TextSet<typeof en> = {
  en,
  'zh-CN': async () => (await import('./history-zh-cn.ts')).zhCN,
}
