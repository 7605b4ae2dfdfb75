import { listTokenPauses, releaseTokenPause, type TokenPause } from '@sluice/contract/routes/token-pauses'
import { useQuery } from '@tanstack/react-query'
import { formatDateTime } from '~/lib/format/date.ts'
import { formatQuota, pointsOf } from '~/lib/format/quota.ts'
import { successOf, useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useSystemStatus } from '~/lib/status/system-status.ts'
import { Button } from '~/ui/button.tsx'
import { useChange } from '~/ui/use-change.ts'
import { pauseTexts } from '../texts/pause-texts.ts'

const PAUSES = ['tokens', 'pauses'] as const

/** Pauses that rules of the user's tokens caused, each with a button that releases it; hidden without any. */
export function TokenPauses() {
  const t = useTexts(pauseTexts)
  const call = useCall()
  const { data: pauses = [] } = useQuery({
    queryKey: PAUSES,
    queryFn: async ({ signal }) => successOf(await call(listTokenPauses, { signal })).data,
  })
  if (pauses.length === 0) return null
  return (
    <section aria-label={t.title} className="border-line bg-surface rounded-lg border px-4 py-3">
      <h2 className="text-sm font-semibold">{t.title}</h2>
      <ul className="divide-line mt-1 divide-y">
        {pauses.map((pause) => (
          <PauseRow key={`${pause.token_id} ${pause.rule} ${pause.subject}`} pause={pause} />
        ))}
      </ul>
    </section>
  )
}

function PauseRow({ pause }: { pause: TokenPause }) {
  const t = useTexts(pauseTexts)
  const display = useSystemStatus()
  const release = useRelease()
  const { token_name: name, rule, quota, quota_exact: exact, until } = pause
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2 text-sm">
      <span className="min-w-0 grow wrap-anywhere">
        {rule === 'session' ? t.session(name, formatQuota(pointsOf(quota, exact), display)) : t.loop(name)}
        {until > 0 && <span className="text-muted"> · {t.until(formatDateTime(until / 1_000))}</span>}
      </span>
      <Button size="small" aria-label={t.releaseOf(name)} onClick={() => void release.run(pause)}>
        {t.release}
      </Button>
    </li>
  )
}

function useRelease() {
  const t = useTexts(pauseTexts)
  const call = useCall()
  return useChange({
    send: ({ token_id, rule, subject }: TokenPause) => call(releaseTokenPause, { body: { token_id, rule, subject } }),
    failed: t.releaseFailed,
    done: t.released,
    stale: [PAUSES],
  })
}
