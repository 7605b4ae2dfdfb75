import type { TextSet } from '~/lib/i18n/texts.ts'

export const en = {
  title: 'Alarms',
  subtitle: 'Missing prices, models in use that end soon, and changes to what a configuration file owns',
  banner: {
    one: '1 alarm needs attention.',
    many: (count: string) => `${count} alarms need attention.`,
  },
  show: 'Show',
  empty:
    'Everything that was requested has a price, no model in use ends soon, and configuration files are as applied.',
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
    'A configuration file owns this, and something else has changed it. Plan the file to see how, and apply it again.',
  openSetting: (setting: string) => `Open the setting ${setting}`,
  openChannel: (channel: string) => `Open ${channel}`,
  channelGone: 'Deleted channel',
  setPrice: (channel: string) => `Set a price in ${channel}`,
  dismiss: 'Dismiss',
  dismissOne: (model: string) => `Dismiss ${model}`,
  dismissed: 'Dismissed. It returns if it still happens after a week.',
  dismissFailed: 'The alarm could not be dismissed',
  refresh: 'Refresh',
}

export const alarmTexts: TextSet<typeof en> = {
  en,
  'zh-CN': async () => (await import('./zh-cn.ts')).zhCN,
}
