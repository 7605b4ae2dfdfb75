import { type UsableGroups, AUTO_GROUP, TOKEN_GROUPS_MAX } from '@sluice/contract/groups'
import { type ReactNode, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { type Control, useController } from 'react-hook-form'
import { formatRatio } from '~/lib/format/units.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { IconButton } from '~/ui/button.tsx'
import { type Choice, ChoiceBox } from '~/ui/combobox/choice-box.tsx'
import { Field } from '~/ui/field.tsx'
import { CloseIcon } from '~/ui/icon.tsx'
import { SortDownIcon, SortUpIcon } from '~/ui/icons.tsx'
import type { TokenFormInput, TokenFormValues } from '../model/token-form-values.ts'
import { tokenTexts } from '../texts/token-texts.ts'

interface GroupsFieldProps {
  readonly control: Control<TokenFormInput, unknown, TokenFormValues>
  readonly usable: UsableGroups
}

/** In the order in which the groups are tried. Typing finds a group; buttons move and remove it. */
export function GroupsField({ control, usable }: GroupsFieldProps) {
  const t = useTexts(tokenTexts)
  const textsOf = useGroupTexts(usable)
  const { field, fieldState } = useController({ control, name: 'groups' })
  const input = useRef<HTMLInputElement>(null)
  const chosen = field.value
  const addable = addableGroups(usable, chosen).map((name) => ({ name, ...textsOf(name) }))
  const own = Object.keys(usable)
    .filter((name) => usable[name]?.own === true)
    .map(textsOf)[0]
  const [said, setSaid] = useState('')
  return (
    <>
      {chosen.length > 0 && (
        <ol aria-label={t.groupOrder} className="border-line divide-line divide-y rounded-md border">
          {chosen.map((name, at) => (
            <Chosen key={name} at={at} {...textsOf(name)}>
              <MoveButtons chosen={chosen} name={name} onMove={field.onChange} onMoved={setSaid} />
              <IconButton
                label={t.groupRemove(name)}
                onClick={() => {
                  field.onChange(chosen.filter((other) => other !== name))
                  input.current?.focus()
                }}
              >
                <CloseIcon />
              </IconButton>
            </Chosen>
          ))}
        </ol>
      )}
      <Field
        label={t.addGroup}
        hint={chosen.length === 0 && own !== undefined ? t.ownGroup(`${own.title} ${own.ratio}`) : undefined}
        error={fieldState.error?.message}
      >
        {(ids) => (
          <ChoiceBox
            control={ids}
            ref={input}
            label={t.addGroup}
            placeholder={t.groupPlaceholder}
            empty={t.noMoreGroups}
            options={addable.map(optionOf)}
            value=""
            onChange={(wanted) => {
              const added = addable.find(({ title }) => title === wanted)
              if (added !== undefined) field.onChange([...chosen, added.name])
            }}
          />
        )}
      </Field>
      <p role="status" className="sr-only">
        {said}
      </p>
    </>
  )
}

function optionOf({ title, ratio, text }: GroupTexts): Choice {
  return { value: title, label: title, description: [ratio, text].filter(Boolean).join(' · ') }
}

interface MoveButtonsProps {
  readonly chosen: readonly string[]
  readonly name: string
  readonly onMove: (chosen: string[]) => void
  readonly onMoved: (said: string) => void
}

function MoveButtons({ chosen, name, onMove, onMoved }: MoveButtonsProps) {
  const t = useTexts(tokenTexts)
  const at = chosen.indexOf(name)
  const move = (step: -1 | 1, button: HTMLElement) => {
    const next = movedGroup(chosen, name, step)
    // Moving the row takes its button out of the document and puts it back, which loses the focus.
    flushSync(() => onMove(next))
    button.focus()
    onMoved(t.groupMoved(name, String(next.indexOf(name) + 1)))
  }
  if (chosen.length < 2) return null
  return ([-1, 1] as const).map((step) => (
    <IconButton
      key={step}
      label={step < 0 ? t.groupUp(name) : t.groupDown(name)}
      barred={chosen[at + step] === undefined ? t.groupAtEnd : undefined}
      onClick={({ currentTarget }) => move(step, currentTarget)}
    >
      {step < 0 ? <SortUpIcon /> : <SortDownIcon />}
    </IconButton>
  ))
}

interface ChosenProps extends ReturnType<ReturnType<typeof useGroupTexts>> {
  readonly at: number
  readonly children: ReactNode
}

function Chosen({ at, title, ratio, text, isUsable, children }: ChosenProps) {
  return (
    <li className="flex items-center gap-2 py-1.5 ps-3 pe-1.5 text-sm">
      <span aria-hidden="true" className="text-muted w-4 shrink-0 tabular-nums">
        {at + 1}
      </span>
      <span className="min-w-0 grow wrap-anywhere">
        {title} <span className="text-muted tabular-nums">{ratio}</span>
        <span className={isUsable ? 'text-muted block text-xs' : 'text-bad block text-xs'}>{text}</span>
      </span>
      <span className="flex shrink-0">{children}</span>
    </li>
  )
}

interface GroupTexts {
  /** The group's title, followed by its name if the two differ. */
  readonly title: string
  /** Empty for `auto`, and for a group that cannot be used. */
  readonly ratio: string
  readonly text: string
  readonly isUsable: boolean
}

function useGroupTexts(usable: UsableGroups): (name: string) => GroupTexts {
  const t = useTexts(tokenTexts)
  return (name) => {
    const group = usable[name]
    if (group === undefined) return { title: name, ratio: '', text: t.groupNotUsable(name), isUsable: false }
    if (isAuto(name, usable)) return { title: t.autoGroup, ratio: '', text: t.autoGroupText, isUsable: true }
    const { ratio, title, desc } = group
    return {
      title: title.toLowerCase() === name.toLowerCase() ? title : title === '' ? name : `${title} (${name})`,
      ratio: formatRatio(Number(ratio)),
      text: desc === name || desc === title ? '' : desc,
      isUsable: true,
    }
  }
}

/** True for a name that stands for the groups that the operator has set. Unlike a group, it has no ratio of its own. */
function isAuto(name: string, usable: UsableGroups): boolean {
  return name === AUTO_GROUP && typeof usable[name]?.ratio !== 'number'
}

export function addableGroups(usable: UsableGroups, chosen: readonly string[]): readonly string[] {
  if (chosen.length >= TOKEN_GROUPS_MAX || chosen.some((name) => isAuto(name, usable))) return []
  return Object.keys(usable).filter((name) => !chosen.includes(name) && (chosen.length === 0 || !isAuto(name, usable)))
}

/** False for a single group, unless a choice was made when there were more. */
export function isChoice(usable: UsableGroups, chosen: readonly string[]): boolean {
  return chosen.length > 0 || Object.keys(usable).filter((name) => !isAuto(name, usable)).length > 1
}

/** Moves a group up (-1) or down (1). */
export function movedGroup(chosen: readonly string[], name: string, step: -1 | 1): string[] {
  const at = chosen.indexOf(name)
  return chosen.toSpliced(at, 1).toSpliced(at + step, 0, name)
}
