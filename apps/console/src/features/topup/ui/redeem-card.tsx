import { redeem } from '@sluice/contract/routes/redemptions'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import * as v from 'valibot'
import { useCommand } from '~/lib/commands/use-commands.ts'
import { formatCount } from '~/lib/format/quota.ts'
import { useCall } from '~/lib/http/use-call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Button } from '~/ui/button.tsx'
import { TextField } from '~/ui/form/form-fields.tsx'
import { useSubmitFailure } from '~/ui/form/submit-failure.ts'
import { useSchemaForm } from '~/ui/form/use-schema-form.ts'
import { Notice } from '~/ui/notice.tsx'
import { topupTexts } from '../texts/topup-texts.ts'
import { Card } from './card.tsx'

/** Longest code that the gateway accepts. */
const LONGEST = 100

/** A code for quota. The result of the last one stays until the next. */
export function RedeemCard() {
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
    // Balance, recent top-ups and everything else that other pages cache about this account.
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
