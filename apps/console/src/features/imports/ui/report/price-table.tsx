import type { ImportReport } from '@sluice/contract/import'
import { importTexts } from '~/features/imports/texts/import-texts.ts'
import { formatCount } from '~/lib/format/quota.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { PlainTable } from './plain-table.tsx'

type Differing = ImportReport['prices'][number]

/** Models whose price differs from the price book. */
export function PriceTable({ prices }: { prices: readonly Differing[] }) {
  const t = useTexts(importTexts).prices
  return (
    <PlainTable
      label={t.model}
      columns={[
        {
          id: 'model',
          header: t.model,
          names: true,
          cell: ({ model }) => <span className="font-medium wrap-anywhere">{model}</span>,
        },
        { id: 'theirs', header: t.theirs, isNumber: true, cell: ({ theirs }) => <Price price={theirs} /> },
        {
          id: 'ours',
          header: t.ours,
          isNumber: true,
          cell: ({ ours }) => (ours === null ? t.none : <Price price={ours} />),
        },
        { id: 'difference', header: t.difference, isNumber: true, cell: ({ difference }) => signedPercent(difference) },
      ]}
      rows={prices}
      rowId={({ model }) => model}
    />
  )
}

function Price({ price }: { price: Differing['theirs'] }) {
  const t = useTexts(importTexts).prices
  if (price.per_call !== null) return t.perCall(dollars(price.per_call))
  return [price.input, price.cached_input, price.output]
    .map((each) => (each === null ? '–' : dollars(each)))
    .join(' / ')
}

const AMOUNTS = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 6 })
const dollars = (amount: number) => `$${AMOUNTS.format(amount)}`

function signedPercent(difference: number | null): string {
  if (difference === null) return '–'
  const percent = Math.round(difference * 1_000) / 10
  return `${percent > 0 ? '+' : ''}${formatCount(percent)} %`
}
