import type { Calculation, Movement, Receipt, PriceSource } from '@sluice/contract/receipt'
import type { en } from '~/features/logs/texts/receipt-texts.ts'
import { formatDateTime } from '~/lib/format/date.ts'
import type { Translation } from '~/lib/i18n/texts.ts'

export type ReceiptWords = Translation<typeof en>

/** Every number of the panel as plain text, to be pasted into a mail or a ticket. */
export function receiptText(receipt: Receipt, t: ReceiptWords): string {
  const settlements = settlementsOf(receipt)
  const title = [t.title, formatDateTime(receipt.created_at), receipt.model_name]
    .filter((part) => part !== '')
    .join(' · ')
  return [
    title,
    `${t.requestId}: ${receipt.request_id}`,
    ...(receipt.fault === '' ? [] : [t.fault(t.faults[receipt.fault])]),
    ...receipt.missing.map((row) => t.missing[row]),
    '',
    ...settlements.flatMap(({ calculation }, at) => [
      ...(settlements.length > 1 ? [at === 0 ? t.first : t.corrected] : []),
      ...calculationLines(calculation, t),
      '',
    ]),
    ...receipt.movements.map((movement) => movementLine(movement, t)),
    `${t.paid}: ${t.pointsOf(formatExact(receipt.net))}`,
    '',
    ...(receipt.group === '' ? [] : [`${t.group}: ${receipt.group}`]),
    ...(receipt.held === '' ? [] : [`${t.held}: ${t.heldAmount(formatExact(receipt.held))}`]),
    `${t.usage}: ${receipt.usage.estimated ? t.usageCounted : t.usageReported}`,
    ...(receipt.ended === '' ? [] : [`${t.ended}: ${endingText(receipt.ended, t)}`]),
    ...(receipt.usage.upstream === '' ? [] : [`${t.upstreamUsage}: ${receipt.usage.upstream}`]),
  ].join('\n')
}

function calculationLines({ lines, list, group_ratio, exact, total, price_id, source }: Calculation, t: ReceiptWords) {
  return [
    ...lines.map(
      (line) =>
        `${t.classes[line.class]}: ${formatExact(String(line.count))} × ${formatExact(line.rate)} = ${formatExact(line.amount)}`,
    ),
    `${t.listPrice}: ${formatExact(list)}`,
    `${t.groupRatio}: ${formatExact(list)} × ${group_ratio} = ${formatExact(exact)}`,
    `${t.roundedUp}: ${formatExact(total)}`,
    [`${t.price}: ${priceName(source, t)}`, ...priceNotes(source, t), t.priceId(price_id)].join(' · '),
  ]
}

function movementLine({ kind, at, amount, reason, actor_name }: Movement, t: ReceiptWords): string {
  const by = actor_name === '' ? '' : t.refundedBy(actor_name)
  const why = kind === 'admin-refund' ? reason : ''
  const notes = [formatDateTime(at / 1_000), by, why].filter((part) => part !== '').join(' · ')
  return `${movementName(kind, t)}: ${formatExact(amount)} (${notes})`
}

/** An unknown kind is shown as it is. */
export function movementName(kind: string, { movements }: ReceiptWords): string {
  return Object.hasOwn(movements, kind) ? movements[kind as keyof typeof movements] : kind
}

/** An unknown rule is shown as it is. */
export function endingText(
  ended: string,
  { endings, notCharged }: Pick<ReceiptWords, 'endings' | 'notCharged'>,
): string {
  const { how, isFree } = endingOf(ended)
  const text = Object.hasOwn(endings, how) ? endings[how as keyof typeof endings] : how
  return isFree ? notCharged(text) : text
}

/** If there are two settlements, the later one gives the cost of the whole request. */
export interface Settlement extends Movement {
  readonly calculation: Calculation
}

/** First to last. Settlements whose price no longer exists are left out. */
export function settlementsOf({ movements }: Receipt): readonly Settlement[] {
  return movements.flatMap(({ calculation, ...movement }) =>
    calculation === undefined ? [] : [{ ...movement, calculation }],
  )
}

/** Everything that moved money, if that was more than the one charge. */
export function furtherMovements({ movements }: Receipt): readonly Movement[] {
  return movements.length > 1 ? movements : []
}

/** A step that changes nothing does not have to be shown. */
export function isStep(before: string, after: string): boolean {
  return before !== after
}

function endingOf(ended: string): { readonly how: string; readonly isFree: boolean } {
  const isFree = ended.endsWith('_void')
  return { how: isFree ? ended.slice(0, -'_void'.length) : ended, isFree }
}

/** The provider's usage object, formatted; as it came if it was cut off. */
export function readableUsage(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    return text
  }
}

type Words = Translation<typeof en>

export function priceName({ kind, name, channel }: PriceSource, t: Words): string {
  switch (kind) {
    case 'book':
      return t.book(name)
    case 'channel':
      return channel > 0 ? t.channelOf(channel) : t.channel
    case 'override':
      return t.override
    case 'policy':
      if (name === 'free') return t.policyFree
      return name === 'reported' ? t.policyReported : t.policyFallback
    case 'external':
      return t.external
    case 'other':
      return t.otherSource
  }
}

export function priceNotes({ tier, window }: PriceSource, t: Words): readonly string[] {
  return [
    ...(tier === ''
      ? []
      : [
          `${t.tier}: ${tier
            .split(',')
            .map((bound) => boundText(bound, t))
            .join(', ')}`,
        ]),
    ...(window === '' ? [] : [`${t.window}: ${window}`]),
  ]
}

/** `input>=272001` in words. */
function boundText(bound: string, t: Words): string {
  const [side, tokens = ''] = bound.split('>=')
  if (!/^\d+$/.test(tokens)) return bound
  return side === 'output' ? t.fromOutput(formatExact(tokens)) : t.fromInput(formatExact(tokens))
}

/** `1234567.25` reads `1,234,567.25`. The text is never converted to a number, so it stays exact. */
export function formatExact(text: string): string {
  const [whole = '', fraction] = text.split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return fraction === undefined ? grouped : `${grouped}.${fraction}`
}

/** Compares two non-negative decimal texts: less than 0 when the first is smaller. */
export function compareExact(a: string, b: string): number {
  const [places, left, right] = [Math.max(placesOf(a), placesOf(b)), a, b]
  const difference = scaled(left, places) - scaled(right, places)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

function placesOf(text: string): number {
  return text.split('.')[1]?.length ?? 0
}

function scaled(text: string, places: number): bigint {
  const [whole = '', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.padEnd(places, '0'))
}
