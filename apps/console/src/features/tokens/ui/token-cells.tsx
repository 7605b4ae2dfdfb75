import { type Token, TOKEN_STATUS } from '@sluice/contract/token'
import { Link } from '@tanstack/react-router'
import { formatQuota } from '~/lib/format/quota.ts'
import { useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useSystemStatus } from '~/lib/status/system-status.ts'
import { Badge } from '~/ui/badge.tsx'
import { IconButton } from '~/ui/button.tsx'
import { CodeIcon, EditIcon } from '~/ui/icons.tsx'
import { MaskedSecret } from '~/ui/masked-secret.tsx'
import { MENU_ITEM, MenuItem } from '~/ui/menu.tsx'
import { BudgetMeter } from '~/ui/quota/budget-meter.tsx'
import { tightestBudget } from '~/ui/quota/budgets.ts'
import { QuotaAmount } from '~/ui/quota/quota-amount.tsx'
import { quotaTexts } from '~/ui/quota/texts/quota-texts.ts'
import { ICON_LINK, DeleteButton, DeleteItem, RowMenu, SwitchButton, SwitchItem } from '~/ui/table/row-actions.tsx'
import { type RowChanges, useRowChanges } from '~/ui/table/use-row-changes.ts'
import { tokenChanges } from '../calls.ts'
import { tokenStatus } from '../model/token-status.ts'
import { tokenTexts } from '../texts/token-texts.ts'

export function TokenKey({ value }: { value: string }) {
  const t = useTexts(tokenTexts)
  return <MaskedSecret value={value} showLabel={t.showKey} hideLabel={t.hideKey} copyLabel={t.copyKey} />
}

export function TokenBadge({ status }: { status: number }) {
  const t = useTexts(tokenTexts)
  const { name, tone } = tokenStatus(status)
  return <Badge tone={tone}>{t.status[name]}</Badge>
}

export function RemainingQuota({ token }: { token: Token }) {
  const t = useTexts(tokenTexts)
  return (
    <span className="flex flex-col items-end gap-0.5">
      {token.unlimited_quota ? (
        <span className="text-muted">{t.unlimited}</span>
      ) : (
        <QuotaAmount quota={token.remain_quota} />
      )}
      <BudgetMeter budgets={token.budgets} />
    </span>
  )
}

export function QuotaLine({ token }: { token: Token }) {
  const t = useTexts(tokenTexts)
  const quota = useTexts(quotaTexts)
  const display = useSystemStatus()
  const left = token.unlimited_quota ? t.unlimited : t.left(formatQuota(token.remain_quota, display))
  const line = `${left} · ${t.used(formatQuota(token.used_quota, display))}`
  const tightest = tightestBudget(token.budgets)
  if (tightest === undefined) return line
  return `${line} · ${quota.budgetShare(quota.budget[tightest.budget.period], Math.floor(tightest.share * 100))}`
}

interface ActionsProps {
  readonly token: Token
  readonly actions: TokenActions
  readonly onUse: (token: Token) => void
}

export function TokenButtons({ token, actions, onUse }: ActionsProps) {
  const t = useTexts(tokenTexts)
  return (
    <span className="flex justify-end gap-0.5">
      <IconButton label={t.useToken} onClick={() => onUse(token)}>
        <CodeIcon />
      </IconButton>
      <Link to="/tokens/edit/$id" params={{ id: token.id }} aria-label={t.edit} data-tip={t.edit} className={ICON_LINK}>
        <EditIcon />
      </Link>
      <SwitchButton on={isOn(token)} onSwitch={() => void actions.toggle(token)} />
      <DeleteButton onDelete={() => actions.remove(token)} />
    </span>
  )
}

export function TokenMenu({ token, actions, onUse }: ActionsProps) {
  const t = useTexts(tokenTexts)
  return (
    <RowMenu name={useTokenLabel()(token)}>
      <Link to="/tokens/edit/$id" params={{ id: token.id }} role="menuitem" tabIndex={-1} className={MENU_ITEM}>
        <EditIcon />
        {t.edit}
      </Link>
      <SwitchItem on={isOn(token)} onSwitch={() => void actions.toggle(token)} />
      <MenuItem onSelect={() => onUse(token)}>
        <CodeIcon />
        {t.useToken}
      </MenuItem>
      <DeleteItem onDelete={() => actions.remove(token)} />
    </RowMenu>
  )
}

function isOn({ status }: Token): boolean {
  return status === TOKEN_STATUS.enabled
}

export function useTokenLabel(): (token: Pick<Token, 'id' | 'name'>) => string {
  const t = useTexts(tokenTexts)
  return ({ id, name }) => (name === '' ? t.nameOrId(String(id)) : name)
}

export type TokenActions = Pick<RowChanges<Token>, 'toggle' | 'remove'>

export function useTokenActions(): TokenActions {
  const texts = useTexts(tokenTexts)
  const calls = tokenChanges(useCall())
  return useRowChanges({ area: 'tokens', calls, nameOf: useTokenLabel(), texts })
}
