import type { Translation } from '~/lib/i18n/texts.ts'
import type { en } from './doctor-texts.ts'

export const zhCN: Translation<typeof en> = {
  title: '诊断',
  subtitle: '本系统现有或即将出现的问题，以及处理办法',
  runAgain: '重新检查',
  running: '正在检查…',
  commands: '诊断',
  failed: '无法检查本系统',
  severities: { problem: '问题', warning: '警告', note: '提示', ok: '正常' },
  one: { problem: '问题', warning: '警告', note: '提示', ok: '正常' },
  summary: (problems, warnings, notes) => `问题：${problems}。警告：${warnings}。提示：${notes}。`,
  examined: '检查于',
  allWell: '没有发现问题。',
  open: '打开页面',
  openFor: (title) => `打开页面：${title}`,
  command: '在终端中也可使用，适合脚本或网关无法启动时：sluice doctor',
}
