import { isRefusal, refusalText } from '@sluice/contract/errors'
import { splitList } from '@sluice/contract/fields/comma-list'
import type { ChannelRules } from './channel-rules.ts'
import type { DeclaredConfiguration } from './document/check-document.ts'
import type { DocumentProblem, Problems } from './document/read-document.ts'

/** Stands for a key that a channel already has. */
const SOME_KEY = 'not-looked-up'

/** Checks what needs no database: prices, channels by the rules of their types, and groups if the file has them. */
export function validateAlone(
  {
    rules,
    priceOverridesProblem,
  }: { readonly rules: ChannelRules; readonly priceOverridesProblem: (text: string) => string | undefined },
  { options, channels, problem }: DeclaredConfiguration,
  hasSecrets: boolean,
): Problems | undefined {
  const problems: DocumentProblem[] = []
  const textOf = (key: string) => options.find((option) => option.key === key)?.text
  const overrides = textOf('PriceOverrides')
  const badPrice = overrides === undefined ? undefined : priceOverridesProblem(overrides)
  if (badPrice !== undefined) problems.push(problem(['options', 'PriceOverrides'], badPrice))
  const groupsText = textOf('Groups')
  const groups = groupsText === undefined ? undefined : Object.keys(JSON.parse(groupsText) as object)
  for (const { form, hasKey, path } of channels) {
    const unknown = splitList(form.group).findIndex((group) => groups !== undefined && !groups.includes(group))
    if (unknown >= 0) problems.push(problem([...path('groups'), unknown], 'names a group that is not in Groups'))
    const planned = rules.plan(hasKey ? form : { ...form, key: SOME_KEY }, undefined)
    if (!isRefusal(planned)) continue
    const field = planned.field ?? 'name'
    const isAboutKey = field === 'key' && !(hasKey && hasSecrets)
    const rule = planned.code === 'invalid_body' ? String(planned.params?.['rule']) : refusalText(planned)
    if (!isAboutKey) problems.push(problem(path(field), rule))
  }
  return problems.length === 0 ? undefined : { problems }
}
