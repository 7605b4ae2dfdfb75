import { type Log, LOG_TYPE } from '@sluice/contract/log'
import { formatLatency, latencyBand } from '~/lib/format/latency.ts'
import { formatCount, formatQuota, pointsOf } from '~/lib/format/quota.ts'
import { UNKNOWN } from '~/lib/format/unknown.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useSystemStatus } from '~/lib/status/system-status.ts'
import { Badge, type Tone } from '~/ui/badge.tsx'
import { isRequest, logTypeName } from '../model/log-type.ts'
import { LATENCY_TONES } from '../model/request/latency-tone.ts'
import { rowRemark } from '../model/row-remark.ts'
import { logTexts } from '../texts/log-texts.ts'
import { receiptTexts } from '../texts/receipt-texts.ts'

/** Name of a row's type in the visitor's language. */
export function useTypeName(): (type: number) => string {
  const t = useTexts(logTexts)
  return (type) => {
    const name = logTypeName(type)
    if (name !== undefined) return t.types[name]
    return Number.isNaN(type) ? UNKNOWN : t.unknownType(type)
  }
}

const TYPE_TONES: Readonly<Record<number, Tone>> = { [LOG_TYPE.topup]: 'good', [LOG_TYPE.management]: 'warn' }

export function TypeBadge({ type }: { type: number }) {
  const typeName = useTypeName()
  return <Badge tone={TYPE_TONES[type] ?? 'neutral'}>{typeName(type)}</Badge>
}

/** Green, yellow or red, with a shape and a word that say the same. */
export function Latency({ row }: { row: Pick<Log, 'type' | 'elapsed_time'> }) {
  const t = useTexts(logTexts)
  if (!isRequest(row.type)) return <Nothing />
  const band = latencyBand(row.elapsed_time)
  return (
    <span data-tip={t.bands[band]} className="relative">
      <Badge tone={LATENCY_TONES[band]}>{formatLatency(row.elapsed_time)}</Badge>
      <span className="text-muted text-xs max-xl:sr-only"> {t.bands[band]}</span>
    </span>
  )
}

/** What the row moved: six decimals, because single requests cost little, and the raw points in the tooltip. */
export function Quota({ row }: { row: Pick<Log, 'type' | 'quota' | 'quota_exact'> }) {
  const t = useTexts(logTexts)
  const display = useSystemStatus()
  const quota = pointsOf(row.quota, row.quota_exact)
  if (quota === 0 && !isRequest(row.type)) return <Nothing />
  return <span data-tip={t.points(formatCount(quota))}>{formatQuota(quota, display, 6)}</span>
}

export function Tokens({ row, count }: { row: Pick<Log, 'type'>; count: number }) {
  return isRequest(row.type) ? formatCount(count) : <Nothing />
}

/** What differs from row to row. */
export function Remark({ row }: { row: Pick<Log, 'content' | 'metadata'> }) {
  const remark = rowRemark(row, { ...useTexts(receiptTexts), ...useTexts(logTexts) })
  return remark === '' ? <Nothing /> : <span data-tip={remark}>{remark}</span>
}

/** Shown where a row has no such value. */
export function Nothing() {
  return (
    <span aria-hidden="true" className="text-muted">
      –
    </span>
  )
}

/** The channel by name, its id in the tooltip; without a name the id alone. */
export function Channel({ row }: { row: Pick<Log, 'channel' | 'channel_name'> }) {
  if (row.channel === 0) return <Nothing />
  return <span data-tip={`${row.channel_name} #${row.channel}`}>{row.channel_name || `#${row.channel}`}</span>
}
