import type { Receipt as ReceiptData, Calculation } from '@sluice/contract/receipt'
import type { ReactNode } from 'react'
import { useIsBelow } from '~/lib/dom/use-media.ts'
import { formatDateTime } from '~/lib/format/date.ts'
import { formatCount, formatQuota } from '~/lib/format/quota.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useSystemStatus } from '~/lib/status/system-status.ts'
import { CopyButton, CopyText } from '~/ui/copy-button.tsx'
import { Fact } from '~/ui/fact.tsx'
import { Notice } from '~/ui/notice.tsx'
import {
  formatExact,
  priceName,
  priceNotes,
  furtherMovements,
  readableUsage,
  settlementsOf,
  endingText,
  movementName,
  receiptText,
  isStep,
} from '../model/receipt/receipt-text.ts'
import { receiptTexts } from '../texts/receipt-texts.ts'
import { RefundButton } from './refund-button.tsx'
import { COPIED_MS, PanelSection } from './trace-details.tsx'

interface ReceiptProps {
  readonly receipt: ReceiptData
}

export function Receipt({ receipt }: ReceiptProps) {
  const t = useTexts(receiptTexts)
  const display = useSystemStatus()
  const settlements = settlementsOf(receipt)
  return (
    <PanelSection title={t.title}>
      <div className="flex flex-col gap-3">
        {receipt.fault !== '' && <Notice tone="bad">{t.fault(t.faults[receipt.fault])}</Notice>}
        {receipt.missing.map((row) => (
          <Notice key={row} tone="info">
            {t.missing[row]}
          </Notice>
        ))}
        {settlements.map(({ kind, calculation }, at) => (
          <div key={kind}>
            {settlements.length > 1 && <h4 className="text-sm font-medium">{at === 0 ? t.first : t.corrected}</h4>}
            <CalculationTable
              title={at === 0 ? t.first : t.corrected}
              calculation={calculation}
              concludes={settlements.length > 1}
            />
          </div>
        ))}
        <Paid receipt={receipt} />
        <Grounds receipt={receipt} />
        <UpstreamUsage text={receipt.usage.upstream} />
        <p className="text-muted text-xs">
          {t.how} {display.display_in_currency && t.pointsPerDollar(formatCount(display.quota_per_unit))}
        </p>
        <div className="flex flex-wrap gap-2">
          <CopyButton wide text={receiptText(receipt, t)} label={t.copy} />
          <RefundButton receipt={receipt} />
        </div>
      </div>
    </PanelSection>
  )
}

/** Further movements of money, if there was more than the one charge, and what was paid in the end. */
function Paid({ receipt }: ReceiptProps) {
  const t = useTexts(receiptTexts)
  const display = useSystemStatus()
  const movements = furtherMovements(receipt)
  return (
    <dl className="border-line flex flex-col gap-1 border-t pt-2 text-sm tabular-nums">
      {movements.map(({ kind, at, amount, reason, actor_name }, index) => (
        <div key={index} className="grid grid-cols-[1fr_auto] gap-x-3">
          <dt>
            {movementName(kind, t)}
            <span className="text-muted block text-xs wrap-anywhere">
              {[
                formatDateTime(at / 1_000),
                actor_name === '' ? '' : t.refundedBy(actor_name),
                kind === 'admin-refund' ? reason : '',
              ]
                .filter((part) => part !== '')
                .join(' · ')}
            </span>
          </dt>
          <dd className="text-right">{formatExact(amount)}</dd>
        </div>
      ))}
      <div className="grid grid-cols-[1fr_auto] gap-x-3 font-semibold">
        <dt>{movements.length === 0 ? t.charged : t.paid}</dt>
        <dd className="text-right">
          {formatQuota(Number(receipt.net), display, 6)}
          <span className="text-muted block text-xs font-normal">{t.pointsOf(formatExact(receipt.net))}</span>
        </dd>
      </div>
    </dl>
  )
}

function Grounds({ receipt }: ReceiptProps) {
  const t = useTexts(receiptTexts)
  const { group, held, usage, ended, request_id } = receipt
  const calculation = settlementsOf(receipt).at(-1)?.calculation
  return (
    <dl className="grid grid-cols-[6.5rem_minmax(0,1fr)] gap-x-3 gap-y-1.5 text-sm">
      {group !== '' && <Fact name={t.group}>{group}</Fact>}
      {calculation !== undefined && (
        <Fact name={t.price}>
          {priceName(calculation.source, t)}
          <span className="text-muted block text-xs">
            {[...priceNotes(calculation.source, t), t.priceId(calculation.price_id)].join(' · ')}
          </span>
        </Fact>
      )}
      {held !== '' && <Fact name={t.held}>{t.heldAmount(formatExact(held))}</Fact>}
      <Fact name={t.usage}>{usage.estimated ? t.usageCounted : t.usageReported}</Fact>
      {usage.reasoning_tokens > 0 && (
        <Fact name={t.reasoning}>{t.reasoningTokens(formatCount(usage.reasoning_tokens))}</Fact>
      )}
      {ended !== '' && <Fact name={t.ended}>{endingText(ended, t)}</Fact>}
      <Fact name={t.requestId}>
        <CopyText text={request_id} label={t.copyRequestId} shownFor={COPIED_MS} />
      </Fact>
    </dl>
  )
}

function UpstreamUsage({ text }: { text: string }) {
  const t = useTexts(receiptTexts)
  if (text === '') return null
  return (
    <details className="border-line rounded-md border text-sm">
      <summary className="cursor-pointer px-3 py-1.5 select-none">{t.upstreamUsage}</summary>
      <div className="border-line flex items-start justify-between gap-2 border-t py-2 pr-2 pl-3">
        <pre className="min-w-0 font-mono text-xs whitespace-pre-wrap wrap-anywhere">{readableUsage(text)}</pre>
        <CopyButton text={text} label={t.copyUsage} />
      </div>
    </details>
  )
}

interface CalculationTableProps {
  readonly title: string
  readonly calculation: Calculation
  /** Whether the result gets its own line, because the amount paid does not follow directly from it. */
  readonly concludes: boolean
}

function CalculationTable({ title, calculation, concludes }: CalculationTableProps) {
  const t = useTexts(receiptTexts)
  const isNarrow = useIsBelow('tablet')
  const { lines, list, group_ratio, exact, total } = calculation
  return (
    <table className="w-full text-sm tabular-nums" aria-label={title}>
      <thead className="sr-only">
        <tr>
          <th scope="col">{isNarrow ? `${t.class}, ${t.calculation}` : t.class}</th>
          {!isNarrow && <th scope="col">{t.calculation}</th>}
          <th scope="col">{t.points}</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <Step
            key={line.class}
            name={t.classes[line.class]}
            how={`${formatExact(String(line.count))} × ${formatExact(line.rate)}`}
            amount={line.amount}
          />
        ))}
      </tbody>
      <tbody className="border-line border-t">
        {lines.length !== 1 && <Step name={t.listPrice} amount={list} />}
        <Step name={t.groupRatio} how={`× ${group_ratio}`} amount={exact} />
        {isStep(exact, total) && <Step name={t.roundedUp} amount={total} />}
        {concludes && <Step name={t.costs} amount={total} strong />}
      </tbody>
    </table>
  )
}

interface StepProps {
  readonly name: string
  readonly how?: ReactNode
  /** Exact decimal text. */
  readonly amount: string
  readonly strong?: boolean
}

/** On phones the amount is below the name, so that no number has to break. */
function Step({ name, how, amount, strong = false }: StepProps) {
  const isNarrow = useIsBelow('tablet')
  return (
    <tr className={strong ? 'font-semibold' : 'align-baseline'}>
      <th scope="row" className={strong ? 'py-1 text-left' : 'text-muted py-0.5 text-left font-normal'}>
        {name}
        {isNarrow && how !== undefined && <span className="block text-xs">{how}</span>}
      </th>
      {!isNarrow && <td className="text-muted px-2 py-0.5 text-right text-xs">{how}</td>}
      <td className="py-0.5 text-right whitespace-nowrap">{formatExact(amount)}</td>
    </tr>
  )
}
