import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { type FormEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { Button } from '~/ui/button.tsx'
import { Field, Select, TextInput } from '~/ui/field.tsx'
import { SEGMENT, SEGMENTS } from '~/ui/segments.ts'
import { dashboardUsersQuery } from '../calls.ts'
import {
  type Day,
  checkRange,
  type DateRange,
  type QuickRange,
  quickRange,
  quickRangeOf,
  rangeLimits,
  type RangeProblem,
  type RangeWindow,
  ALL_USERS,
} from '../model/range.ts'
import { dashboardTexts } from '../texts/dashboard-texts.ts'

interface DashboardFiltersProps {
  /** The range in force, which can be invalid if it comes from an address. */
  readonly range: DateRange
  readonly user: number | undefined
  readonly window: RangeWindow
  readonly today: Day
  /** Also called with the range in force, which is then fetched again. */
  readonly onRange: (range: DateRange) => void
  readonly onTypedRange: (range: DateRange) => void
  readonly onUser: (user: number | undefined) => void
}

const QUICK_ORDER = ['today', 'week', 'month'] as const
const DATE_FIELDS = ['from', 'to'] as const

/** Pause in typing before typed dates apply, in milliseconds. */
const TYPED_MS = 700

/**
 * Choices apply at once, typed dates when typing pauses. The Apply button does not wait: it refetches, or says what is wrong with
 * the range.
 */
export function DashboardFilters(props: DashboardFiltersProps) {
  const { user, window, today, onRange, onUser } = props
  const t = useTexts(dashboardTexts)
  const form = useRef<HTMLFormElement>(null)
  const { entered, enter, setAsked, problem, shown } = useEnteredRange(props)
  const limits = rangeLimits(window, today)
  const chosen = shown === undefined ? quickRangeOf(entered, today) : undefined
  const problemOf = (field: RangeProblem['field']) =>
    shown?.field === field ? problemText(t, shown, window) : undefined
  const applyQuick = (next: DateRange) => {
    enter(next)
    if (checkRange(next, window, today) === undefined) onRange(next)
  }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    setAsked(true)
    if (problem === undefined) onRange(entered)
    else form.current?.querySelector<HTMLInputElement>(`[name=${problem.field}]`)?.focus()
  }
  return (
    <form
      ref={form}
      noValidate
      aria-label={t.filters}
      onSubmit={onSubmit}
      className="relative flex flex-wrap items-start gap-x-4 gap-y-3"
    >
      <div className="grid w-full grid-cols-2 gap-2 sm:w-76">
        {DATE_FIELDS.map((field) => (
          <Field key={field} label={t[field]} error={problemOf(field)}>
            {(control) => (
              <TextInput
                {...control}
                type="date"
                name={field}
                min={limits.min}
                max={limits.max}
                value={entered[field]}
                onChange={(event) => {
                  setAsked(false)
                  enter({ ...entered, [field]: event.target.value })
                }}
              />
            )}
          </Field>
        ))}
      </div>
      <QuickRanges chosen={chosen} today={today} onRange={applyQuick} />
      {window === 'any' && <UserSelect user={user} onUser={onUser} />}
      <div className={window === 'any' ? 'mt-6.5' : 'sm:mt-6.5'}>
        <Button type="submit" variant="primary">
          {t.apply}
        </Button>
      </div>
      <p role="status" className="sr-only">
        {shown === undefined ? '' : problemText(t, shown, window)}
      </p>
    </form>
  )
}

/** `shown` is what is wrong with the dates, once it is time to say so. */
function useEnteredRange({ range, window, today, onTypedRange }: DashboardFiltersProps) {
  const [entered, enter] = useDraft(range)
  const [asked, setAsked] = useState(false)
  const problem = checkRange(entered, window, today)
  const isTouched = entered.from !== range.from || entered.to !== range.to
  // A half-typed date is empty, which is not a mistake yet. An empty date from the address is one.
  const shown = problem !== undefined && (asked || !isTouched || !isIncomplete(problem)) ? problem : undefined
  const isTyped = problem === undefined && isTouched
  const applyTyped = useEffectEvent(() => onTypedRange(entered))
  useEffect(() => {
    if (!isTyped) return
    const timer = setTimeout(() => applyTyped(), TYPED_MS)
    return () => clearTimeout(timer)
  }, [isTyped, entered.from, entered.to])
  return { entered, enter, setAsked, problem, shown }
}

interface QuickRangesProps {
  readonly chosen: QuickRange | undefined
  readonly today: Day
  readonly onRange: (range: DateRange) => void
}

function QuickRanges({ chosen, today, onRange }: QuickRangesProps) {
  const t = useTexts(dashboardTexts)
  return (
    <div role="group" aria-label={t.quickRanges} className={clsx(SEGMENTS, 'max-sm:w-full max-sm:*:flex-1 sm:mt-6.5')}>
      {QUICK_ORDER.map((quick) => (
        <button
          key={quick}
          type="button"
          aria-pressed={chosen === quick}
          onClick={() => onRange(quickRange(quick, today))}
          className={SEGMENT}
        >
          {t.quick[quick]}
        </button>
      ))}
    </div>
  )
}

/** Reset whenever the range in force changes. */
function useDraft(range: DateRange) {
  const [inForce, setInForce] = useState(range)
  const [entered, setEntered] = useState(range)
  if (inForce.from !== range.from || inForce.to !== range.to) {
    setInForce(range)
    setEntered(range)
  }
  return [entered, setEntered] as const
}

function isIncomplete({ rule }: RangeProblem): boolean {
  return rule === 'fromInvalid' || rule === 'toInvalid'
}

function problemText(t: ReturnType<typeof useDashboardTexts>, { rule }: RangeProblem, window: RangeWindow): string {
  if (rule === 'fromTooEarly' || rule === 'tooLong') return t.problems[rule][window]
  return t.problems[rule]
}

const useDashboardTexts = () => useTexts(dashboardTexts)

interface UserSelectProps {
  readonly user: number | undefined
  readonly onUser: (user: number | undefined) => void
}

function UserSelect({ user, onUser }: UserSelectProps) {
  const t = useTexts(dashboardTexts)
  const users = useQuery(dashboardUsersQuery(useCall())).data ?? []
  const options = [
    { value: ALL_USERS, label: t.allUsers },
    ...users.map(({ id, username, display_name }) => ({ value: String(id), label: display_name.trim() || username })),
  ]
  const value = user === undefined ? ALL_USERS : String(user)
  // An address can name a user that is not on the list, or not yet.
  if (!options.some((option) => option.value === value)) options.push({ value, label: t.userNumber(value) })
  return (
    <div className="w-44 max-sm:grow">
      <Field label={t.user}>
        {(control) => (
          <Select
            {...control}
            value={value}
            options={options}
            onChange={(event) => onUser(event.target.value === ALL_USERS ? undefined : Number(event.target.value))}
          />
        )}
      </Field>
    </div>
  )
}
