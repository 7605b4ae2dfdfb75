import { type Redemption, REDEMPTION_STATUS } from '@sluice/contract/redemption'
import { useCall } from '~/lib/http/use-call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { type RowChanges, useRowChanges } from '~/ui/table/use-row-changes.ts'
import { redemptionChanges } from '../calls.ts'
import { toggledStatus } from '../model/redemption-status.ts'
import { redemptionTexts } from '../texts/redemption-texts.ts'

/** The actions of the list on its codes; a used one keeps its status. */
export type RedemptionActions = Pick<RowChanges<Redemption>, 'toggle' | 'remove'>

export function useRedemptionActions(): RedemptionActions {
  const texts = useTexts(redemptionTexts)
  const calls = redemptionChanges(useCall())
  const { toggle, remove } = useRowChanges<Redemption>({
    area: 'redemptions',
    calls,
    nameOf: ({ name }) => name,
    texts,
    toggled: toggledStatus,
  })
  return {
    toggle,
    remove: (code) =>
      remove(code, code.status === REDEMPTION_STATUS.used ? texts.deleteUsedText(code.name) : undefined),
  }
}
