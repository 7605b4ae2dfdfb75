export const en = {
  day: 'Day',
  total: 'Total',
  noData: 'No data',
  noUsage: 'No usage',
  showTable: (title: string) => `Show ${title} as a table`,
  showChart: (title: string) => `Show ${title} as a chart`,
  seriesOf: (title: string) => `Series of ${title}`,
  spokenDay: (day: string, values: string) => `${day}: ${values}`,
  spokenTotal: (total: string) => `total ${total}`,
  spokenValue: (name: string, value: string) => `${name} ${value}`,
  more: (count: number) => `and ${count} more`,
}
