import { type Redemption, REDEMPTION_STATUS } from '@sluice/contract/redemption'
import { updateRedemption } from '@sluice/contract/routes/redemptions'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, Link, useParams } from '@tanstack/react-router'
import { formatDateTime } from '~/lib/format/date.ts'
import { useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { buttonClass } from '~/ui/button.tsx'
import { FormSection, FormShell, useSaved } from '~/ui/form/form-shell.tsx'
import { useSchemaForm } from '~/ui/form/use-schema-form.ts'
import { LoadFailure } from '~/ui/load-failure.tsx'
import { Notice } from '~/ui/notice.tsx'
import { Page } from '~/ui/page.tsx'
import { Skeleton } from '~/ui/skeleton.tsx'
import { redemptionQuery } from '../calls.ts'
import {
  type RedemptionFormInput,
  redemptionFormSchema,
  type RedemptionFormValues,
  NEW_CODES,
  formOfRedemption,
} from '../model/redemption-form-values.ts'
import { redemptionTexts } from '../texts/redemption-texts.ts'
import { useMakeCodes } from './made-codes-dialog.tsx'
import { RedemptionFields } from './redemption-fields.tsx'

interface RedemptionFormProps {
  readonly start: RedemptionFormInput
  readonly isNew: boolean
  readonly hasExpiry?: boolean
  /** Returns what went wrong, or an empty text. */
  readonly onSave: (values: RedemptionFormValues) => Promise<string>
}

function RedemptionForm({ start, isNew, hasExpiry = false, onSave }: RedemptionFormProps) {
  const t = useTexts(redemptionTexts)
  const navigate = useNavigate()
  const { form, error, busy, onSubmit } = useSchemaForm(redemptionFormSchema(t), start, onSave)
  const saving = isNew ? t.creating : t.updating
  return (
    <FormShell
      onSubmit={onSubmit}
      error={error}
      busy={busy}
      submitLabel={busy ? saving : isNew ? t.create : t.update}
      onCancel={() => void navigate({ to: '/redemptions' })}
    >
      <FormSection title={t.about} text={isNew ? t.aboutNew : t.aboutStored}>
        <RedemptionFields control={form.control} isNew={isNew} hasExpiry={hasExpiry} />
      </FormSection>
    </FormShell>
  )
}

export function RedemptionCreatePage() {
  const t = useTexts(redemptionTexts)
  const navigate = useNavigate()
  const make = useMakeCodes()
  return (
    <Page title={t.createTitle} width="narrow">
      <RedemptionForm
        start={NEW_CODES}
        isNew
        onSave={async (values) => {
          const problem = await make(values)
          if (problem === '') await navigate({ to: '/redemptions' })
          return problem
        }}
      />
    </Page>
  )
}

export function RedemptionEditPage() {
  const t = useTexts(redemptionTexts)
  const { id } = useParams({ from: '/protected/redemptions/edit/$id' })
  const query = useQuery(redemptionQuery(useCall(), id))
  const stored = query.data
  return (
    <Page title={t.editTitle} {...(stored && { subtitle: `${stored.name} #${stored.id}` })} width="narrow">
      <LoadFailure query={query} text={t.loadFailed} />
      {query.isPending && <Skeleton className="h-64 w-full rounded-lg" />}
      {stored?.status === REDEMPTION_STATUS.used && <Receipt redemption={stored} />}
      {stored !== undefined && stored.status !== REDEMPTION_STATUS.used && <EditForm key={id} redemption={stored} />}
    </Page>
  )
}

function Receipt({ redemption }: { redemption: Redemption }) {
  const t = useTexts(redemptionTexts)
  const { redeemed_by: id, redeemed_by_name: name, redeemed_time: at } = redemption
  return (
    <>
      <Notice tone="info">{t.usedBy(name || `#${id}`, formatDateTime(at))}</Notice>
      <p>
        <Link to="/redemptions" className={buttonClass()}>
          {t.toList}
        </Link>
      </p>
    </>
  )
}

function EditForm({ redemption }: { redemption: Redemption }) {
  const t = useTexts(redemptionTexts)
  const call = useCall()
  const navigate = useNavigate()
  const saved = useSaved('redemptions')
  const hasExpiry = redemption.expired_time > 0
  const save = async ({ name, quota, expired_time }: RedemptionFormValues) => {
    const body = { id: redemption.id, name, quota, ...(hasExpiry && { expired_time }) }
    const reply = await call(updateRedemption, { query: {}, body })
    return saved(reply, { title: t.updated }, () => navigate({ to: '/redemptions' }))
  }
  return <RedemptionForm start={formOfRedemption(redemption)} isNew={false} hasExpiry={hasExpiry} onSave={save} />
}
