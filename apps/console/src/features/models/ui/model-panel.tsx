import type { Capabilities, DisplayedModel, DisplayedPrices } from '@sluice/contract/price-list'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { formatCount } from '~/lib/format/quota.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useUser } from '~/lib/session/session.ts'
import { baseUrlOf } from '~/lib/status/base-url.ts'
import { useSystemStatus } from '~/lib/status/system-status.ts'
import { buttonClass } from '~/ui/button.tsx'
import { CopyValue } from '~/ui/copy-button.tsx'
import { CheckIcon, CloseIcon } from '~/ui/icon.tsx'
import { Notice } from '~/ui/notice.tsx'
import { Panel } from '~/ui/panel.tsx'
import { Skeleton } from '~/ui/skeleton.tsx'
import { SnippetTabs } from '~/ui/snippets/snippet-tabs.tsx'
import { firstRequest } from '~/ui/snippets/snippets.ts'
import { type ModelGroup, type Offer, offersOf, type ModelEntry } from '../model/catalogue.ts'
import { modelTexts } from '../texts/model-texts.ts'
import { ModelLink } from './model-row.tsx'
import { Price, formatTokens } from './price.tsx'

const EXAMPLE_KEY = 'sk-your-token'

interface ModelPanelProps {
  readonly groups: readonly ModelGroup[] | undefined
  readonly name: string
  readonly channel: string | undefined
  readonly ratio: number
  readonly onOpen: (model: string, channel: string) => void
  readonly onClose: () => void
}

export function ModelPanel({ groups, name, channel, ratio, onOpen, onClose }: ModelPanelProps) {
  const t = useTexts(modelTexts)
  const user = useUser()
  const [offer, ...others] = groups === undefined ? [] : offersOf(groups, name, channel)
  return (
    <Panel
      title={name}
      subtitle={offer === undefined ? undefined : `${offer.group.provider} · ${offer.group.label}`}
      onClose={onClose}
      footer={
        user !== undefined && offer !== undefined ? (
          <Link to="/chat" search={{ model: name }} className={buttonClass()}>
            {t.tryIt}
          </Link>
        ) : undefined
      }
    >
      {groups === undefined && <Skeleton className="h-64 w-full" />}
      {groups !== undefined && offer === undefined && <Notice tone="info">{t.gone}</Notice>}
      {offer !== undefined && (
        <div className="flex flex-col gap-6">
          <CopyValue label={t.name} text={name} copyLabel={t.copyModel} />
          <ModelPrices prices={offer.model.prices} ratio={ratio} />
          {offer.model.prices.capabilities !== undefined && (
            <AbilityList capabilities={offer.model.prices.capabilities} />
          )}
          {others.length > 0 && <OtherOffers offers={others} ratio={ratio} onOpen={onOpen} />}
          <Request name={name} />
        </div>
      )}
    </Panel>
  )
}

function AbilityList({ capabilities }: { capabilities: Capabilities }) {
  const t = useTexts(modelTexts)
  return (
    <section>
      <h3 className="mb-2 text-sm font-semibold">{t.capabilities}</h3>
      <ul className="grid grid-cols-2 gap-x-4 gap-y-1 text-sm">
        {NAMES.map((name) => {
          const able = capabilities[name]
          return (
            <li key={name} className={able ? 'flex items-center gap-2' : 'text-muted flex items-center gap-2'}>
              <span className={able ? 'text-good' : ''}>{able ? <CheckIcon /> : <CloseIcon />}</span>
              {t.capability[name]}
              <span className="sr-only">{able ? t.yes : t.no}</span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

const NAMES = [
  'supportsVision',
  'supportsReasoningEffort',
  'supportsThinking',
  'supportsTopP',
  'supportsTopK',
  'supportsMaxCompletionTokens',
  'supportsFrequencyPenalty',
  'supportsPresencePenalty',
  'supportsStop',
] as const

function OtherOffers(props: Pick<ModelPanelProps, 'ratio' | 'onOpen'> & { readonly offers: readonly Offer[] }) {
  const { offers, ratio, onOpen } = props
  const t = useTexts(modelTexts)
  const price = (dollars: number) => <Price dollars={dollars} ratio={ratio} />
  return (
    <section>
      <h3 className="mb-2 text-sm font-semibold">{t.otherOffers}</h3>
      <ul className="flex flex-col gap-1 text-sm">
        {offers.map(({ group, model: { name, prices } }) => (
          <li key={group.key} className="flex justify-between gap-4">
            <ModelLink name={name} channel={group.key} onOpen={onOpen}>
              {group.label}
            </ModelLink>
            <span className="text-muted tabular-nums">
              {price(prices.input_price)} / {price(prices.output_price)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Request({ name }: { name: string }) {
  const { server_address } = useSystemStatus()
  const baseUrl = baseUrlOf(server_address)
  return <SnippetTabs parts={{ baseUrl, key: EXAMPLE_KEY, body: firstRequest(name) }} />
}

/** From this many dollars per million on, prices are shown per unit. */
const DEAR = 1_000

/** Multiplies every price. */
interface Charged {
  readonly ratio: number
}

function ModelPrices({ prices, ratio }: Pick<ModelEntry, 'prices'> & Charged) {
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
          {/* Calls and pictures are priced individually; audio tokens, like all tokens, by the million. */}
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
