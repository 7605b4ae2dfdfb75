import { deleteToken, updateToken } from '@sluice/contract/routes/tokens'
import { type Token, TOKEN_STATUS } from '@sluice/contract/token'
import { useQueryClient } from '@tanstack/react-query'
import { formatCount } from '../../../lib/format/quota.ts'
import { useCall } from '../../../lib/http/use-call.ts'
import { useTexts } from '../../../lib/i18n/i18n.ts'
import { BulkButton } from '../../../ui/table/bulk-button.tsx'
import { tokenTexts } from '../texts/token-texts.ts'

/** What can be done to the selected tokens. */
export function TokenBulkActions({ tokens, clear }: { tokens: readonly Token[]; clear: () => void }) {
  const t = useTexts(tokenTexts)
  const call = useCall()
  const cache = useQueryClient()
  const onDone = () => {
    clear()
    void cache.invalidateQueries({ queryKey: ['tokens'] })
  }
  const setStatus = (status: 1 | 2) => async (token: Token) =>
    (await call(updateToken, { query: { status_only: '1' }, body: { id: token.id, status } })).ok
  const remove = async (token: Token) => (await call(deleteToken, { params: { id: token.id } })).ok
  return (
    <>
      <BulkButton label={t.enable} rows={tokens} act={setStatus(TOKEN_STATUS.enabled)} onDone={onDone} />
      <BulkButton label={t.disable} rows={tokens} act={setStatus(TOKEN_STATUS.disabled)} onDone={onDone} />
      <BulkButton
        label={t.delete}
        rows={tokens}
        act={remove}
        onDone={onDone}
        question={{
          title: t.deleteManyTitle,
          text: t.deleteManyText(formatCount(tokens.length)),
          confirm: t.delete,
          danger: true,
        }}
      />
    </>
  )
}
