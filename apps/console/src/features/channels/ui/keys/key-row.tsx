import { CHANNEL_KEY_STATUS, type ChannelKey } from '@sluice/contract/channel'
import { deleteChannelKey, setChannelKeyStatus } from '@sluice/contract/routes/channels'
import type { KeyState } from '~/features/channels/model/key-state.ts'
import { keyTexts } from '~/features/channels/texts/keys-texts.ts'
import { channelRoutingTexts } from '~/features/channels/texts/routing-texts.ts'
import { formatCount } from '~/lib/format/quota.ts'
import { useCall } from '~/lib/http/use-call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Badge } from '~/ui/badge.tsx'
import { useConfirm } from '~/ui/confirm.tsx'
import { timeOf } from '~/ui/routing/time-of.ts'
import { DeleteButton, SwitchButton } from '~/ui/table/row-actions.tsx'
import { Time } from '~/ui/time.tsx'
import { useTellFailure } from '~/ui/toast/use-tell-failure.ts'
import { useRefreshKeys } from './use-refresh-keys.ts'

interface KeyRowProps {
  readonly id: number
  readonly of: ChannelKey
  readonly state: KeyState
  /** No other key is on. */
  readonly last: boolean
  /** There is no other key. */
  readonly only: boolean
}

/** One key: its state, and what can be done with it. */
export function KeyRow({ id, of: key, state, last, only }: KeyRowProps) {
  const t = useTexts(keyTexts)
  const { turn, remove } = useKeyActions(id, key)
  const name = t.position(formatCount(key.position))
  return (
    <li aria-label={name} className="flex items-center gap-3 py-2 text-sm">
      <span className="flex min-w-0 grow flex-col gap-1">
        <span className="flex flex-wrap items-center gap-2">
          <span className="font-medium">{name}</span>
          <code className="text-muted text-xs">{key.fingerprint}</code>
          <StateBadge state={state} />
        </span>
        <KeyNote of={key} state={state} />
      </span>
      <span className="flex shrink-0">
        <SwitchButton
          on={key.status === CHANNEL_KEY_STATUS.enabled}
          barred={last ? t.last : undefined}
          onSwitch={turn}
        />
        <DeleteButton barred={only ? t.only : last ? t.last : undefined} onDelete={remove} />
      </span>
    </li>
  )
}

const TONES = { on: 'good', off: 'neutral', refused: 'bad', rests: 'warn' } as const

function StateBadge({ state }: { state: KeyState }) {
  const t = useTexts(keyTexts)
  const routing = useTexts(channelRoutingTexts)
  const text =
    state.kind !== 'rests'
      ? t.state[state.kind]
      : state.models > 0
        ? t.modelsRest(formatCount(state.models))
        : routing.restUntil(timeOf(state.until))
  return <Badge tone={TONES[state.kind]}>{text}</Badge>
}

function KeyNote({ of: { reason, since }, state }: { of: ChannelKey; state: KeyState }) {
  const t = useTexts(keyTexts)
  const routing = useTexts(channelRoutingTexts)
  if (state.kind === 'on') return null
  return (
    <span className="text-muted text-xs wrap-anywhere">
      {state.kind === 'rests' ? routing.restCause[state.cause] : reason}
      {state.kind !== 'rests' && (
        <>
          {reason !== '' && ' · '}
          {t.since} <Time at={since} />
        </>
      )}
    </span>
  )
}

function useKeyActions(id: number, { fingerprint, position, status }: ChannelKey) {
  const t = useTexts(keyTexts)
  const call = useCall()
  const tell = useTellFailure()
  const confirm = useConfirm()
  const refresh = useRefreshKeys()
  const params = { id, fingerprint }
  const turn = async () => {
    const reply = await call(setChannelKeyStatus, {
      params,
      body: {
        status: status === CHANNEL_KEY_STATUS.enabled ? CHANNEL_KEY_STATUS.disabled : CHANNEL_KEY_STATUS.enabled,
      },
    })
    if (!reply.ok) tell(t.switchFailed, reply)
    await refresh()
  }
  const removeNow = async () => {
    const reply = await call(deleteChannelKey, { params })
    if (!reply.ok) tell(t.deleteFailed, reply)
    await refresh()
  }
  return {
    turn: () => void turn(),
    remove: () =>
      confirm({
        title: t.deleteTitle(formatCount(position)),
        text: t.deleteText(fingerprint),
        confirm: t.delete,
        busy: t.deleting,
        danger: true,
        run: removeNow,
      }),
  }
}
