import type { Log, Trace } from '@sluice/contract/log'
import { Link } from '@tanstack/react-router'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { AttemptList } from '~/ui/routing/attempt-list.tsx'
import { RoutingPath } from '~/ui/routing/routing-path.tsx'
import { timeline } from '../model/request/timeline.ts'
import { logTexts } from '../texts/log-texts.ts'
import { PanelSection } from './trace-details.tsx'

export function RoutingAndAttempts({ trace, row }: { trace: Trace; row: Log | undefined }) {
  const { routing, attempts } = trace
  const isShown = attempts.length > 1 || attempts.some(({ rest }) => rest !== undefined)
  return (
    <>
      {routing !== undefined && <Why routing={routing} url={trace.url} row={row} />}
      {isShown && <Attempts trace={trace} />}
    </>
  )
}

interface WhyProps {
  readonly routing: NonNullable<Trace['routing']>
  readonly url: string
  readonly row: Log | undefined
}

function Why({ routing, url, row }: WhyProps) {
  const t = useTexts(logTexts)
  const model = row?.origin_model_name || row?.model_name
  return (
    <PanelSection title={t.why}>
      <RoutingPath
        decision={routing}
        nameOf={({ channel, channel_name }) => (
          <Link to="/channels/edit/$id" params={{ id: channel }} className="text-accent hover:underline">
            {channel_name || t.noName}
          </Link>
        )}
      />
      {row !== undefined && model !== undefined && (
        <p className="mt-3 text-sm">
          <Link
            to="/channels/explain"
            search={{ model, user: row.user_id, path: url }}
            className="text-accent hover:underline"
          >
            {t.whyNow}
          </Link>
        </p>
      )}
    </PanelSection>
  )
}

function Attempts({ trace }: { trace: Trace }) {
  const t = useTexts(logTexts)
  return (
    <PanelSection title={t.attempts}>
      <AttemptList attempts={trace.attempts} span={timeline(trace).span} />
    </PanelSection>
  )
}
