import { useState } from 'react'
import { formatDateTime, formatRelative, isoTime, localZone } from '../lib/format/date.ts'
import { useLocale } from '../lib/i18n/i18n.ts'

/** A moment: relative in the cell, absolute with its zone in the tip. Takes unix seconds. */
export function Time({ at }: { at: number }) {
  const locale = useLocale()
  // Fixed per mount: a clock that ticks in every cell would be noise.
  const [now] = useState(() => Date.now() / 1_000)
  return (
    <time dateTime={isoTime(at)} data-tip={`${formatDateTime(at)} (${localZone()})`}>
      {formatRelative(at, now, locale)}
    </time>
  )
}
