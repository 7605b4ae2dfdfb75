import type { Log } from '@sluice/contract/log'
import { Link } from '@tanstack/react-router'
import { formatDateTime, isoTime, localZone } from '~/lib/format/date.ts'
import { formatCount } from '~/lib/format/quota.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { ListCard } from '~/ui/table/card-list.tsx'
import { isRequest } from '../model/log-type.ts'
import { logTexts } from '../texts/log-texts.ts'
import { Latency, Quota, TypeBadge } from './log-cells.tsx'

export function hasTrace(row: Log): boolean {
  return row.trace_id.trim() !== ''
}

/** When it happened, to the second; linked to its trace if it has one. */
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

/** One row on a phone: what, when and how much. */
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
