import { can } from '@sluice/contract/capability'
import { self } from '@sluice/contract/routes/account'
import { listAlarms } from '@sluice/contract/routes/alarms'
import { listChannels } from '@sluice/contract/routes/channels'
import { listTokens } from '@sluice/contract/routes/tokens'
import { totpStatus } from '@sluice/contract/routes/totp'
import { listUsers } from '@sluice/contract/routes/users'
import { useQuery } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { useEffect, useEffectEvent, useId, useState } from 'react'
import { useIsBelow } from '~/lib/dom/use-media.ts'
import { type Call, successOf, useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import type { QuerySpec } from '~/lib/query/queries.ts'
import { useUser } from '~/lib/session/session.ts'
import { Button, buttonClass, IconButton } from '~/ui/button.tsx'
import { CheckIcon, ChevronDownIcon } from '~/ui/icon.tsx'
import { firstStepsTexts } from '../texts/first-steps-texts.ts'

/** A step without a screen has no link. */
const PLACES: Readonly<Record<Step, string>> = {
  token: '/tokens/add',
  call: '/tokens',
  balance: '/topup',
  twoFactor: '/settings',
  channel: '/channels/add',
  channelTest: '/channels',
  prices: '/alarms',
  user: '/users/add',
}

interface FirstStepsProps {
  /** True when the card covers nothing. */
  readonly roomy: boolean
  readonly onOver: () => void
}

/** Open and floating while there is no data, so that nothing moves when it appears; later a small button at the end of the page. */
export function FirstSteps({ roomy, onOver }: FirstStepsProps) {
  const t = useTexts(firstStepsTexts)
  const call = useCall()
  const role = useUser()?.role
  const beginnings = useQuery(beginningsQuery(call, role)).data
  const [choice, setChoice] = useState<boolean>()
  const phone = useIsBelow('tablet')
  const listId = useId()
  const steps = beginnings === undefined ? [] : stepsOf(beginnings)
  const done = steps.filter((one) => one.done).length
  const isOver = steps.length > 0 && done === steps.length
  const noteOver = useEffectEvent(onOver)
  useEffect(() => {
    if (isOver) noteOver()
  }, [isOver])
  if (beginnings === undefined || isOver) return null
  const open = choice ?? (roomy && !phone)
  return (
    <section aria-label={t.title} className={clsx('ms-auto w-fit', open && 'sticky bottom-3 z-10')}>
      {open ? (
        <div className="bg-raised border-line shadow-float w-72 max-w-full rounded-xl border p-4 motion-safe:animate-[rise_.2s]">
          <div className="mb-2 flex items-start justify-between gap-2">
            <div>
              <h2 className="font-semibold">{t.title}</h2>
              <p className="text-muted text-xs">{t.progress(done, steps.length)}</p>
            </div>
            <IconButton label={t.collapse} aria-expanded="true" aria-controls={listId} onClick={() => setChoice(false)}>
              <ChevronDownIcon />
            </IconButton>
          </div>
          <ol id={listId} className="mb-3 flex flex-col gap-0.5">
            {steps.map((one) => (
              <StepRow key={one.step} {...one} />
            ))}
          </ol>
          <Button size="small" variant="ghost" onClick={onOver}>
            {t.dismiss}
          </Button>
        </div>
      ) : (
        <button
          type="button"
          aria-expanded="false"
          onClick={() => setChoice(true)}
          className={clsx(buttonClass('secondary'), 'rounded-full')}
        >
          {t.title}
          <span className="text-muted tabular-nums">
            {done}/{steps.length}
          </span>
        </button>
      )}
    </section>
  )
}

function StepRow({ step, done }: StepState) {
  const t = useTexts(firstStepsTexts)
  const place = PLACES[step]
  const exists = place in useRouter().routesByPath
  const mark = (
    <span
      className={clsx(
        'flex size-5 shrink-0 items-center justify-center rounded-full border',
        done ? 'border-good text-good' : 'border-control',
      )}
    >
      {done && <CheckIcon />}
    </span>
  )
  const text = (
    <>
      {mark}
      <span className={clsx('grow', done && 'text-muted line-through')}>{t.steps[step]}</span>
      <span className="sr-only">{done ? t.done : t.open}</span>
    </>
  )
  const look = 'flex min-h-8 items-center gap-2.5 rounded-md px-1.5 text-sm pointer-coarse:min-h-11'
  return (
    <li>
      {done || !exists ? (
        <span className={look}>{text}</span>
      ) : (
        <Link to={place} className={clsx(look, 'hover:bg-hover')}>
          {text}
        </Link>
      )}
    </li>
  )
}

export const USER_STEPS = ['token', 'call', 'balance', 'twoFactor'] as const
export const OPERATOR_STEPS = ['channel', 'channelTest', 'prices', 'user'] as const
type Step = (typeof USER_STEPS)[number] | (typeof OPERATOR_STEPS)[number]

export interface Beginnings {
  readonly tokens: number
  /** Number of requests ever charged; NaN where the server does not count them. */
  readonly requests: number
  /** In quota points. */
  readonly balance: number
  readonly twoFactor: boolean
  /** Absent for users who do not operate the gateway. */
  readonly gateway?: {
    readonly channels: number
    readonly tested: boolean
    readonly unpricedModels: number
    readonly users: number
  }
}

interface StepState {
  readonly step: Step
  readonly done: boolean
}

/** Ordered so that each step is possible: a gateway needs a channel before it can be called. */
export function stepsOf({ tokens, requests, balance, twoFactor, gateway }: Beginnings): readonly StepState[] {
  const own = [
    { step: 'token', done: tokens > 0 },
    // Steps whose state cannot be known are left out.
    { step: 'call', done: requests !== 0 },
    { step: 'balance', done: balance > 0 },
    { step: 'twoFactor', done: twoFactor },
  ] as const
  if (gateway === undefined) return own
  const { channels, tested, unpricedModels, users } = gateway
  return [
    { step: 'channel', done: channels > 0 },
    { step: 'channelTest', done: tested },
    { step: 'prices', done: channels > 0 && unpricedModels === 0 },
    ...own,
    // The operator is one of the users.
    { step: 'user', done: users > 1 },
  ]
}

const ONE = '1'
const UNPRICED = 'unpriced_model'

function beginningsQuery(call: Call, role: number | undefined): QuerySpec<Beginnings> {
  return {
    queryKey: ['dashboard', 'beginnings', role],
    queryFn: async ({ signal }) => {
      const [account, tokens, totp, gateway] = await Promise.all([
        call(self, { signal }).then(successOf),
        call(listTokens, { query: { size: ONE }, signal }).then(successOf),
        call(totpStatus, { signal }).then(successOf),
        can(role, 'channels.manage') ? gatewayBeginnings(call, signal) : undefined,
      ])
      return {
        tokens: tokens.total,
        requests: account.data.request_count,
        balance: account.data.quota,
        twoFactor: totp.data.totp_enabled,
        ...(gateway !== undefined && { gateway }),
      }
    },
  }
}

async function gatewayBeginnings(call: Call, signal: AbortSignal): Promise<Beginnings['gateway']> {
  const [channels, users, alarms] = await Promise.all([
    call(listChannels, { query: { size: ONE, sort: 'test_time', order: 'desc' }, signal }).then(successOf),
    call(listUsers, { query: { size: ONE }, signal }).then(successOf),
    call(listAlarms, { query: {}, signal }).then(successOf),
  ])
  return {
    channels: channels.total,
    tested: (channels.data[0]?.test_time ?? 0) > 0,
    unpricedModels: alarms.data.filter(({ kind }) => kind === UNPRICED).length,
    users: users.total,
  }
}
