import type { TextSet } from '~/lib/i18n/texts.ts'

export const en = {
  title: 'Alarms',
  subtitle:
    'Missing prices, models in use that will be retired soon, and changes to settings owned by a configuration file',
  banner: {
    one: '1 alarm needs attention.',
    many: (count: string) => `${count} alarms need attention.`,
  },
  show: 'Show',
  empty:
    'All requested models have prices, no model in use will be retired soon, and nothing owned by configuration files has changed.',
  columns: {
    model: 'Model or setting',
    problem: 'Problem',
    channel: 'Where',
    count: 'Requests',
    first: 'First',
    last: 'Last',
    actions: 'Actions',
  },
  noPrice: 'No price',
  endsSoon: 'Ends soon',
  drift: 'Differs from file',
  driftHelp:
    'This is owned by a configuration file but has been changed by something else. Plan the file to see the difference, then apply it again.',
  openSetting: (setting: string) => `Open the setting ${setting}`,
  openChannel: (channel: string) => `Open ${channel}`,
  channelGone: 'Deleted channel',
  setPrice: (channel: string) => `Set a price in ${channel}`,
  dismiss: 'Dismiss',
  dismissOne: (model: string) => `Dismiss ${model}`,
  dismissed: 'Dismissed. It will return if its cause persists after a week.',
  dismissFailed: 'The alarm could not be dismissed',
  refresh: 'Refresh',
}

export const alarmTexts: TextSet<typeof en> = {
  en,
  'zh-CN': async () => (await import('./zh-cn.ts')).zhCN,
}
