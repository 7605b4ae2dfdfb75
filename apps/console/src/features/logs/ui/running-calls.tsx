import {
  runningCall,
  type RunningCallOnWire,
  stopOwnRunningCall,
  stopRunningCall,
} from '@sluice/contract/routes/running-calls'
import { useEffect, useState } from 'react'
import * as v from 'valibot'
import { formatCount, formatQuota, pointsOf } from '~/lib/format/quota.ts'
import { useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { BASE_PATH } from '~/lib/navigation/base-path.ts'
import { useSystemStatus } from '~/lib/status/system-status.ts'
import { Button } from '~/ui/button.tsx'
import { useChange } from '~/ui/use-change.ts'
import { runningTexts } from '../texts/running-texts.ts'

/** Older gateways do not send their clock. */
const event = v.pipe(v.string(), v.parseJson(), v.object({ data: v.array(runningCall), now: v.optional(v.number()) }))

export function RunningCalls({ seesAll }: { seesAll: boolean }) {
  const t = useTexts(runningTexts)
  const { calls, aheadMs, isLost } = useRunningCalls(seesAll)
  const now = useClock((calls?.length ?? 0) > 0) - aheadMs
  if (calls === undefined) return null
  return (
    <section aria-label={t.title} className="border-line bg-surface rounded-lg border px-4 py-3">
      <h2 className="text-sm font-semibold">{t.title}</h2>
      {isLost && <p className="text-muted mt-1 text-sm">{t.lost}</p>}
      {calls.length === 0 ? (
        <p className="text-muted mt-1 text-sm">{t.none}</p>
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a list that scrolls must be reachable by keyboard
        <ul tabIndex={0} aria-label={t.title} className="divide-line mt-2 max-h-72 divide-y overflow-y-auto">
          {calls.map((call) => (
            <RunningRow key={call.request_id} call={call} now={now} seesAll={seesAll} />
          ))}
        </ul>
      )}
    </section>
  )
}

interface RowProps {
  readonly call: RunningCallOnWire
  /** By the gateway's clock, unix milliseconds. */
  readonly now: number
  readonly seesAll: boolean
}

function RunningRow({ call, now, seesAll }: RowProps) {
  const t = useTexts(runningTexts)
  const display = useSystemStatus()
  const stop = useStop(seesAll)
  const where = [seesAll && call.username, call.token_name, call.channel_name].filter(Boolean).join(' · ')
  const seconds = Math.max(0, Math.floor((now - call.started) / 1_000))
  const isAnswering = call.stage === 'streaming' && call.tokens > 0
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2 text-sm">
      <span className="min-w-0 grow wrap-anywhere">
        <span className="font-medium">{call.model_name}</span> <span className="text-muted">{where}</span>
      </span>
      <span className="text-muted tabular-nums">
        {t.stage[call.stage]} · {t.since(formatCount(seconds))}
        {isAnswering && ` · ${t.tokens(formatCount(call.tokens))}`}
        {isAnswering && ` · ${t.cost(formatQuota(pointsOf(call.quota, call.quota_exact), display, 6))}`}
      </span>
      <Button
        size="small"
        variant="danger"
        busy={stop.busy}
        aria-label={t.stopOf(call.model_name, call.username)}
        onClick={() => void stop.run(call.request_id)}
      >
        {t.stop}
      </Button>
    </li>
  )
}

function useStop(seesAll: boolean) {
  const t = useTexts(runningTexts)
  const call = useCall()
  return useChange({
    send: (id: string) => call(seesAll ? stopRunningCall : stopOwnRunningCall, { body: { request_id: id } }),
    failed: t.stopFailed,
    done: t.stopped,
  })
}

interface Followed {
  /** Undefined before the first event. */
  readonly calls: readonly RunningCallOnWire[] | undefined
  /** How far this machine's clock is ahead of the gateway's. */
  readonly aheadMs: number
  readonly isLost: boolean
}

function useRunningCalls(seesAll: boolean): Followed {
  const [followed, setFollowed] = useState<Followed>({ calls: undefined, aheadMs: 0, isLost: false })
  useEffect(() => {
    const source = new EventSource(BASE_PATH + (seesAll ? '/api/log/in-flight' : '/api/log/self/in-flight'))
    source.addEventListener('message', ({ data }) => {
      const read = v.safeParse(event, data)
      if (!read.success) return
      const { data: calls, now = Date.now() } = read.output
      setFollowed({ calls, aheadMs: Date.now() - now, isLost: false })
    })
    source.addEventListener('end', () => {
      source.close()
      setFollowed({ calls: [], aheadMs: 0, isLost: true })
    })
    return () => source.close()
  }, [seesAll])
  return followed
}

/** Read again each second while something runs, because nothing else updates the list while an answer is awaited. */
function useClock(isRunning: boolean): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (!isRunning) return
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [isRunning])
  return now
}
