import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ReplyFigures as Figures } from '~/features/playground/model/message.ts'
import { threadTexts } from '~/features/playground/texts/thread-texts.ts'
import { formatCount, formatQuota, type QuotaDisplay } from '~/lib/format/quota.ts'
import { formatLatency } from '~/lib/format/units.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useSystemStatus } from '~/lib/status/system-status.ts'

interface ReplyFiguresProps {
  readonly model: string
  readonly figures: Figures | undefined
}

/** Leaves out unknown figures. The cost links to its receipt in the logs. */
export function ReplyFigures({ model, figures }: ReplyFiguresProps) {
  const t = useTexts(threadTexts)
  return (
    <ul
      aria-label={t.figures}
      className="text-muted flex min-w-0 flex-wrap items-center gap-x-3 text-xs leading-6 tabular-nums"
    >
      {model !== '' && <li className="text-ink/80 max-w-full truncate font-medium">{model}</li>}
      {figures !== undefined && <Measured figures={figures} />}
    </ul>
  )
}

function Measured({ figures }: { figures: Figures }) {
  const t = useTexts(threadTexts)
  const { firstTokenMs, totalMs, promptTokens, completionTokens, cost, requestId, finish } = figures
  const speed = tokensPerSecond(figures)
  return (
    <>
      {finish === 'length' && (
        <li data-tip={t.cutOffTip} className="text-warn font-medium">
          {t.cutOff}
        </li>
      )}
      {firstTokenMs !== undefined && (
        <Figure tip={t.total(formatLatency(totalMs))}>{t.firstToken(formatLatency(firstTokenMs))}</Figure>
      )}
      {speed !== undefined && (
        <Figure>{t.speed(speed < 10 ? speed.toFixed(1) : formatCount(Math.round(speed)))}</Figure>
      )}
      {promptTokens !== undefined && completionTokens !== undefined && (
        <Figure>{t.tokens(formatCount(promptTokens), formatCount(completionTokens))}</Figure>
      )}
      {cost !== undefined && requestId !== '' && <Cost points={cost} requestId={requestId} />}
    </>
  )
}

function Figure({ tip, children }: { tip?: string; children: ReactNode }) {
  return (
    <li data-tip={tip} className="whitespace-nowrap">
      {children}
    </li>
  )
}

function Cost({ points, requestId }: { points: string; requestId: string }) {
  const t = useTexts(threadTexts)
  const amount = formatCost(points, useSystemStatus())
  return (
    <li>
      <Link
        to="/logs"
        search={{ keyword: requestId }}
        aria-label={t.cost(amount)}
        data-tip={`${t.cost(amount)}\n${t.points(points)}`}
        className="hover:text-accent inline-flex min-h-6 items-center whitespace-nowrap underline decoration-dotted underline-offset-4"
      >
        {amount}
      </Link>
    </li>
  )
}

/** In milliseconds. The speed of a shorter stream would say more about the network's packets than about the model. */
const SHORTEST_STREAM_MS = 100

/** From the reply's first text to its end; undefined while tokens or times are unknown. */
export function tokensPerSecond({ completionTokens, firstTokenMs, totalMs }: Figures): number | undefined {
  if (completionTokens === undefined || firstTokenMs === undefined) return undefined
  const streamed = totalMs - firstTokenMs
  return streamed < SHORTEST_STREAM_MS ? undefined : (completionTokens / streamed) * 1_000
}

/** As the settings display it: money with six decimals, or quota points. A charge never reads as zero. */
export function formatCost(points: string, display: QuotaDisplay): string {
  const quota = Number(points)
  const smallest = display.quota_per_unit / 1_000_000
  if (display.display_in_currency && quota > 0 && quota < smallest) return `<${formatQuota(smallest, display, 6)}`
  return formatQuota(quota, display, 6)
}
