import { type Log, LOG_TYPE } from '@sluice/contract/log'
import { Link } from '@tanstack/react-router'
import { formatDateTime, isoTime, localZone } from '~/lib/format/date.ts'
import { formatCount, formatQuota, pointsOf } from '~/lib/format/quota.ts'
import { formatLatency, latencyBand, type LatencyBand, UNKNOWN } from '~/lib/format/units.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import type { Translation } from '~/lib/i18n/texts.ts'
import { useSystemStatus } from '~/lib/status/system-status.ts'
import { Badge, type Tone } from '~/ui/badge.tsx'
import { ListCard } from '~/ui/table/card-list.tsx'
import { isRequest, logTypeName } from '../model/log-type.ts'
import { rowText } from '../model/receipt/charge.ts'
import { endingText } from '../model/receipt/receipt-text.ts'
import { logTexts, type en as logEn } from '../texts/log-texts.ts'
import { receiptTexts, type en as receiptEn } from '../texts/receipt-texts.ts'

export function hasTrace(row: Log): boolean {
  return row.trace_id.trim() !== ''
}

export function RowTime({ row }: { row: Log }) {
  const t = useTexts(logTexts)
  const time = formatDateTime(row.created_at)
  const shown = (
    <time dateTime={isoTime(row.created_at)} data-tip={localZone()} className="tabular-nums">
      {time}
    </time>
  )
  if (!hasTrace(row)) return shown
  return (
    <Link
      from="/logs"
      search={(previous) => ({ ...previous, id: row.id })}
      resetScroll={false}
      aria-label={t.openTrace(time)}
      className="hover:underline"
    >
      {shown}
    </Link>
  )
}

export function LogCard({ row }: { row: Log }) {
  const t = useTexts(logTexts)
  return (
    <ListCard
      title={row.model_name || row.content || row.username}
      badge={<TypeBadge type={row.type} />}
      details={
        <>
          <RowTime row={row} />
          <Quota row={row} />
          {isRequest(row.type) && (
            <span>
              {t.tokensIn(formatCount(row.prompt_tokens))} · {t.tokensOut(formatCount(row.completion_tokens))}
            </span>
          )}
        </>
      }
      menu={
        isRequest(row.type) && (
          <span className="me-1.5">
            <Latency row={row} />
          </span>
        )
      }
    />
  )
}

export const LATENCY_TONES = { fast: 'good', normal: 'warn', slow: 'bad' } as const satisfies Record<
  LatencyBand,
  string
>

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

/** Six decimals, because single requests cost little; the raw points are in the tooltip. */
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

export function Remark({ row }: { row: Pick<Log, 'content' | 'metadata'> }) {
  const remark = rowRemark(row, { ...useTexts(receiptTexts), ...useTexts(logTexts) })
  return remark === '' ? <Nothing /> : <span data-tip={remark}>{remark}</span>
}

export function Nothing() {
  return (
    <span aria-hidden="true" className="text-muted">
      –
    </span>
  )
}

export function Channel({ row }: { row: Pick<Log, 'channel' | 'channel_name'> }) {
  if (row.channel === 0) return <Nothing />
  return <span data-tip={`${row.channel_name} #${row.channel}`}>{row.channel_name || `#${row.channel}`}</span>
}

type Texts = Pick<Translation<typeof logEn>, 'countedHere'> &
  Pick<Translation<typeof receiptEn>, 'endings' | 'notCharged'>

/**
 * What sets the row apart: an incomplete answer, what was not sent to the provider, or the row's own words. Empty for an ordinary
 * charge, whose price is in the row's panel.
 */
export function rowRemark({ content, metadata }: Pick<Log, 'content' | 'metadata'>, t: Texts): string {
  const { isPrice, text, losses } = rowText(content)
  const { ended = '', usage_estimated } = metadata
  return [
    ...(ended === '' || ended === 'complete' ? [] : [endingText(ended, t)]),
    ...(isPrice ? losses : [text]),
    ...(usage_estimated === true ? [t.countedHere] : []),
  ]
    .filter((part) => part !== '')
    .join(' · ')
}
