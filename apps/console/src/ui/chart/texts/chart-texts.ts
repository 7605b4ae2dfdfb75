import type { TextSet } from '~/lib/i18n/texts.ts'

export const en = {
  day: 'Day',
  total: 'Total',
  noData: 'No data',
  noUsage: 'No usage',
  showTable: (title: string) => `Show ${title} as a table`,
  showChart: (title: string) => `Show ${title} as a chart`,
  download: (title: string) => `Download ${title}`,
  asCsv: 'Values as CSV',
  asPicture: 'Chart as PNG',
  seriesOf: (title: string) => `Series in ${title}`,
  spokenDay: (day: string, values: string) => `${day}: ${values}`,
  spokenTotal: (total: string) => `total ${total}`,
  spokenValue: (name: string, value: string) => `${name} ${value}`,
  showAll: (count: number) => `Show all ${count}`,
  showFewer: 'Show fewer',
  more: (count: number) => `and ${count} more`,
}

export const chartTexts: TextSet<typeof en> = {
  en,
  'zh-CN': async () => (await import('./zh-cn.ts')).zhCN,
}
