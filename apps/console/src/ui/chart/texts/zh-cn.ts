import type { Translation } from '~/lib/i18n/texts.ts'
import type { en } from './chart-texts.ts'

export const zhCN: Translation<typeof en> = {
  day: '日期',
  total: '合计',
  noData: '暂无数据',
  noUsage: '无用量',
  showTable: (title) => `以表格显示${title}`,
  showChart: (title) => `以图表显示${title}`,
  download: (title) => `下载${title}`,
  asCsv: '数值（CSV）',
  asPicture: '图表（PNG）',
  seriesOf: (title) => `${title}的数据系列`,
  spokenDay: (day, values) => `${day}：${values}`,
  spokenTotal: (total) => `合计 ${total}`,
  spokenValue: (name, value) => `${name} ${value}`,
  showAll: (count) => `显示全部 ${count} 项`,
  showFewer: '收起',
  more: (count) => `另有 ${count} 项`,
}
