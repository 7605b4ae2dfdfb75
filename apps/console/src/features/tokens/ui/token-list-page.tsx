import type { Token } from '@sluice/contract/token'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense } from 'react'
import { formatOrder } from '~/lib/format/units.ts'
import { useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { buttonClass } from '~/ui/button.tsx'
import { PlusIcon } from '~/ui/icons.tsx'
import { Page } from '~/ui/page.tsx'
import { BulkChanges } from '~/ui/table/bulk-changes.tsx'
import { ListCard } from '~/ui/table/card-list.tsx'
import { ListTable } from '~/ui/table/list-table.tsx'
import { ListToolbar } from '~/ui/table/list-toolbar.tsx'
import { useListPage } from '~/ui/table/use-list-page.ts'
import { suggestTokens, tokenListQuery, tokenChanges } from '../calls.ts'
import { tokenTexts } from '../texts/token-texts.ts'
import { QuotaLine, TokenBadge, TokenKey, TokenMenu, useTokenActions, useTokenLabel } from './token-cells.tsx'
import { tokenColumns } from './token-columns.tsx'
import { TokenUsePanel } from './token-use-panel.tsx'

const TokenPauses = lazy(async () => ({ default: (await import('./token-pauses.tsx')).TokenPauses }))

export function TokenListPage() {
  const t = useTexts(tokenTexts)
  const call = useCall()
  const navigate = useNavigate({ from: '/tokens' })
  const search = useSearch({ from: '/protected/tokens' })
  const list = useListPage({
    search,
    onSearch: (change) => void navigate({ search: (previous) => ({ ...previous, ...change }) }),
    queryOf: (page) => tokenListQuery(call, page),
  })
  const actions = useTokenActions()
  const label = useTokenLabel()
  const onUse = ({ id }: Token) =>
    void navigate({ search: (previous) => ({ ...previous, use: id }), resetScroll: false })
  const closePanel = () => void navigate({ search: ({ use: _closed, ...previous }) => previous, resetScroll: false })

  return (
    <Page
      title={t.title}
      subtitle={t.subtitle}
      actions={
        <Link to="/tokens/add" className={buttonClass('primary')}>
          <PlusIcon />
          {t.addToken}
        </Link>
      }
    >
      <Suspense>
        <TokenPauses />
      </Suspense>
      <ListTable
        name="tokens"
        label={t.title}
        columns={tokenColumns({ t, actions, label, onUse })}
        {...list.table}
        empty={search.keyword === '' ? t.empty : t.noMatch}
        selection={{
          nameOf: label,
          actions: (tokens, clear) => <TokenBulkActions tokens={tokens} clear={clear} />,
          all: list.every,
        }}
        openId={search.use === undefined ? undefined : String(search.use)}
        toolbar={
          <ListToolbar
            area="tokens"
            texts={t}
            {...list.toolbar}
            load={(text, signal) => suggestTokens(call, text, signal)}
            add={{ label: t.addToken, run: () => void navigate({ to: '/tokens/add' }) }}
          />
        }
        card={(token) => <TokenCard token={token} menu={<TokenMenu token={token} actions={actions} onUse={onUse} />} />}
      />
      {search.use !== undefined && <TokenUsePanel id={search.use} onClose={closePanel} />}
    </Page>
  )
}

function TokenCard({ token, menu }: { token: Token; menu: ReactNode }) {
  const t = useTexts(tokenTexts)
  const label = useTokenLabel()
  return (
    <ListCard
      title={
        <Link to="/tokens/edit/$id" params={{ id: token.id }}>
          {label(token)} <span className="text-muted font-normal">#{token.id}</span>
        </Link>
      }
      badge={<TokenBadge status={token.status} />}
      details={
        <>
          <span className="[&_button]:size-8!">
            <TokenKey value={token.key} />
          </span>
          <span>
            <QuotaLine token={token} />
          </span>
          {token.groups.length > 0 && <span>{t.via(formatOrder(token.groups))}</span>}
        </>
      }
      menu={menu}
    />
  )
}

function TokenBulkActions({ tokens, clear }: { tokens: readonly Token[]; clear: () => void }) {
  const texts = useTexts(tokenTexts)
  return <BulkChanges area="tokens" calls={tokenChanges(useCall())} rows={tokens} clear={clear} texts={texts} />
}
