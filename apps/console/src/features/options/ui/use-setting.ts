import { useState } from 'react'
import { formatCount, formatCurrency } from '~/lib/format/quota.ts'
import { type Failure, isWorthTelling } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useSystemStatus } from '~/lib/status/system-status.ts'
import { useConfirm } from '~/ui/confirm.tsx'
import { uiTexts } from '~/ui/texts/ui-texts.ts'
import { useToasts } from '~/ui/toast/toasts.ts'
import { ratioChanges } from '../model/group-rows.ts'
import { checkEntry, type EntryProblem, entryOf, isAskedAbout, isUnchanged } from '../model/setting-value.ts'
import type { Setting } from '../model/setting.ts'
import { isKnownSetting } from '../model/settings.ts'
import { optionTexts, settingTexts } from '../texts/option-texts.ts'
import type { SettingTexts } from '../texts/settings-en.ts'
import { useDraft, useStoreOption } from './use-store-option.ts'

export type SaveState =
  | { readonly is: 'idle' | 'saving' }
  /** `before` is the value to restore; a secret has none. */
  | { readonly is: 'saved'; readonly before: string | undefined }
  | { readonly is: 'failed'; readonly reason: string; readonly entry: string | undefined }

export interface SettingEditing {
  readonly entry: string
  /** Whether the entry differs in meaning from the stored value. */
  readonly isDirty: boolean
  readonly state: SaveState
  /** What is wrong with the entry; empty when it is valid. */
  readonly problem: string
  readonly edit: (entry: string) => void
  readonly revert: () => void
  /** Saves the entry, or the given value, unless it is stored already. Asks first where that is required. */
  readonly save: (entry?: string) => void
  readonly undo: (before: string) => void
}

export function useSetting(setting: Setting, stored: string): SettingEditing {
  const t = useTexts(optionTexts)
  const toasts = useToasts()
  const confirm = useConfirm()
  const ui = useTexts(uiTexts)
  const { label } = useSettingTexts()(setting.key)
  const problemText = useProblemText()
  const consequenceOf = useConsequence()
  const [draft, setDraft] = useDraft(setting.key)
  const { state, setState, send, undo } = useSaving(setting, stored)
  const [problem, setProblem] = useState('')
  const entry = draft ?? entryOf(setting, stored)

  const save = (wanted = entry) => {
    if (state.is === 'saving') return
    if (isUnchanged(setting, wanted, stored)) return revert()
    const checked = checkEntry(setting, wanted)
    if ('problem' in checked) {
      const text = problemText(checked.problem)
      setProblem(text)
      return toasts.show({ tone: 'bad', title: ui.validationError, text })
    }
    setProblem('')
    const run = () => {
      if (setting.kind === 'flag') setDraft(wanted)
      return send(checked.text, wanted)
    }
    if (!isAskedAbout(setting, checked.text)) return void run()
    const text = consequenceOf(setting, stored, checked.text)
    confirm({ title: t.askTitle(label), text, confirm: t.change, busy: t.changing, run })
  }
  const revert = () => {
    setProblem('')
    setDraft(undefined)
  }
  return {
    entry,
    isDirty: draft !== undefined && !isUnchanged(setting, draft, stored),
    state,
    problem,
    edit: (next) => {
      setDraft(next)
      if (state.is !== 'saving') setState({ is: 'idle' })
      if (problem === '') return
      const checked = checkEntry(setting, next)
      setProblem('problem' in checked ? problemText(checked.problem) : '')
    },
    revert,
    save,
    undo: (before) => void undo(before),
  }
}

function useSaving(setting: Setting, stored: string) {
  const t = useTexts(optionTexts)
  const toasts = useToasts()
  const reasonOf = useReason()
  const store = useStoreOption()
  const [, setDraft] = useDraft(setting.key)
  const [state, setState] = useState<SaveState>({ is: 'idle' })
  const { key, kind } = setting

  const fail = (failure: Failure, lost: string | undefined) => {
    setDraft(undefined)
    if (!isWorthTelling(failure)) return setState({ is: 'idle' })
    setState({
      is: 'failed',
      reason: reasonOf(failure),
      entry: kind === 'flag' || kind === 'secret' ? undefined : lost,
    })
    toasts.show({ tone: 'bad', title: t.saveFailed, text: failure.message === '' ? t.unknownError : failure.message })
  }
  const send = async (text: string, lost: string | undefined) => {
    setState({ is: 'saving' })
    const reply = await store(setting, text)
    if (!reply.ok) return fail(reply, lost)
    setDraft(undefined)
    const before = kind === 'secret' ? undefined : stored
    setState({ is: 'saved', before })
    const action = before === undefined ? {} : { action: { label: t.undo, run: () => void undo(before) } }
    toasts.show({ tone: 'good', title: t.settingSaved, text: t.updatedSuccessfully(key), ...action })
  }
  const undo = async (before: string) => {
    setState({ is: 'saving' })
    const reply = await store(setting, before)
    if (!reply.ok) return fail(reply, undefined)
    setState({ is: 'saved', before: undefined })
    toasts.show({ tone: 'good', title: t.settingSaved, text: t.updatedSuccessfully(key) })
  }
  return { state, setState, send, undo }
}

function useProblemText(): (problem: EntryProblem) => string {
  const t = useTexts(optionTexts).problems
  const ui = useTexts(uiTexts)
  return (problem) => {
    switch (problem.is) {
      case 'number':
      case 'integer':
        return t[problem.is](String(problem.min), String(problem.max))
      case 'json':
        return ui.jsonBroken(String(problem.line), String(problem.column))
      case 'json-object':
        return t.jsonObject
      case 'empty':
      case 'address':
      case 'groupName':
      case 'groupRatios':
        return t[problem.is]
    }
  }
}

/** The server's words, or how the call failed. */
function useReason(): (failure: Failure) => string {
  const t = useTexts(optionTexts)
  const ui = useTexts(uiTexts)
  return ({ kind, message }) => {
    if (message !== '') return message
    if (kind === 'timeout' || kind === 'network') return ui[kind]
    return kind === 'reply' ? ui.brokenReply : t.unknownError
  }
}

function useConsequence(): (setting: Setting, before: string, after: string) => string {
  const t = useTexts(optionTexts)
  const textsOf = useSettingTexts()
  const display = useSystemStatus()

  const valueText = (setting: Setting, value: string): string => {
    if (value === '' && setting.kind !== 'choice') return t.nothing
    if (setting.kind === 'flag') return value === 'true' ? t.on : t.off
    if (setting.kind === 'choice') return `“${textsOf(setting.key).choices?.[value] ?? value}”`
    if (setting.kind !== 'integer' && setting.kind !== 'decimal') return value
    const count = formatCount(Number(value))
    return setting.unit === 'quota' ? `${count} (${formatCurrency(Number(value), display)})` : count
  }
  const changeText = (setting: Setting, before: string, after: string): string => {
    if (setting.kind !== 'ratios' && setting.kind !== 'groups')
      return t.fromTo(valueText(setting, before), valueText(setting, after))
    const changes = ratioChanges(before, after).map(({ group, from, to }) => {
      if (to === undefined) return t.ratioRemoved(group)
      return from === undefined ? t.ratioAdded(group, to) : t.ratioChanged(group, from, to)
    })
    return changes.length === 0 ? '' : `${changes.join('; ')}.`
  }
  return (setting, before, after) => {
    const { consequence = '' } = textsOf(setting.key)
    const newAmount = setting.key === 'QuotaPerUnit' && t.amountAnew(unitAs(before, before), unitAs(before, after))
    const parts = [consequence, changeText(setting, before, after), newAmount]
    return parts.filter(Boolean).join(' ')
  }
}

/** How this many points are written when `perUnit` of them make one unit. */
function unitAs(points: string, perUnit: string): string {
  return formatCurrency(Number(points), { quota_per_unit: Number(perUnit), display_in_currency: true }, 4)
}

/** In the chosen language; a setting that this console does not know is called by its key. */
export function useSettingTexts(): (key: string) => SettingTexts {
  const t = useTexts(settingTexts)
  return (key) => (isKnownSetting(key) ? t[key] : { label: key, help: '' })
}
