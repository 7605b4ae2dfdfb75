import type { Capabilities } from '@sluice/contract/price-list'
import { Link } from '@tanstack/react-router'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useUser } from '~/lib/session/use-session.ts'
import { baseUrlOf } from '~/lib/status/base-url.ts'
import { useSystemStatus } from '~/lib/status/system-status.ts'
import { buttonClass } from '~/ui/button.tsx'
import { CopyValue } from '~/ui/copy-value.tsx'
import { Notice } from '~/ui/notice.tsx'
import { Panel } from '~/ui/panel.tsx'
import { CheckIcon, CloseIcon } from '~/ui/sign-icons.tsx'
import { Skeleton } from '~/ui/skeleton.tsx'
import { SnippetTabs } from '~/ui/snippets/snippet-tabs.tsx'
import { firstRequest } from '~/ui/snippets/snippets.ts'
import { type ModelGroup, type Offer, offersOf } from '../model/catalogue.ts'
import { modelTexts } from '../texts/model-texts.ts'
import { ModelPrices } from './model-prices.tsx'
import { ModelLink } from './model-row.tsx'
import { Price } from './price.tsx'

/** Placeholder for the reader's own key. */
const EXAMPLE_KEY = 'sk-your-token'

interface ModelPanelProps {
  /** `undefined` while the list is loading. */
  readonly groups: readonly ModelGroup[] | undefined
  readonly name: string
  readonly channel: string | undefined
  /** What the chosen group charges of every price. */
  readonly ratio: number
  readonly onOpen: (model: string, channel: string) => void
  readonly onClose: () => void
}

/** Everything about one model: all its prices, its capabilities, who else offers it, and a request to start with. */
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
