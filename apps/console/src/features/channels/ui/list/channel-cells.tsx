import { type Channel, CHANNEL_STATUS } from '@sluice/contract/channel'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { kindOf } from '~/features/channels/model/channel-kind.ts'
import { testableModels } from '~/features/channels/model/channel-types.ts'
import { channelTexts } from '~/features/channels/texts/channel-texts.ts'
import { keyTexts } from '~/features/channels/texts/keys-texts.ts'
import { formatDateTime } from '~/lib/format/date.ts'
import { formatCount, formatQuota } from '~/lib/format/quota.ts'
import { formatLatency, latencyBand, UNKNOWN } from '~/lib/format/units.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useSystemStatus } from '~/lib/status/system-status.ts'
import { Badge, type Tone } from '~/ui/badge.tsx'
import { IconButton, Spinner } from '~/ui/button.tsx'
import { Select } from '~/ui/field.tsx'
import { RefreshIcon } from '~/ui/icons.tsx'
import { useToasts } from '~/ui/toast/toasts.ts'
import { type ChannelActions, useChannelLabel } from './use-channel-actions.ts'

export function ChannelBadge({ channel }: { channel: Channel }) {
  const t = useTexts(channelTexts)
  const { name, tone } = channelStatus(channel)
  const why =
    channel.status === CHANNEL_STATUS.autoDisabled
      ? channel.disabled_reason === ''
        ? t.disabledAutomatically
        : t.disabledBecause(channel.disabled_reason, formatDateTime(channel.disabled_time))
      : name === 'paused'
        ? t.pausedHint
        : undefined
  return (
    <span data-tip={why}>
      <Badge tone={tone}>{t.status[name]}</Badge>
    </span>
  )
}

const BAND_TONES = { fast: 'good', normal: 'warn', slow: 'bad' } as const

export function ResponseTime({ channel, awaited }: { channel: Channel; awaited: boolean }) {
  const t = useTexts(channelTexts)
  const last = testState(channel)
  if (awaited) {
    return (
      <span className="text-muted inline-flex items-center gap-1.5">
        <Spinner />
        {t.testing}
      </span>
    )
  }
  if (last.state === 'never') return <span className="text-muted">{t.notTested}</span>
  if (last.state === 'failed') return <Badge tone="bad">{t.testFailedShort}</Badge>
  const band = latencyBand(last.milliseconds)
  return (
    <span data-tip={`${t.latency[band]}\n${formatDateTime(channel.test_time)}`}>
      <Badge tone={BAND_TONES[band]}>{formatLatency(last.milliseconds)}</Badge>
    </span>
  )
}

/** Two decimals in the cell; six decimals and the raw points in the tooltip. */
export function SpentQuota({ quota }: { quota: number }) {
  const t = useTexts(channelTexts)
  const display = useSystemStatus()
  return (
    <span data-tip={`${formatQuota(quota, display, 6)}\n${t.points(formatCount(quota))}`}>
      {formatQuota(quota, display)}
    </span>
  )
}

export type StatusName = 'disabled' | 'paused' | 'active'

/** Disabled by a user or by the gateway; otherwise Paused with a negative priority, and Active without one. */
export function channelStatus({ status, priority }: Pick<Channel, 'status' | 'priority'>): {
  readonly name: StatusName
  readonly tone: Tone
} {
  if (status === CHANNEL_STATUS.disabled || status === CHANNEL_STATUS.autoDisabled) {
    return { name: 'disabled', tone: 'neutral' }
  }
  return priority < 0 ? { name: 'paused', tone: 'warn' } : { name: 'active', tone: 'good' }
}

export type TestState =
  | { readonly state: 'never' }
  | { readonly state: 'failed' }
  | { readonly state: 'answered'; readonly milliseconds: number }

/** A failed test is stored with a time of 0. */
export function testState({ response_time, test_time }: Pick<Channel, 'response_time' | 'test_time'>): TestState {
  if (response_time > 0) return { state: 'answered', milliseconds: response_time }
  return { state: test_time > 0 ? 'failed' : 'never' }
}

/** The last reported balance, and a button that requests it again where the provider reports balances. */
export function BalanceCell({ channel, actions }: { channel: Channel; actions: ChannelActions }) {
  const t = useTexts(channelTexts)
  const label = useChannelLabel()
  if (kindOf(channel.type).balance !== true) return <span className="text-muted">–</span>
  const asking = actions.isAskingBalance(channel)
  const { balance_updated_time: asked } = channel
  return (
    <span className="flex min-w-0 items-center justify-end gap-1">
      <span
        className="truncate tabular-nums"
        data-tip={asked === 0 ? t.neverAsked : t.balanceAsked(formatDateTime(asked))}
      >
        {asked === 0 ? <span className="text-muted">–</span> : balanceText(channel.balance, channel.balance_currency)}
      </span>
      <IconButton
        label={t.askBalanceOf(label(channel))}
        aria-disabled={asking}
        onClick={() => {
          if (!asking) void actions.askBalance(channel)
        }}
      >
        {asking ? <Spinner /> : <RefreshIcon />}
      </IconButton>
    </span>
  )
}

const AMOUNT = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const COUNT = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const SIGNS: Readonly<Record<string, string>> = { USD: '$', CNY: '¥' }

/** In the account's own currency: `$1,234.50`, `-¥3.00`; a vendor's points without decimals. */
export function balanceText(balance: number, currency: string): string {
  const sign = SIGNS[currency]
  if (Number.isNaN(balance)) return UNKNOWN
  if (sign === undefined) return `${COUNT.format(balance)} ${currency}`.trim()
  return `${balance < 0 ? '-' : ''}${sign}${AMOUNT.format(Math.abs(balance))}`
}

export function KeyCount({ channel }: { channel: Channel }) {
  const t = useTexts(keyTexts)
  const name = useChannelLabel()(channel)
  const count = formatCount(channel.key_count)
  if (channel.key_count < 2) return null
  return (
    <Link
      from="/channels"
      search={(previous) => ({ ...previous, keys: channel.id, health: undefined })}
      resetScroll={false}
      aria-label={t.countOf(count, name)}
      data-tip={t.count(count)}
      className="text-muted bg-subtle grid min-h-6 min-w-6 place-items-center rounded-full px-2 text-xs hover:underline"
    >
      {count}
    </Link>
  )
}

interface NumberCellProps {
  readonly label: string
  readonly value: number
  readonly min?: number
  /** Saves and shows the outcome itself. */
  readonly onSave: (value: number) => void
}

/** Edited in place: Enter or leaving the field saves, Escape reverts. */
export function NumberCell({ label, value, min, onSave }: NumberCellProps) {
  const t = useTexts(channelTexts)
  const toasts = useToasts()
  const [typed, setTyped] = useState<string>()
  const finish = () => {
    setTyped(undefined)
    if (typed === undefined || typed.trim() === String(value)) return
    const number = Number(typed)
    const isTaken = typed.trim() !== '' && Number.isInteger(number) && number >= (min ?? -LARGEST) && number <= LARGEST
    if (isTaken) onSave(number)
    else toasts.show({ tone: 'bad', title: t.numberFailed, text: t.wholeNumber })
  }
  return (
    <input
      type="text"
      inputMode="numeric"
      aria-label={label}
      value={typed ?? String(value)}
      onFocus={(event) => event.target.select()}
      onChange={(event) => setTyped(event.target.value)}
      onBlur={finish}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur()
        if (event.key !== 'Escape') return
        event.stopPropagation()
        setTyped(undefined)
      }}
      className="hover:border-control h-7 w-full min-w-0 rounded-md border border-transparent bg-transparent px-1.5 text-end text-sm tabular-nums focus-visible:-outline-offset-2 max-md:h-9"
    />
  )
}

/** The range of the gateway's columns. */
const LARGEST = 2_147_483_647

/** No model can have this name; it stands for the stored `null`. */
const CHEAPEST = ''

interface TestingModelSelectProps {
  readonly channel: Channel
  readonly actions: ChannelActions
}

export function TestingModelSelect({ channel, actions }: TestingModelSelectProps) {
  const t = useTexts(channelTexts)
  const label = useChannelLabel()
  // A channel can have a hundred models, so the choices are rendered only when the user reaches for them.
  const [wanted, setWanted] = useState(false)
  const { testing_model: chosen } = channel
  const models = wanted
    ? [...new Set([...(chosen === null ? [] : [chosen]), ...testableModels(channel)])]
    : chosen === null
      ? []
      : [chosen]
  return (
    <Select
      quiet
      disabled={channel.managed_by !== ''}
      aria-label={t.testingModelOf(label(channel))}
      value={chosen ?? CHEAPEST}
      options={[{ value: CHEAPEST, label: t.cheapest }, ...models.map((model) => ({ value: model, label: model }))]}
      onPointerEnter={() => setWanted(true)}
      onFocus={() => setWanted(true)}
      onChange={(event) => {
        const model = event.target.value
        void actions.saveTestingModel(channel, model === CHEAPEST ? null : model)
      }}
    />
  )
}
