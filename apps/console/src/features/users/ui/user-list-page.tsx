import type { User } from '@sluice/contract/user'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { formatCount } from '~/lib/format/quota.ts'
import { useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useUser } from '~/lib/session/session.ts'
import { Button } from '~/ui/button.tsx'
import { PlusIcon } from '~/ui/icons.tsx'
import { Page } from '~/ui/page.tsx'
import { BulkChanges } from '~/ui/table/bulk-changes.tsx'
import { ListCard } from '~/ui/table/card-list.tsx'
import { ListTable } from '~/ui/table/list-table.tsx'
import { ListToolbar } from '~/ui/table/list-toolbar.tsx'
import { useListPage } from '~/ui/table/use-list-page.ts'
import { suggestUsers, userListQuery, userChanges } from '../calls.ts'
import { authorityOver } from '../model/authority.ts'
import { roleName } from '../model/user-form-values.ts'
import { userTexts } from '../texts/user-texts.ts'
import { AddUserDialog } from './add-user-dialog.tsx'
import { TopUpDialog } from './top-up-dialog.tsx'
import { QuotaLine, RoleName, UserStatusBadge, userColumns } from './user-columns.tsx'
import { UserPanel } from './user-panel.tsx'
import { useUserActions, UserButtons, UserMenu } from './user-row-actions.tsx'

export function UserListPage() {
  const t = useTexts(userTexts)
  const { search, list, opened, suggest, onOpen, onClose } = useUserList()
  const actions = useUserActions()
  const [adding, setAdding] = useState(false)
  const [toppedUp, setToppedUp] = useState<User>()
  const ofRow = { actions, onTopUp: setToppedUp, onOpen }
  const columns = userColumns({
    t,
    name: (user) => <UserLink user={user} />,
    actions: (user) => <UserButtons user={user} {...ofRow} />,
  })

  return (
    <Page
      title={t.title}
      subtitle={t.subtitle}
      actions={
        <Button variant="primary" onClick={() => setAdding(true)}>
          <PlusIcon />
          {t.addUser}
        </Button>
      }
    >
      <ListTable
        name="users"
        label={t.title}
        columns={columns}
        {...list.table}
        empty={search.keyword === '' ? t.empty : t.noMatch}
        selection={{
          nameOf: (user) => user.username,
          actions: (users, clear) => <UserBulkActions users={users} clear={clear} />,
          all: list.every,
        }}
        openId={search.id === undefined ? undefined : String(search.id)}
        onOpen={onOpen}
        toolbar={
          <ListToolbar
            area="users"
            texts={t}
            {...list.toolbar}
            load={suggest}
            add={{ label: t.addUser, run: () => setAdding(true) }}
            sortBy={columns}
          />
        }
        card={(user) => <UserCard user={user} menu={<UserMenu user={user} {...ofRow} />} />}
      />
      {search.id !== undefined && <UserPanel id={search.id} row={opened} onClose={onClose} onTopUp={setToppedUp} />}
      {adding && <AddUserDialog onClose={() => setAdding(false)} />}
      {toppedUp !== undefined && <TopUpDialog user={toppedUp} onClose={() => setToppedUp(undefined)} />}
    </Page>
  )
}

function useUserList() {
  const t = useTexts(userTexts)
  const call = useCall()
  const navigate = useNavigate({ from: '/users' })
  const search = useSearch({ from: '/protected/users' })
  const list = useListPage({
    search,
    onSearch: (change) => void navigate({ search: (previous) => ({ ...previous, ...change }) }),
    queryOf: (page) => userListQuery(call, page),
  })
  return {
    search,
    list,
    opened: list.query.data?.rows.find(({ id }) => id === search.id),
    suggest: async (text: string, signal: AbortSignal) =>
      (await suggestUsers(call, text, signal))?.map(({ id, label, role }) => ({
        id,
        label,
        hint: `#${id} · ${t.role[roleName(role)]}`,
      })),
    onOpen: ({ id }: User) => void navigate({ search: (previous) => ({ ...previous, id }), resetScroll: false }),
    onClose: () => void navigate({ search: ({ id: _closed, ...previous }) => previous, resetScroll: false }),
  }
}

function UserLink({ user }: { user: User }) {
  const t = useTexts(userTexts)
  return (
    <Link
      from="/users"
      search={(previous) => ({ ...previous, id: user.id })}
      resetScroll={false}
      data-tip={t.details(user.username)}
      className="block truncate font-medium hover:underline"
    >
      {user.username}
      {hasOtherName(user) && <span className="text-muted font-normal"> {user.display_name}</span>}
    </Link>
  )
}

function UserCard({ user, menu }: { user: User; menu: ReactNode }) {
  return (
    <ListCard
      title={
        <Link from="/users" search={(previous) => ({ ...previous, id: user.id })} resetScroll={false}>
          {user.username} <span className="text-muted font-normal">#{user.id}</span>
        </Link>
      }
      badge={<UserStatusBadge status={user.status} />}
      details={
        <>
          <span>
            <RoleName role={user.role} /> · {user.group}
          </span>
          <span>
            <QuotaLine user={user} />
          </span>
        </>
      }
      menu={menu}
    />
  )
}

function hasOtherName({ username, display_name: name }: User): boolean {
  return name !== '' && name !== username
}

/** Users whom the visitor may not change are left as they are, and counted. */
function UserBulkActions({ users, clear }: { users: readonly User[]; clear: () => void }) {
  const t = useTexts(userTexts)
  const calls = userChanges(useCall())
  const caller = useUser()
  const within = users.filter((user) => authorityOver(caller, user).toggle === undefined)
  return (
    <>
      {within.length < users.length && (
        <span className="text-muted text-sm">{t.barredRows(formatCount(users.length - within.length))}</span>
      )}
      {within.length > 0 && <BulkChanges area="users" calls={calls} rows={within} clear={clear} texts={t} />}
    </>
  )
}
