import { redeem } from '@sluice/contract/routes/redemptions'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState, useMemo, type ReactNode, useId } from 'react'
import * as v from 'valibot'
import { useCommand } from '~/lib/commands.ts'
import { formatCount, formatCurrency, formatQuota } from '~/lib/format/quota.ts'
import { useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useUser } from '~/lib/session/session.ts'
import { useSystemStatus } from '~/lib/status/system-status.ts'
import { randomUuid } from '~/lib/uuid.ts'
import { buttonClass, Button } from '~/ui/button.tsx'
import { TextField } from '~/ui/form/form-fields.tsx'
import { useSubmitFailure, useSchemaForm } from '~/ui/form/use-schema-form.ts'
import { LoadNotice } from '~/ui/load-failure.tsx'
import { Notice } from '~/ui/notice.tsx'
import { Page } from '~/ui/page.tsx'
import { QuotaAmount } from '~/ui/quota/quota-amount.tsx'
import { Skeleton } from '~/ui/skeleton.tsx'
import { Time } from '~/ui/time.tsx'
import { balanceQuery, recentTopupsQuery } from '../calls.ts'
import { topupTexts } from '../texts/topup-texts.ts'

export function TopupPage() {
  const t = useTexts(topupTexts)
  const user = useUser()
  return (
    <Page title={t.title} subtitle={t.subtitle} width="wide">
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-4">
          <BalanceCard />
          <RecentTopups />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <RedeemCard />
          {user !== undefined && <PaymentCard payer={user} />}
          <TipsCard />
        </div>
      </div>
    </Page>
  )
}

const newTransaction = () => randomUuid((bytes) => crypto.getRandomValues(bytes))

/** Links to the operator's shop, if there is one. Every payment has its own id. */
function PaymentCard({ payer }: { payer: Payer }) {
  const t = useTexts(topupTexts)
  const { top_up_link } = useSystemStatus()
  const [transaction, setTransaction] = useState(newTransaction)
  const address = paymentAddress(top_up_link, payer, transaction)
  if (address === undefined) return null
  const renew = () => setTransaction(newTransaction())
  return (
    <Card title={t.payment}>
      <p className="text-muted text-sm">{t.paymentText}</p>
      <div>
        <a
          href={address}
          target="_blank"
          rel="noopener noreferrer"
          onClick={renew}
          onAuxClick={renew}
          className={buttonClass('secondary')}
        >
          {t.pay}
        </a>
      </div>
    </Card>
  )
}

function TipsCard() {
  const t = useTexts(topupTexts)
  return (
    <Card title={t.tips}>
      <ul className="text-muted list-disc ps-5 text-sm leading-6">
        {Object.entries(t.tipList).map(([id, text]) => (
          <li key={id}>{text}</li>
        ))}
      </ul>
      <div>
        <Link to="/logs" className="text-accent text-sm underline">
          {t.openLogs}
        </Link>
      </div>
    </Card>
  )
}

/** What the family's servers send for a balance without a limit. */
const UNLIMITED = -1

/** In quota tokens, with the value in money where the settings show money. */
function BalanceCard() {
  const t = useTexts(topupTexts)
  const status = useSystemStatus()
  const query = useQuery(balanceQuery(useCall()))
  const { data, isPending } = query
  return (
    <Card title={t.balance}>
      <LoadNotice query={query} text={t.balanceFailed} />
      {isPending && <Skeleton className="h-20 w-full" />}
      {data !== undefined && (
        <div>
          <p className="text-2xl font-semibold tabular-nums wrap-anywhere">
            {data.quota === UNLIMITED ? t.unlimited : t.tokens(formatCount(data.quota))}
          </p>
          {status.display_in_currency && data.quota !== UNLIMITED && (
            <p className="text-muted tabular-nums">{t.worth(formatCurrency(data.quota, status))}</p>
          )}
          <p className="text-muted mt-2 text-sm tabular-nums">
            {t.used(formatQuota(data.used_quota, status), formatCount(data.request_count))}
          </p>
        </div>
      )}
    </Card>
  )
}

function RecentTopups() {
  const t = useTexts(topupTexts)
  const query = useQuery(recentTopupsQuery(useCall()))
  const { data, isPending } = query
  return (
    <Card title={t.recent}>
      <LoadNotice query={query} text={t.recentFailed} />
      {isPending && <Skeleton className="h-16 w-full" />}
      {data?.length === 0 && <p className="text-muted text-sm">{t.recentEmpty}</p>}
      {data !== undefined && data.length > 0 && (
        <ul className="divide-line flex flex-col divide-y">
          {data.map((row) => (
            <li key={row.id} className="flex items-baseline justify-between gap-4 py-2 text-sm">
              <span className="min-w-0">
                <span className="block wrap-anywhere">{row.content}</span>
                <span className="text-muted text-xs">
                  <Time at={row.created_at} />
                </span>
              </span>
              <span className="font-medium tabular-nums">
                <QuotaAmount quota={row.quota} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

/** Longest code that the gateway accepts. */
const LONGEST = 100

function RedeemCard() {
  const t = useTexts(topupTexts)
  const call = useCall()
  const cache = useQueryClient()
  const failed = useSubmitFailure(t.redeemFailed)
  const [added, setAdded] = useState<number>()
  const schema = useMemo(
    () => v.object({ key: v.pipe(v.string(), v.trim(), v.minLength(1, t.codeRequired), v.maxLength(LONGEST)) }),
    [t],
  )
  const { form, error, busy, onSubmit } = useSchemaForm(schema, { key: '' }, async (values) => {
    setAdded(undefined)
    const reply = await call(redeem, { body: values })
    if (!reply.ok) return failed(reply)
    setAdded(reply.data)
    form.reset()
    void cache.invalidateQueries()
    return ''
  })
  useCommand({ id: 'topup.redeem', label: t.redeemCommand, group: t.group, run: () => form.setFocus('key') })
  return (
    <Card title={t.redeemTitle}>
      <form noValidate onSubmit={onSubmit} className="flex flex-col gap-3">
        <TextField
          control={form.control}
          name="key"
          label={t.code}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          mono
        />
        {error !== '' && <Notice tone="bad">{error}</Notice>}
        {error === '' && added !== undefined && <Notice tone="good">{t.redeemed(formatCount(added))}</Notice>}
        <div>
          <Button type="submit" variant="primary" busy={busy}>
            {busy ? t.redeeming : t.redeem}
          </Button>
        </div>
      </form>
    </Card>
  )
}

function Card({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="border-line bg-surface flex flex-col gap-3 rounded-lg border p-4 md:p-5">
      <h2 id={id} className="font-semibold">
        {title}
      </h2>
      {children}
    </section>
  )
}

interface Payer {
  readonly id: number
  readonly username: string
}

/**
 * `undefined` unless an address is configured that a browser may be sent to. Keeps the link's parameters, except those with our
 * names.
 */
export function paymentAddress(link: string, payer: Payer, transactionId: string): string | undefined {
  const url = URL.parse(link.trim())
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined
  url.searchParams.set('username', payer.username)
  url.searchParams.set('user_id', String(payer.id))
  url.searchParams.set('transaction_id', transactionId)
  return url.href
}
