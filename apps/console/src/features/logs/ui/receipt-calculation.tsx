import type { Calculation } from '@sluice/contract/receipt'
import type { ReactNode } from 'react'
import { useIsBelow } from '~/lib/dom/use-media.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { formatExact } from '../model/receipt/exact.ts'
import { isStep } from '../model/receipt/receipt-steps.ts'
import { receiptTexts } from '../texts/receipt-texts.ts'

interface CalculationTableProps {
  readonly title: string
  readonly calculation: Calculation
  /** Whether the result gets a line of its own, when the amount paid does not follow from it directly. */
  readonly concludes: boolean
}

/** What a request costs, step by step, so that it can be redone by hand. */
export function CalculationTable({ title, calculation, concludes }: CalculationTableProps) {
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
