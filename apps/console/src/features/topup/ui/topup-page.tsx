import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { randomUuid } from '~/lib/random/uuid.ts'
import { useUser } from '~/lib/session/use-session.ts'
import { useSystemStatus } from '~/lib/status/system-status.ts'
import { buttonClass } from '~/ui/button.tsx'
import { Page } from '~/ui/page.tsx'
import { paymentAddress, type Payer } from '../model/payment-address.ts'
import { topupTexts } from '../texts/topup-texts.ts'
import { BalanceCard } from './balance-card.tsx'
import { Card } from './card.tsx'
import { RecentTopups } from './recent-topups.tsx'
import { RedeemCard } from './redeem-card.tsx'

/** The balance of the signed-in account and the ways to add to it. */
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

/** Links to the operator's shop, if there is one. Every payment has an id of its own. */
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
