import { useState } from 'react'
import { useTexts } from '~/lib/i18n/i18n.ts'
import {
  currentView,
  type SavedView,
  savedViews,
  showsView,
  VIEW_NAME_MAX,
  type ViewShape,
} from '~/lib/list/saved-views.ts'
import { browserStorage } from '~/lib/storage/stored-record.ts'
import { Button } from '../button.tsx'
import { CheckIcon, ChevronDownIcon } from '../icon.tsx'
import { Menu, MenuGroup, MenuItem } from '../menu.tsx'
import { NameDialog } from '../name-dialog.tsx'
import { useToasts } from '../toast/toasts.ts'
import { viewsTexts } from './texts/views-texts.ts'

interface SavedViewsMenuProps {
  readonly list: string
  readonly userId: number
  /** The current address, without defaults, pages and open panels. */
  readonly search: SavedView['search']
  /** The visitor's choice of columns; read when a view is saved. */
  readonly columns: () => SavedView['columns']
  readonly shape: ViewShape
  /** Receives a view with current names; the schema of the address still has to validate its search. */
  readonly onApply: (view: SavedView) => void
}

export function SavedViewsMenu(props: SavedViewsMenuProps) {
  const { list, userId, search, shape } = props
  const t = useTexts(viewsTexts)
  const toasts = useToasts()
  const kept = savedViews(browserStorage(), list, userId)
  const [views, setViews] = useState(kept.read)
  const [saving, setSaving] = useState(false)
  const today = views.map((view) => currentView(view, shape))
  const shown = today.find((view) => showsView(search, view))
  const save = (name: string) => {
    setViews(kept.save({ name, search, columns: props.columns() }))
    setSaving(false)
    toasts.show({ tone: 'good', title: t.saved(name) })
  }
  const remove = (view: SavedView) => {
    setViews(kept.remove(view.name))
    const action = { label: t.undo, run: () => setViews(kept.save(view)) }
    toasts.show({ tone: 'info', title: t.removed(view.name), action })
  }
  return (
    <>
      <Menu
        label={t.views}
        trigger={(trigger) => (
          <Button {...trigger}>
            {shown?.name ?? t.views}
            <ChevronDownIcon />
          </Button>
        )}
      >
        {today.length === 0 && <p className="text-muted px-2.5 py-1.5 text-sm">{t.noViews}</p>}
        {today.map((view) => (
          <MenuItem key={view.name} checked={view === shown} onSelect={() => props.onApply(view)}>
            <span className="min-w-0 grow truncate">{view.name}</span>
            {view === shown && <CheckIcon />}
          </MenuItem>
        ))}
        <MenuGroup label={t.thisView}>
          <MenuItem onSelect={() => setSaving(true)}>{t.save}</MenuItem>
          {shown !== undefined && (
            <MenuItem danger onSelect={() => remove(shown)}>
              {t.remove(shown.name)}
            </MenuItem>
          )}
        </MenuGroup>
      </Menu>
      {saving && (
        <NameDialog
          title={t.saveTitle}
          text={t.saveText}
          label={t.name}
          save={t.saveButton}
          required={t.nameRequired}
          replaces={t.replaces}
          maxLength={VIEW_NAME_MAX}
          taken={views.map(({ name }) => name)}
          onSave={save}
          onClose={() => setSaving(false)}
        />
      )}
    </>
  )
}
