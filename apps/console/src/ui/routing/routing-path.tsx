import type { ConsideredLane, RoutingDecision } from '@sluice/contract/routing'
import { type ReactNode, useId } from 'react'
import { timeOf } from '~/lib/format/date.ts'
import { formatOrder } from '~/lib/format/units.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { routingTexts } from './texts/routing-texts.ts'

interface RoutingPathProps {
  readonly decision: RoutingDecision
  readonly nameOf: (lane: ConsideredLane) => ReactNode
}

/** How the order was determined, which lanes are tried in that order, and which were left out and why. */
export function RoutingPath({ decision, nameOf }: RoutingPathProps) {
  const t = useTexts(routingTexts)
  const tried = decision.lanes.filter(({ order }) => order > 0)
  const left = decision.lanes.filter(({ order }) => order === 0)
  const { more = 0 } = decision
  const isMixed = new Set(decision.lanes.map(({ model }) => model)).size > 1
  const isWeighed = decision.lanes.some(({ weight }) => weight > 0)
  const row = (lane: ConsideredLane, index: number) => (
    <Lane key={index} lane={lane} name={nameOf(lane)} showModel={isMixed} showWeight={isWeighed} />
  )
  return (
    <div className="flex flex-col gap-3 text-sm">
      <p className="text-muted">{tried.length === 0 ? t.nobody : t.by[decision.by]}</p>
      {decision.groups !== undefined && <p className="wrap-anywhere">{t.groups(formatOrder(decision.groups))}</p>}
      {tried.length > 0 && (
        <Part title={t.order}>
          <ol className="flex list-decimal flex-col gap-1.5 ps-5 marker:tabular-nums">{tried.map(row)}</ol>
        </Part>
      )}
      {(left.length > 0 || more > 0) && (
        <Part title={t.leftOut}>
          {left.length > 0 && (
            <ul className="marker:text-muted flex list-disc flex-col gap-1.5 ps-5">{left.map(row)}</ul>
          )}
          {more > 0 && <p className="text-muted mt-1.5 text-xs">{t.more(String(more))}</p>}
        </Part>
      )}
    </div>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  const titleId = useId()
  return (
    <div role="group" aria-labelledby={titleId}>
      <p id={titleId} className="mb-1 font-medium">
        {title}
      </p>
      {children}
    </div>
  )
}

interface LaneProps {
  readonly lane: ConsideredLane
  readonly name: ReactNode
  readonly showModel: boolean
  readonly showWeight: boolean
}

function Lane({ lane, name, showModel, showWeight }: LaneProps) {
  const t = useTexts(routingTexts)
  const { channel, group, key, keys, model, priority, weight } = lane
  const facts = [
    keys > 1 ? t.keyOf(String(key), String(keys)) : '',
    group === undefined ? '' : t.forGroup(group),
    showModel ? t.forModel(model) : '',
    t.priority(String(priority)),
    showWeight ? t.weight(String(weight)) : '',
  ]
  const note = useNote(lane)
  return (
    <li className="wrap-anywhere">
      {name} <span className="text-muted">#{channel}</span>
      <span className="text-muted block text-xs tabular-nums">{facts.filter(Boolean).join(' · ')}</span>
      {note !== undefined && <span className="block text-xs">{note}</span>}
    </li>
  )
}

/** Why a lane was left out, or what counts against a lane that is tried nevertheless. */
function useNote({ excluded, until }: ConsideredLane): string | undefined {
  const t = useTexts(routingTexts)
  const time = until === undefined ? undefined : timeOf(until)
  if (excluded === undefined) return time === undefined ? undefined : t.lastResort(time)
  return time === undefined ? t.excluded[excluded] : t.until(t.excluded[excluded], time)
}
