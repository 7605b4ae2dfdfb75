import { Link, useLocation } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { type ReactNode, useContext, useEffect, useId, useRef, createContext } from 'react'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { ManagedBadge } from '~/ui/badge.tsx'
import type { ControlProps } from '~/ui/field.tsx'
import { uiTexts } from '~/ui/texts/ui-texts.ts'
import type { OptionsTabId } from '../model/placed-settings.ts'
import type { Setting } from '../model/setting.ts'
import { optionTexts } from '../texts/option-texts.ts'
import { useSettingTexts } from './use-setting.ts'

/** Label of the configuration file that owns the surrounding setting; empty without an owner. */
export const OwnerContext = createContext('')

interface SettingRowProps {
  readonly setting: Setting
  readonly tab: OptionsTabId
  /** What is wrong with the entry; empty when it is valid. */
  readonly problem?: string
  readonly remark?: ReactNode
  /** Position of the control: at the end of the line, next to the name, or below it over the whole width. */
  readonly place?: 'end' | 'beside' | 'below'
  /** Set when there is nothing to enter, so that the name labels no control. */
  readonly unlabelled?: boolean
  readonly children: (control: ControlProps, error: ReactNode) => ReactNode
}

const PLACES = { end: 'grid-cols-[minmax(0,1fr)_auto]', beside: 'md:grid-cols-2', below: '' } as const

/** The setting's key is the row's anchor, for links from elsewhere. */
export function SettingRow(props: SettingRowProps) {
  const { setting, tab, problem = '', remark, place = 'beside', unlabelled = false, children } = props
  const { key } = setting
  const owner = useContext(OwnerContext)
  const ui = useTexts(uiTexts)
  const { help } = useSettingTexts()(key)
  const id = useId()
  const [hintId, errorId] = [`${id}-hint`, `${id}-error`]
  const ref = useRef<HTMLDivElement>(null)
  const isTarget = useLocation({ select: ({ hash }) => hash === key })
  useEffect(() => {
    // The router looked for the anchor before the settings had arrived.
    if (isTarget) ref.current?.scrollIntoView({ block: 'center' })
  }, [isTarget])
  return (
    <div
      ref={ref}
      id={key}
      data-setting
      tabIndex={-1}
      className={clsx(
        'grid gap-x-8 gap-y-2 px-4 py-3.5 outline-none md:px-5',
        PLACES[place],
        isTarget && 'bg-accent-soft',
      )}
    >
      <div className="min-w-0">
        <SettingName setting={setting} tab={tab} controlId={unlabelled ? undefined : id} />
        {help !== '' && (
          <p id={hintId} className="text-muted text-xs">
            {help}
          </p>
        )}
        {owner !== '' && <p className="text-muted text-xs">{ui.managedWhy(owner)}</p>}
        {remark !== undefined && <div className="text-muted text-xs">{remark}</div>}
      </div>
      <fieldset disabled={owner !== ''} className="flex min-w-0 flex-col gap-1.5">
        {children(
          {
            id,
            'aria-describedby': clsx(help !== '' && hintId, problem !== '' && errorId) || undefined,
            'aria-invalid': problem === '' ? undefined : true,
          },
          problem !== '' && (
            <p id={errorId} className="text-bad text-sm">
              {problem}
            </p>
          ),
        )}
      </fieldset>
    </div>
  )
}

interface SettingNameProps extends Pick<SettingRowProps, 'setting' | 'tab'> {
  /** Undefined if there is nothing to enter. */
  readonly controlId: string | undefined
}

function SettingName({ setting: { key }, tab, controlId }: SettingNameProps) {
  const t = useTexts(optionTexts)
  const { label } = useSettingTexts()(key)
  const owner = useContext(OwnerContext)
  const name = 'text-sm font-medium'
  return (
    <div className="flex flex-wrap items-center gap-x-2">
      {controlId === undefined ? (
        <span className={name}>{label}</span>
      ) : (
        <label htmlFor={controlId} className={name}>
          {label}
        </label>
      )}
      {label !== key && (
        <Link
          to="/settings"
          search={{ tab, find: '' }}
          hash={key}
          data-tip={t.linkTo(label)}
          className="text-muted hover:text-ink min-h-6 content-center font-mono text-xs wrap-anywhere hover:underline"
        >
          {key}
        </Link>
      )}
      <ManagedBadge owner={owner} />
    </div>
  )
}
