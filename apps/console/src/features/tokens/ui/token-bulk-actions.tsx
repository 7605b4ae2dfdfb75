import type { Token } from '@sluice/contract/token'
import { useCall } from '~/lib/http/use-call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { BulkChanges } from '~/ui/table/bulk-changes.tsx'
import { tokenChanges } from '../calls.ts'
import { tokenTexts } from '../texts/token-texts.ts'

export function TokenBulkActions({ tokens, clear }: { tokens: readonly Token[]; clear: () => void }) {
  const texts = useTexts(tokenTexts)
  return <BulkChanges area="tokens" calls={tokenChanges(useCall())} rows={tokens} clear={clear} texts={texts} />
}
