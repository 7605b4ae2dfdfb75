import { forgetChannelHealth } from '@sluice/contract/routes/routing'
import type { ChannelHealth, LaneHealth } from '@sluice/contract/routing'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { CHANNEL_HEALTH, channelHealthQuery } from '~/features/channels/calls.ts'
import { LANE_TONES, shareText } from '~/features/channels/model/channel-health.ts'
import { channelRoutingTexts } from '~/features/channels/texts/routing-texts.ts'
import { formatDateTime, timeOf } from '~/lib/format/date.ts'
import { formatCount } from '~/lib/format/quota.ts'
import { formatLatency } from '~/lib/format/units.ts'
import { useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Badge } from '~/ui/badge.tsx'
import { Button } from '~/ui/button.tsx'
import { LoadFailure } from '~/ui/load-failure.tsx'
import { Panel } from '~/ui/panel.tsx'
import { Skeleton } from '~/ui/skeleton.tsx'
import { useChange } from '~/ui/use-change.ts'
import { useConditionText, LOOK_AGAIN_MS } from './health-badge.tsx'

interface HealthPanelProps {
  readonly id: number
  /** Undefined when the channel is not on the page. */
  readonly name: string | undefined
  readonly onClose: () => void
}

export function HealthPanel({ id, name, onClose }: HealthPanelProps) {
  const t = useTexts(channelRoutingTexts)
  const text = useConditionText(timeOf)
  const query = useQuery({ ...channelHealthQuery(useCall(), id), refetchInterval: LOOK_AGAIN_MS })
  const [health] = query.data ?? []
  const label = name ?? health?.channel_name ?? `#${id}`
  return (
    <Panel
      title={t.healthOf(label)}
      subtitle={<span role="status">{health === undefined ? `#${id}` : text(health)}</span>}
      onClose={onClose}
      footer={<ForgetButton id={id} name={label} />}
    >
      {query.isPending && <Skeleton className="h-32 w-full" />}
      <LoadFailure query={query} text={t.healthFailed} />
      {query.data !== undefined && health === undefined && <p className="text-muted text-sm">{t.noCallsHint}</p>}
      {health !== undefined && <Lanes health={health} />}
    </Panel>
  )
}

function ForgetButton({ id, name }: { id: number; name: string }) {
  const t = useTexts(channelRoutingTexts)
  const call = useCall()
  const forget = useChange({
    send: () => call(forgetChannelHealth, { params: { id } }),
    failed: t.forgetFailed,
    done: () => ({ title: t.forgotten, text: t.forgottenText(name) }),
    stale: [CHANNEL_HEALTH],
  })
  return (
    <Button busy={forget.busy} data-tip={t.forgetHint} onClick={() => void forget.run()}>
      {t.forget}
    </Button>
  )
}

function Lanes({ health }: { health: ChannelHealth }) {
  const t = useTexts(channelRoutingTexts)
  const titleId = useId()
  const more = health.lane_count - health.lanes.length
  return (
    <section aria-labelledby={titleId} className="flex flex-col gap-3">
      <h3 id={titleId} className="font-semibold">
        {t.ways}
      </h3>
      <ul className="divide-line flex flex-col divide-y">
        {health.lanes.map((lane) => (
          <Lane key={`${lane.fingerprint} ${lane.model}`} lane={lane} />
        ))}
      </ul>
      {more > 0 && <p className="text-muted text-xs">{t.more(formatCount(more))}</p>}
      <p className="text-muted text-xs">{t.asSeen}</p>
    </section>
  )
}

function Lane({ lane }: { lane: LaneHealth }) {
  const t = useTexts(channelRoutingTexts)
  const {
    key,
    keys,
    model,
    standing,
    worth,
    cause,
    until,
    failure_rate,
    first_byte_ms,
    open,
    answered,
    failed,
    windows = [],
  } = lane
  const state =
    standing === 'resting'
      ? t.restUntil(timeOf(until ?? 0))
      : standing === 'probe'
        ? t.probe
        : worth < FULL_WORTH
          ? t.trusted(shareText(worth))
          : t.ready
  const note = standing === 'probe' ? t.probeHint : cause === undefined ? undefined : t.restCause[cause]
  const facts = [
    failure_rate === 0 ? '' : t.failures(shareText(failure_rate)),
    first_byte_ms === undefined ? '' : t.firstByte(formatLatency(first_byte_ms)),
    open === 0 ? '' : t.open(formatCount(open)),
    answered + failed === 0 ? '' : t.calls(formatCount(answered), formatCount(failed)),
    ...windows.map(({ name, used, resets_at }) => t.window(name, shareText(used), formatDateTime(resets_at / 1_000))),
  ].filter(Boolean)
  return (
    <li className="flex flex-col gap-1 py-2.5 text-sm first:pt-0">
      <span className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <span className="min-w-0 font-medium wrap-anywhere">
          {model}
          {keys !== 1 && (
            <span className="text-muted font-normal">
              {' '}
              · {keys === 0 ? t.callersKeys : t.key(String(key), String(keys))}
            </span>
          )}
        </span>
        <Badge tone={standing === 'ready' && worth < FULL_WORTH ? 'warn' : LANE_TONES[standing]}>{state}</Badge>
      </span>
      {note !== undefined && <span>{note}</span>}
      {facts.length > 0 && <span className="text-muted text-xs tabular-nums">{facts.join(' · ')}</span>}
    </li>
  )
}

/** At this score, a lane takes practically the full share of its weight. */
const FULL_WORTH = 0.95
