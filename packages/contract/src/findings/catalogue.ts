import type { Finding } from '../doctor.ts'
import { withParams } from '../errors.ts'
import { DATA_FINDINGS } from './data-findings.ts'
import type { FindingEntry } from './finding-entry.ts'
import { MACHINE_FINDINGS } from './machine-findings.ts'
import { OUTSIDE_FINDINGS } from './outside-findings.ts'
import { TRAFFIC_FINDINGS } from './traffic-findings.ts'

export const FINDINGS = { ...MACHINE_FINDINGS, ...OUTSIDE_FINDINGS, ...TRAFFIC_FINDINGS, ...DATA_FINDINGS } as const

export type FindingId = keyof typeof FINDINGS

/** English and Chinese names of the checks, by the first part of their findings' ids. */
export const CHECK_TITLES = {
  clock: ['Clocks', '时钟'],
  disk: ['Disk and files', '磁盘与文件'],
  machine: ['Machine limits', '机器限制'],
  replicas: ['Replicas', '副本'],
  address: ['Public address', '公网地址'],
  proxy: ['Proxies', '代理'],
  mail: ['Mail', '邮件'],
  sign_in: ['Sign-in', '登录'],
  channels: ['Channels', '渠道'],
  models: ['Models', '模型'],
  accounts: ['Accounts', '账号'],
  ledger: ['Ledger', '账目'],
  backups: ['Backups', '备份'],
  keys: ['Master keys', '主密钥'],
  settings: ['Settings', '设置'],
  database: ['Database', '数据库'],
  doctor: ['Doctor', '诊断'],
} as const satisfies Readonly<Record<string, readonly [english: string, chinese: string]>>

export type CheckName = keyof typeof CHECK_TITLES

export interface Found {
  readonly id: FindingId
  readonly subject?: string
  readonly params?: Readonly<Record<string, string | number>>
}

export type Language = 'english' | 'chinese'

export function checkOf(id: FindingId): CheckName {
  const name = id.slice(0, id.indexOf('.'))
  const check = CHECKS.find((each) => each === name)
  if (check === undefined) throw new Error(`there is no check ${name}`)
  return check
}

const CHECKS = Object.keys(CHECK_TITLES) as readonly CheckName[]

export function checkTitle(check: CheckName, language: Language): string {
  return CHECK_TITLES[check][language === 'chinese' ? 1 : 0]
}

export function findingIn(language: Language, { id, subject = '', params = {} }: Found): Finding {
  const entry: FindingEntry = FINDINGS[id]
  const check = checkOf(id)
  const texts = language === 'chinese' ? entry.chinese : entry
  const filled = (text = ''): string => withParams(text, { ...params, subject })
  return {
    id,
    check,
    title: checkTitle(check, language),
    severity: entry.severity,
    subject,
    finding: filled(texts.finding),
    remedy: filled(texts.remedy),
    link: withParams(entry.link ?? '', encoded({ ...params, subject })),
    params: { ...params },
  }
}

function encoded(params: Readonly<Record<string, string | number>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, encodeURIComponent(value)]))
}
