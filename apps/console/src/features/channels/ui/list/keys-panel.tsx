import { CHANNEL_KEY_STATUS, type ChannelKey } from '@sluice/contract/channel'
import { updateChannel, deleteChannelKey, setChannelKeyStatus } from '@sluice/contract/routes/channels'
import type { LaneHealth, CooldownCause } from '@sluice/contract/routing'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { channelHealthQuery, channelKeysQuery, CHANNEL_HEALTH } from '~/features/channels/calls.ts'
import { keyTexts } from '~/features/channels/texts/keys-texts.ts'
import { channelRoutingTexts } from '~/features/channels/texts/routing-texts.ts'
import { timeOf } from '~/lib/format/date.ts'
import { formatCount } from '~/lib/format/quota.ts'
import { useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Badge } from '~/ui/badge.tsx'
import { Button } from '~/ui/button.tsx'
import { useConfirm } from '~/ui/confirm.tsx'
import { Field } from '~/ui/field.tsx'
import { SecretBox } from '~/ui/form/secret-box.tsx'
import { LoadFailure } from '~/ui/load-failure.tsx'
import { Panel } from '~/ui/panel.tsx'
import { Skeleton } from '~/ui/skeleton.tsx'
import { DeleteButton, SwitchButton } from '~/ui/table/row-actions.tsx'
import { Time } from '~/ui/time.tsx'
import { useChange } from '~/ui/use-change.ts'
import { LOOK_AGAIN_MS } from './health-badge.tsx'

interface KeysPanelProps {
  readonly id: number
  /** Undefined when the channel is not on the page. */
  readonly name: string | undefined
  readonly onClose: () => void
}

/** A channel may have a thousand keys. */
const SHOWN = 50

export function KeysPanel({ id, name, onClose }: KeysPanelProps) {
  const t = useTexts(keyTexts)
  const query = useQuery(channelKeysQuery(useCall(), id))
  return (
    <Panel
      title={t.keysOf(name ?? `#${id}`)}
      subtitle={query.data === undefined ? `#${id}` : t.count(formatCount(query.data.length))}
      onClose={onClose}
      footer={<AddKeys id={id} />}
    >
      <div className="flex flex-col items-stretch gap-3">
        <p className="text-muted text-sm">{t.listHint}</p>
        {query.isPending && <Skeleton className="h-32 w-full" />}
        <LoadFailure query={query} text={t.loadFailed} />
        {query.data !== undefined && <KeyList id={id} keys={query.data} />}
      </div>
    </Panel>
  )
}

function KeyList({ id, keys }: { id: number; keys: readonly ChannelKey[] }) {
  const t = useTexts(keyTexts)
  const routing = useTexts(channelRoutingTexts)
  const [shown, setShown] = useState(SHOWN)
  const health = useQuery({ ...channelHealthQuery(useCall(), id), refetchInterval: LOOK_AGAIN_MS })
  const lanes = health.data?.flatMap((channel) => channel.lanes) ?? []
  const on = keys.filter(({ status }) => status === CHANNEL_KEY_STATUS.enabled).length
  const more = Math.min(SHOWN, keys.length - shown)
  return (
    <>
      <LoadFailure query={health} text={routing.healthFailed} />
      <ul aria-label={t.keys} className="divide-line flex flex-col divide-y">
        {keys.slice(0, shown).map((key) => (
          <KeyRow
            key={key.fingerprint}
            id={id}
            of={key}
            state={keyState(key, lanes)}
            last={key.status === CHANNEL_KEY_STATUS.enabled && on === 1}
            only={keys.length === 1}
          />
        ))}
      </ul>
      {more > 0 && <Button onClick={() => setShown(shown + SHOWN)}>{t.more(formatCount(more))}</Button>}
    </>
  )
}

function AddKeys({ id }: { id: number }) {
  const t = useTexts(keyTexts)
  const call = useCall()
  const [text, setText] = useState('')
  const adding = useChange({
    send: (key: string) => call(updateChannel, { query: {}, body: { id, key, key_mode: 'append' } }),
    failed: t.addFailed,
    done: ({ extra: { duplicate_keys: repeated } }) => ({
      title: t.addedNow,
      ...(repeated > 0 && { text: t.repeated(formatCount(repeated)) }),
    }),
    onDone: () => setText(''),
    stale: KEY_PARTS,
  })
  return (
    <form
      className="flex grow items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim() !== '') void adding.run(text)
      }}
    >
      <div className="grow">
        <Field label={t.addLabel}>
          {(ids) => <SecretBox {...ids} value={text} onChange={(event) => setText(event.target.value)} />}
        </Field>
      </div>
      <Button type="submit" busy={adding.busy} disabled={text.trim() === ''}>
        {t.add}
      </Button>
    </form>
  )
}

interface KeyRowProps {
  readonly id: number
  readonly of: ChannelKey
  readonly state: KeyState
  /** Whether no other key is on. */
  readonly last: boolean
  /** Whether there is no other key. */
  readonly only: boolean
}

function KeyRow({ id, of: key, state, last, only }: KeyRowProps) {
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
  const confirm = useConfirm()
  const params = { id, fingerprint }
  const isOn = status === CHANNEL_KEY_STATUS.enabled
  const turn = useChange({
    send: () =>
      call(setChannelKeyStatus, {
        params,
        body: { status: isOn ? CHANNEL_KEY_STATUS.disabled : CHANNEL_KEY_STATUS.enabled },
      }),
    failed: t.switchFailed,
    stale: KEY_PARTS,
  })
  const removal = useChange({
    send: () => call(deleteChannelKey, { params }),
    failed: t.deleteFailed,
    stale: KEY_PARTS,
  })
  return {
    turn: () => void turn.run(),
    remove: () =>
      confirm({
        title: t.deleteTitle(formatCount(position)),
        text: t.deleteText(fingerprint),
        confirm: t.delete,
        busy: t.deleting,
        danger: true,
        run: removal.run,
      }),
  }
}

const KEY_PARTS = [['channels'], CHANNEL_HEALTH]

/**
 * The state of a key of a channel. `off`: switched off by a user · `refused`: by the gateway · `rests`: in cooldown, the whole key
 * or `models` of its models, until a time in unix milliseconds · `on`
 */
type KeyState =
  | { readonly kind: 'on' | 'off' | 'refused' }
  | { readonly kind: 'rests'; readonly until: number; readonly cause: CooldownCause; readonly models: number }

/** `lanes`: all lanes of the channel. A cooldown of the whole key takes precedence over those of single models. */
export function keyState({ fingerprint, status }: ChannelKey, lanes: readonly LaneHealth[]): KeyState {
  if (status === CHANNEL_KEY_STATUS.disabled) return { kind: 'off' }
  if (status === CHANNEL_KEY_STATUS.autoDisabled) return { kind: 'refused' }
  const own = lanes.filter((lane) => lane.fingerprint === fingerprint)
  const resting = own.flatMap(({ standing, cause, until }) =>
    standing === 'resting' && cause !== undefined && until !== undefined ? [{ cause, until }] : [],
  )
  const account = resting.find(({ cause }) => cause === 'account')
  const longest = resting.toSorted((a, b) => b.until - a.until)[0]
  if (longest === undefined) return { kind: 'on' }
  const isWhole = account !== undefined || resting.length === own.length
  return { kind: 'rests', ...(account ?? longest), models: isWhole ? 0 : resting.length }
}
