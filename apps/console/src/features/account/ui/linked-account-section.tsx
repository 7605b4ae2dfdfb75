import { bindWeChat, oauthState, unbindIdentity } from '@sluice/contract/routes/providers'
import type { User } from '@sluice/contract/user'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import * as v from 'valibot'
import { useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { pageFromSettings, webPage } from '~/lib/session/provider-page.ts'
import { useSystemStatus, type ConsoleStatus } from '~/lib/status/system-status.ts'
import { Button } from '~/ui/button.tsx'
import { useConfirm } from '~/ui/confirm.tsx'
import { Skeleton } from '~/ui/skeleton.tsx'
import { useToasts } from '~/ui/toast/toasts.ts'
import { useChange, useTellFailure } from '~/ui/use-change.ts'
import { OWN_ACCOUNT, publicSettingsQuery } from '../calls.ts'
import { signInTexts } from '../texts/sign-in-texts.ts'
import { AskDialog } from './ask-dialog.tsx'
import { SectionCard } from './section-card.tsx'

/** Accounts at other providers that can sign the user in here; linking one opens the provider's page, which leads back here. */
export function LinkedAccountSection({ account }: { account: User | undefined }) {
  const t = useTexts(signInTexts)
  const status = useSystemStatus()
  const rows = account === undefined ? undefined : linkedAccounts(status, account)
  return (
    <SectionCard id="linked" title={t.providers} text={t.providersText}>
      {rows === undefined && <Skeleton className="h-5 w-64" />}
      {rows?.length === 0 && <p className="text-muted text-sm">{t.noProviders}</p>}
      {rows !== undefined && rows.length > 0 && (
        <ul aria-label={t.providers} className="divide-line -my-2 divide-y">
          {rows.map((row) => (
            <LinkedAccountRow key={row.provider} row={row} />
          ))}
        </ul>
      )}
    </SectionCard>
  )
}

function LinkedAccountRow({ row: { provider, name, offered } }: { row: LinkedAccount }) {
  const t = useTexts(signInTexts)
  const call = useCall()
  const confirm = useConfirm()
  const toasts = useToasts()
  const tell = useTellFailure()
  const [busy, setBusy] = useState(false)
  const [asksWeChat, setAsksWeChat] = useState(false)
  const status = useSystemStatus()
  const title = t.names[provider]

  const link = async () => {
    if (provider === 'wechat') return setAsksWeChat(true)
    setBusy(true)
    const reply = await call(oauthState, { query: { provider } })
    const page = reply.ok
      ? webPage(reply.extra.authorization_url || pageFromSettings(provider, status, reply.data))
      : undefined
    // Stays busy while the browser navigates there.
    if (page !== undefined) return window.location.assign(page.href)
    setBusy(false)
    if (reply.ok) toasts.show({ tone: 'bad', title: t.linkFailed(title) })
    else tell(t.linkFailed(title), reply)
  }
  const unlink = useChange({
    send: () => call(unbindIdentity, { query: { provider } }),
    failed: t.unlinkFailed(title),
    done: t.unlinked(title),
    stale: [OWN_ACCOUNT],
  })
  const askToUnlink = () =>
    confirm({
      title: t.unlinkTitle(title),
      text: t.unlinkText(title),
      confirm: t.unlink,
      busy: t.unlinking,
      danger: true,
      run: unlink.run,
    })
  return (
    <li className="flex items-center gap-3 py-2">
      <div className="min-w-0 grow">
        <p className="text-sm font-medium">{title}</p>
        <p className="text-muted text-xs wrap-anywhere">{name === '' ? t.notLinked : t.linkedAs(name)}</p>
      </div>
      {name === '' ? (
        offered && (
          <Button size="small" aria-label={t.linkOf(title)} busy={busy} onClick={() => void link()}>
            {t.link}
          </Button>
        )
      ) : (
        <Button size="small" aria-label={t.unlinkOf(title)} onClick={askToUnlink}>
          {t.unlink}
        </Button>
      )}
      {asksWeChat && <WeChatDialog onClose={() => setAsksWeChat(false)} />}
    </li>
  )
}

/** WeChat has no page to go to: its account replies to a message with a code. */
function WeChatDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts(signInTexts)
  const call = useCall()
  const cache = useQueryClient()
  const toasts = useToasts()
  const picture = useQuery(publicSettingsQuery(call)).data?.wechat_qrcode ?? ''
  const link = async (code: string) => {
    const reply = await call(bindWeChat, { query: { code } })
    if (!reply.ok) return reply.message || t.linkFailed(t.names.wechat)
    toasts.show({ tone: 'good', title: t.linked(t.names.wechat) })
    await cache.invalidateQueries({ queryKey: OWN_ACCOUNT })
    onClose()
    return ''
  }
  return (
    <AskDialog
      title={t.wechatTitle}
      text={t.wechatText}
      field={t.wechatCode}
      rule={v.pipe(v.string(), v.trim(), v.minLength(1, t.wechatCodeRequired))}
      mono
      submit={t.link}
      busyLabel={t.saving}
      onSubmit={link}
      onClose={onClose}
    >
      {webPage(picture) !== undefined && (
        <img src={picture} alt={t.wechatQrCode} className="size-48 self-center rounded-md bg-white object-contain" />
      )}
    </AskDialog>
  )
}

export const LINK_PROVIDERS = ['github', 'lark', 'oidc', 'wechat'] as const
export type LinkProvider = (typeof LINK_PROVIDERS)[number]

interface LinkedAccount {
  readonly provider: LinkProvider
  /** Name at the provider; empty when nothing is linked. */
  readonly name: string
  /** False for a provider that has since been switched off: it can only be unlinked. */
  readonly offered: boolean
}

type Offers = Pick<ConsoleStatus, 'github_oauth' | 'lark_client_id' | 'oidc' | 'wechat_login'>
type Names = Pick<User, 'github_id' | 'lark_id' | 'oidc_id' | 'wechat_id'>

export function linkedAccounts(status: Offers, account: Names): readonly LinkedAccount[] {
  // Lark has no switch: it is on when it is set up.
  const offered = {
    github: status.github_oauth,
    lark: status.lark_client_id !== '',
    oidc: status.oidc,
    wechat: status.wechat_login,
  }
  return LINK_PROVIDERS.map((provider) => ({
    provider,
    name: account[`${provider}_id`],
    offered: offered[provider],
  })).filter((each) => each.offered || each.name !== '')
}
