import type { ImportReport } from '@sluice/contract/import'
import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { type Compared, comparedSums, groupedDigits } from '~/features/imports/model/comparison.ts'
import { importTexts } from '~/features/imports/texts/import-texts.ts'
import { formatCount, formatQuota } from '~/lib/format/quota.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useSystemStatus } from '~/lib/status/system-status.ts'
import { CopyButton } from '~/ui/copy-button.tsx'
import { CheckIcon, WarningIcon } from '~/ui/icon.tsx'

export function SumTable({ report }: { report: ImportReport }) {
  const t = useTexts(importTexts)
  const { before, after, balances_now: now } = report
  const what: PlainColumn<Compared> = {
    id: 'what',
    header: t.totals.what,
    names: true,
    cell: (sum) => t.totals[sum.what],
  }
  const there: PlainColumn<Compared> = {
    id: 'there',
    header: t.totals.there,
    isNumber: true,
    cell: (sum) => <Sum sum={sum} value={sum.there} />,
  }
  const here: PlainColumn<Compared> = {
    id: 'here',
    header: t.totals.here,
    isNumber: true,
    cell: (sum) => <Sum sum={sum} value={sum.here ?? ''} />,
  }
  // On a phone the amounts do not fit next to each other; what matters most stays visible.
  const same: PlainColumn<Compared> = {
    id: 'same',
    header: t.totals.same,
    cell: (sum) => <Equality equal={sum.there === sum.here} />,
  }
  const columns = after === null ? [what, there] : [what, same, there, here]
  return (
    <>
      <PlainTable
        label={t.report.totals}
        columns={columns}
        rows={comparedSums(report)}
        rowId={(sum) => sum.what}
        isMarked={(sum) => sum.here !== undefined && sum.there !== sum.here}
      />
      <div className="flex flex-col gap-1 px-2 text-sm">
        <span className="flex flex-wrap items-center gap-x-3">
          {t.totals.digest}
          {after !== null && <Equality equal={before.digest === after.digest} />}
        </span>
        <Digest digest={before.digest} />
        {after !== null && after.digest !== before.digest && <Digest digest={after.digest} />}
        <span className="text-muted text-xs">{t.totals.digestHint}</span>
        {after !== null && now !== null && now !== after.balances && (
          <span className="text-muted text-xs">{t.totals.now(groupedDigits(now))}</span>
        )}
      </div>
    </>
  )
}

function Digest({ digest }: { digest: string }) {
  const t = useTexts(importTexts)
  return (
    <span className="flex items-start gap-2">
      <code className="min-w-0 font-mono text-xs break-all">{digest}</code>
      <span className="print:hidden">
        <CopyButton text={digest} label={t.totals.copyDigest} />
      </span>
    </span>
  )
}

function Sum({ sum, value }: { sum: Compared; value: string }) {
  const status = useSystemStatus()
  return (
    <>
      {groupedDigits(value)}
      {sum.isQuota && status.display_in_currency && (
        <span className="text-muted block text-xs">{formatQuota(Number(value), status)}</span>
      )}
    </>
  )
}

function Equality({ equal }: { equal: boolean }) {
  const t = useTexts(importTexts).totals
  return (
    <span className={`inline-flex items-center gap-1 align-middle ${equal ? 'text-good' : 'text-bad font-medium'}`}>
      {equal ? <CheckIcon /> : <WarningIcon />}
      {equal ? t.equal : t.unequal}
    </span>
  )
}

export interface PlainColumn<Row> {
  readonly id: string
  readonly header: string
  readonly cell: (row: Row) => ReactNode
  readonly isNumber?: boolean
  readonly names?: boolean
  readonly isText?: boolean
}

interface PlainTableProps<Row> {
  readonly label: string
  readonly columns: readonly PlainColumn<Row>[]
  readonly rows: readonly Row[]
  readonly rowId: (row: Row, at: number) => string
  readonly isMarked?: (row: Row) => boolean
}

export function PlainTable<Row>({ label, columns, rows, rowId, isMarked }: PlainTableProps<Row>) {
  return (
    <div tabIndex={0} role="group" aria-label={label} className="overflow-x-auto">
      <table className="w-full text-sm">
        <thead>
          <tr className="border-line border-b">
            {columns.map(({ id, header, isNumber }) => (
              <th
                key={id}
                scope="col"
                className={clsx('text-muted px-2 py-1.5 text-xs font-medium', isNumber ? 'text-end' : 'text-start')}
              >
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr
              key={rowId(row, at)}
              className={clsx('border-line border-b last:border-0', isMarked?.(row) === true && 'bg-bad-soft')}
            >
              {columns.map(({ id, cell, isNumber, names, isText }) =>
                names === true ? (
                  <th key={id} scope="row" className="min-w-28 px-2 py-1.5 text-start font-normal">
                    {cell(row)}
                  </th>
                ) : (
                  <td
                    key={id}
                    className={clsx(
                      'px-2 py-1.5',
                      isNumber === true && 'text-end tabular-nums',
                      isText === true ? 'min-w-56 wrap-anywhere' : 'whitespace-nowrap',
                    )}
                  >
                    {cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

type Differing = ImportReport['prices'][number]

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
