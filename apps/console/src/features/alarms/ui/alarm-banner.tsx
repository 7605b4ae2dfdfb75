import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { alarmBannerQuery, LOOK_MS } from '../calls.ts'
import { alarmTexts } from '../texts/alarm-texts.ts'

/** Shown while something needs attention. A failed request hides it until the next one. */
export function AlarmBanner() {
  const t = useTexts(alarmTexts)
  const call = useCall()
  const onList = useLocation({ select: ({ pathname }) => pathname === '/alarms' })
  const query = useQuery({ ...alarmBannerQuery(call), refetchInterval: LOOK_MS })
  const total = query.data?.total ?? 0
  if (total === 0 || onList) return null
  return (
    <div
      role="status"
      className="bg-warn-soft text-warn flex flex-wrap items-center justify-center gap-x-3 px-4 py-1.5 text-sm"
    >
      {total === 1 ? t.banner.one : t.banner.many(String(total))}
      <Link to="/alarms" className="font-medium underline">
        {t.show}
      </Link>
    </div>
  )
}
