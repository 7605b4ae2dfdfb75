import { useState } from 'react'
import { flushSync } from 'react-dom'
import { formatRatio } from '~/lib/format/units.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Button } from '~/ui/button.tsx'
import { MultiSelect } from '~/ui/combobox/multi-select.tsx'
import { Field, TextInput } from '~/ui/field.tsx'
import { PlusIcon } from '~/ui/icons.tsx'
import { type GroupField, groupProblem, type GroupRow, groupRowsOf, withNewGroup } from '../model/group-rows.ts'
import type { SettingOf } from '../model/setting.ts'
import { optionTexts } from '../texts/option-texts.ts'
import { EntryForm, keepFocus } from './save-controls.tsx'
import type { SettingProps } from './setting-field.tsx'
import { SettingRow } from './setting-row.tsx'
import { useSettingTexts, useSetting } from './use-setting.ts'

/** Maximum lengths in characters, as the gateway limits them. */
const MOST: Partial<Record<GroupField, number>> = { name: 32, title: 60, text: 300 }
const FIELDS: readonly GroupField[] = ['name', 'ratio', 'title', 'text', 'ratioFor', 'order']
const EVERYONE = '*'

export function GroupsSetting({ setting, stored, tab }: SettingProps<SettingOf<'groups'>>) {
  const t = useTexts(optionTexts).group
  const { label } = useSettingTexts()(setting.key)
  const editing = useSetting(setting, stored)
  const rows = groupRowsOf(editing.entry)
  const wrong = editing.problem === '' ? undefined : groupProblem(rows)
  const change = (next: readonly GroupRow[]) => editing.edit(JSON.stringify(next))
  return (
    <SettingRow setting={setting} tab={tab} place="below" unlabelled>
      {() => (
        <EntryForm name={label} editing={editing} error={undefined}>
          {rows.map((row, at) => (
            <Group
              key={row.key}
              row={row}
              names={rows.map(({ name }) => name)}
              wrong={wrong?.row === row ? wrong.field : undefined}
              problem={editing.problem}
              onChange={(next) => change(rows.with(at, next))}
              onRemove={() => change(rows.toSpliced(at, 1))}
            />
          ))}
          <span>
            <Button
              size="small"
              onClick={({ currentTarget }) => {
                flushSync(() => change(withNewGroup(rows)))
                currentTarget.closest('form')?.querySelector<HTMLElement>('details:last-of-type input')?.focus()
              }}
            >
              <PlusIcon />
              {t.add}
            </Button>
          </span>
        </EntryForm>
      )}
    </SettingRow>
  )
}

interface GroupProps {
  readonly row: GroupRow
  readonly names: readonly string[]
  readonly wrong: GroupField | undefined
  readonly problem: string
  readonly onChange: (row: GroupRow) => void
  readonly onRemove: () => void
}

function Group(props: GroupProps) {
  const { row, wrong } = props
  const t = useTexts(optionTexts).group
  const [opened, setOpened] = useState(row.name === '')
  const open = opened || wrong !== undefined
  const { name, ratio, usableBy, order } = row
  const facts = [
    formatRatio(Number(ratio)),
    usableBy.includes(EVERYONE) ? t.forEveryone : usableBy.length > 0 ? t.usableFor(usableBy.join(', ')) : '',
    Number(order) > 0 ? t.place(order) : '',
  ]
  return (
    <details
      open={open}
      onToggle={({ currentTarget }) => setOpened(currentTarget.open)}
      className="border-line rounded-md border text-sm"
    >
      <summary className="min-h-8 cursor-pointer px-3 py-1.5 wrap-anywhere select-none">
        <span className="font-medium">{name || t.unnamed}</span>{' '}
        <span className="text-muted text-xs tabular-nums">{facts.filter(Boolean).join(' · ')}</span>
      </summary>
      {/* There can be a thousand groups, so closed ones have no fields. */}
      {open && <GroupFields {...props} />}
    </details>
  )
}

function GroupFields({ row, names, wrong, problem, onChange, onRemove }: GroupProps) {
  const t = useTexts(optionTexts).group
  return (
    <div className="border-line grid gap-x-4 gap-y-3 border-t p-3 md:grid-cols-2">
      {FIELDS.map((field) => (
        <Field key={field} label={t[field]} hint={t.hints[field]} error={wrong === field ? problem : undefined}>
          {(ids) => (
            <TextInput
              {...ids}
              autoComplete="off"
              maxLength={MOST[field]}
              value={row[field]}
              onChange={(event) => onChange({ ...row, [field]: event.target.value })}
            />
          )}
        </Field>
      ))}
      <Field label={t.usableBy} hint={t.usableByHint}>
        {(ids) => (
          <MultiSelect
            control={ids}
            label={t.usableBy}
            placeholder={t.nobody}
            options={[EVERYONE, ...names]}
            value={row.usableBy}
            onChange={(next) => onChange({ ...row, usableBy: next })}
          />
        )}
      </Field>
      <div className="self-end justify-self-end">
        <Button
          size="small"
          onClick={(event) => {
            keepFocus(event)
            onRemove()
          }}
        >
          {t.remove(row.name)}
        </Button>
      </div>
    </div>
  )
}
