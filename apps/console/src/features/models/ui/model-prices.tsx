import type { DisplayedModel, DisplayedPrices } from '@sluice/contract/price-list'
import type { ReactNode } from 'react'
import { formatCount } from '~/lib/format/quota.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import type { ModelEntry } from '../model/catalogue.ts'
import { formatTokens } from '../model/price-format.ts'
import { modelTexts } from '../texts/model-texts.ts'
import { Price } from './price.tsx'

/** Dollars per million from which a price is shown per unit. */
const DEAR = 1_000

/** What the chosen group charges of every price. */
interface Charged {
  readonly ratio: number
}

/** Every price of a model: the usual ones, those of large requests, and those of certain times. */
export function ModelPrices({ prices, ratio }: Pick<ModelEntry, 'prices'> & Charged) {
  const t = useTexts(modelTexts)
  const context = prices.context_length
  return (
    <>
      <section>
        <h3 className="mb-2 text-sm font-semibold">{t.prices}</h3>
        <dl className="flex flex-col gap-1 text-sm">
          <PriceLines prices={prices} ratio={ratio} />
          {prices.image_price > 0 && (
            <Line name={t.columns.image}>
              <Price dollars={prices.image_price} ratio={ratio} as={t.perImage} />
            </Line>
          )}
          <Line name={t.columns.maxTokens}>{formatTokens(prices.max_tokens) ?? t.unlimited}</Line>
          {prices.ends_on !== undefined && <Line name={t.endsOn}>{prices.ends_on}</Line>}
          {context !== undefined && <Line name={t.context}>{formatTokens(context) ?? t.unlimited}</Line>}
        </dl>
      </section>
      {(prices.tiers ?? []).length > 0 && (
        <section>
          <h3 className="mb-2 text-sm font-semibold">{t.tiers}</h3>
          <Tiers tiers={prices.tiers} ratio={ratio} />
        </section>
      )}
      {(prices.time_windows ?? []).length > 0 && (
        <section>
          <h3 className="mb-2 text-sm font-semibold">{t.windows}</h3>
          {prices.time_windows?.map((window) => (
            <Group key={window.name} name={window.name} prices={window} ratio={ratio}>
              <Tiers tiers={window.tiers} ratio={ratio} />
            </Group>
          ))}
        </section>
      )}
    </>
  )
}

function Tiers({ tiers, ratio }: Pick<DisplayedModel, 'tiers'> & Charged) {
  const t = useTexts(modelTexts)
  return tiers?.map((tier) => {
    const name = t.tier(formatCount(tier.input_token_threshold), formatCount(tier.output_token_threshold))
    return <Group key={name} name={name} prices={tier} ratio={ratio} />
  })
}

interface LinesProps extends Charged {
  readonly prices: DisplayedPrices
}

function Group({ name, children, ...lines }: LinesProps & { readonly name: string; readonly children?: ReactNode }) {
  return (
    <div className="mb-3">
      <p className="text-muted mb-1 text-xs">{name}</p>
      <dl className="flex flex-col gap-1 text-sm">
        <PriceLines {...lines} />
      </dl>
      {children}
    </div>
  )
}

function PriceLines({ prices, ratio }: LinesProps) {
  const t = useTexts(modelTexts)
  const price = (dollars: number) => <Price dollars={dollars} ratio={ratio} />
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
          {dollars >= DEAR ? <Price dollars={dollars / 1_000_000} ratio={ratio} as={t.each} /> : price(dollars)}
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
