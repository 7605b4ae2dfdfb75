import type { DisplayedModel } from '@sluice/contract/price-list'
import { clsx } from 'clsx'
import { Fragment, type MouseEvent, type ReactNode } from 'react'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { BASE_PATH } from '~/lib/navigation/base-path.ts'
import { CopyButton } from '~/ui/copy-button.tsx'
import type { ModelEntry } from '../model/catalogue.ts'
import { modelTexts } from '../texts/model-texts.ts'
import { formatTokens, Price } from './price.tsx'

/** Height of a row and of a phone's card, in pixels; rows that are not drawn yet take up exactly this space. */
export const ROW_PX = 40
export const cardPx = (ratio: number) => (ratio === 1 ? 64 : 80)

interface ModelRowProps {
  readonly model: ModelEntry
  readonly channel: string
  readonly ratio: number
  readonly onOpen: (model: string, channel: string) => void
}

export function ModelRow({ model: { name, prices }, channel, ratio, onOpen }: ModelRowProps) {
  const t = useTexts(modelTexts)
  return (
    <tr className="border-line hover:bg-hover not-last:border-b" style={{ height: ROW_PX }}>
      <th scope="row" className="px-3 py-0 text-start font-normal">
        <span className="flex items-center gap-1">
          <ModelLink name={name} channel={channel} onOpen={onOpen}>
            <span className="block truncate">{name}</span>
          </ModelLink>
          <CopyButton text={name} label={t.copyName(name)} shownFor={2_000} />
        </span>
      </th>
      {[prices.input_price, prices.cached_input_price, prices.output_price].map((dollars, index) => (
        <Amount key={index}>
          <Price dollars={dollars} ratio={ratio} />
        </Amount>
      ))}
      <Amount>{formatTokens(prices.max_tokens) ?? t.unlimited}</Amount>
      <Amount>
        {prices.image_price > 0 ? (
          <Price dollars={prices.image_price} ratio={ratio} />
        ) : (
          <span className="text-muted">
            <span aria-hidden="true">–</span>
            <span className="sr-only">{t.none}</span>
          </span>
        )}
      </Amount>
      <td className="px-3 py-0">
        <Abilities prices={prices} />
      </td>
    </tr>
  )
}

export function ModelCard({ model: { name, prices }, channel, ratio, onOpen }: ModelRowProps) {
  const t = useTexts(modelTexts)
  const price = (dollars: number, as: (price: string) => string) => <Price dollars={dollars} ratio={ratio} as={as} />
  const parts = [
    price(prices.input_price, t.onPhone.input),
    price(prices.cached_input_price, t.onPhone.cached),
    price(prices.output_price, t.onPhone.output),
    t.onPhone.maxTokens(formatTokens(prices.max_tokens) ?? t.unlimited),
    ...(prices.image_price > 0 ? [price(prices.image_price, t.perImage)] : []),
  ]
  return (
    <div className="border-line flex items-center gap-2 border-b px-3" style={{ height: cardPx(ratio) }}>
      <div className="min-w-0 grow">
        <ModelLink name={name} channel={channel} onOpen={onOpen}>
          <span className="block truncate py-1">{name}</span>
        </ModelLink>
        <p className={clsx('text-muted text-xs tabular-nums', ratio === 1 ? 'line-clamp-2' : 'line-clamp-3')}>
          {parts.map((part, index) => (
            <Fragment key={index}>
              {index > 0 && ' · '}
              <span className="whitespace-nowrap">{part}</span>
            </Fragment>
          ))}
        </p>
      </div>
      <CopyButton text={name} label={t.copyName(name)} shownFor={2_000} />
    </div>
  )
}

function Amount({ children }: { children: ReactNode }) {
  return <td className="px-3 py-0 text-end tabular-nums [&_s]:block">{children}</td>
}

/** Can be shared; opens the panel and keeps the filters when followed here. */
export function ModelLink({
  name,
  channel,
  onOpen,
  children,
}: Pick<ModelRowProps, 'channel' | 'onOpen'> & { readonly name: string; readonly children: ReactNode }) {
  // If each were a router link, a thousand of them would watch the address.
  const href = `${BASE_PATH}/models?${new URLSearchParams({ model: name, in: channel }).toString()}`
  const follow = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    onOpen(name, channel)
  }
  return (
    <a href={href} onClick={follow} className="min-w-0 font-medium hover:underline">
      {children}
    </a>
  )
}

const MARKED = ['supportsVision', 'supportsReasoningEffort', 'supportsThinking'] as const

function Abilities({ prices: { capabilities, ends_on: endsOn } }: { prices: DisplayedModel }) {
  const t = useTexts(modelTexts)
  return (
    <span className="flex gap-1 overflow-hidden whitespace-nowrap">
      {endsOn !== undefined && (
        <span className="bg-warn-soft text-warn rounded px-1.5 py-0.5 text-xs">{t.endsOnDay(endsOn)}</span>
      )}
      {MARKED.filter((name) => capabilities?.[name] === true).map((name) => (
        <span key={name} className="bg-subtle text-muted rounded px-1.5 py-0.5 text-xs">
          {t.short[name]}
        </span>
      ))}
    </span>
  )
}
