import type { DisplayedModel, DisplayedPrices } from '@sluice/contract/price-list'
import type { ReactNode } from 'react'
import { formatCount } from '../../../lib/format/quota.ts'
import { useTexts } from '../../../lib/i18n/i18n.ts'
import type { ModelEntry } from '../model/catalogue.ts'
import { formatPrice, formatTokens } from '../model/price-format.ts'
import { modelTexts } from '../texts/model-texts.ts'

/** Dollars per million from which a price is shown per unit. */
const DEAR = 1_000

/** Every price of a model: the usual ones, those of large requests, and those of certain times. */
export function ModelPrices({ prices }: Pick<ModelEntry, 'prices'>) {
  const t = useTexts(modelTexts)
  const context = prices.context_length
  return (
    <>
      <section>
        <h3 className="mb-2 text-sm font-semibold">{t.prices}</h3>
        <dl className="flex flex-col gap-1 text-sm">
          <PriceLines prices={prices} />
          {prices.image_price > 0 && (
            <Line name={t.columns.image}>{t.perImage(formatPrice(prices.image_price) ?? t.free)}</Line>
          )}
          <Line name={t.columns.maxTokens}>{formatTokens(prices.max_tokens) ?? t.unlimited}</Line>
          {prices.ends_on !== undefined && <Line name={t.endsOn}>{prices.ends_on}</Line>}
          {context !== undefined && <Line name={t.context}>{formatTokens(context) ?? t.unlimited}</Line>}
        </dl>
      </section>
      {(prices.tiers ?? []).length > 0 && (
        <section>
          <h3 className="mb-2 text-sm font-semibold">{t.tiers}</h3>
          <Tiers tiers={prices.tiers} />
        </section>
      )}
      {(prices.time_windows ?? []).length > 0 && (
        <section>
          <h3 className="mb-2 text-sm font-semibold">{t.windows}</h3>
          {prices.time_windows?.map((window) => (
            <Group key={window.name} name={window.name} prices={window}>
              <Tiers tiers={window.tiers} />
            </Group>
          ))}
        </section>
      )}
    </>
  )
}

function Tiers({ tiers }: Pick<DisplayedModel, 'tiers'>) {
  const t = useTexts(modelTexts)
  return tiers?.map((tier) => {
    const name = t.tier(formatCount(tier.input_token_threshold), formatCount(tier.output_token_threshold))
    return <Group key={name} name={name} prices={tier} />
  })
}

function Group({ name, prices, children }: { name: string; prices: DisplayedPrices; children?: ReactNode }) {
  return (
    <div className="mb-3">
      <p className="text-muted mb-1 text-xs">{name}</p>
      <dl className="flex flex-col gap-1 text-sm">
        <PriceLines prices={prices} />
      </dl>
      {children}
    </div>
  )
}

function PriceLines({ prices }: { prices: DisplayedPrices }) {
  const t = useTexts(modelTexts)
  const price = (dollars: number) => formatPrice(dollars) ?? t.free
  const writes = [
    [t.cacheWrite5m, prices.cache_write_5m_price],
    [t.cacheWrite1h, prices.cache_write_1h_price],
  ] as const
  return (
    <>
      <Line name={t.columns.input}>{price(prices.input_price)}</Line>
      <Line name={t.columns.cached}>{price(prices.cached_input_price)}</Line>
      <Line name={t.columns.output}>{price(prices.output_price)}</Line>
      {writes.map(
        ([name, dollars]) =>
          dollars !== prices.input_price && (
            <Line key={name} name={name}>
              {price(dollars)}
            </Line>
          ),
      )}
      {Object.entries(prices.unit_prices ?? {}).map(([unit, dollars]) => (
        <Line key={unit} name={unit.replaceAll('_', ' ')}>
          {/* Calls and pictures are priced individually, audio tokens by the million like all tokens. */}
          {dollars >= DEAR ? t.each(price(dollars / 1_000_000)) : price(dollars)}
        </Line>
      ))}
    </>
  )
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex justify-between gap-4">
      <dt className="text-muted">{name}</dt>
      <dd className="tabular-nums">{children}</dd>
    </div>
  )
}
