import { useState } from 'react'
import { formatDateTime, formatRelative, isoTime, localZone } from '../lib/format/date.ts'
import { useLocale } from '../lib/i18n/i18n.ts'

/** Relative in the cell, absolute with its zone in the tooltip. Takes unix seconds. */
export function Time({ at }: { at: number }) {
  const locale = useLocale()
  // Fixed per mount, because a ticking clock in every cell would be distracting.
  const [now] = useState(() => Date.now() / 1_000)
  return (
    <time dateTime={isoTime(at)} data-tip={`${formatDateTime(at)} (${localZone()})`}>
      {formatRelative(at, now, locale)}
    </time>
  )
}
