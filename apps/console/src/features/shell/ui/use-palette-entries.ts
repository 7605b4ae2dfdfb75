import { can } from '@sluice/contract/capability'
import { useRouteContext } from '@tanstack/react-router'
import { use } from 'react'
import { useCommandRegistry } from '~/lib/commands/use-commands.ts'
import { useCall } from '~/lib/http/use-call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useUser } from '~/lib/session/use-session.ts'
import { browserStorage } from '~/lib/storage/stored-record.ts'
import { useStore } from '~/lib/store/use-store.ts'
import { useSuggestions } from '~/ui/combobox/use-suggestions.ts'
import { findThings } from '../calls.ts'
import { cachedThings } from '../model/cached-things.ts'
import { ranked } from '../model/fuzzy.ts'
import { grouped, type PaletteEntry, type PalettePage } from '../model/palette-entries.ts'
import { recentThings, type Thing } from '../model/recent.ts'
import { paletteTexts } from '../texts/palette-texts.ts'
import { shellTexts } from '../texts/shell-texts.ts'
import { useNavigation } from './navigation-list.tsx'
import { useConversationEntries } from './use-conversation-entries.ts'
import { useGeneralEntries } from './use-general-entries.ts'
import { useGo } from './use-go.ts'
import { useThingEntry } from './use-thing-entry.ts'

/** Commands of the shell, which the palette lists in its own words, and moves along rows, which make no sense here. */
const NOT_HERE = /^(go\.|list\.|palette$|help$)/

/** Maximum number of conversations offered at a time. */
const MOST_CONVERSATIONS = 8

/** The palette's entries for the typed text, and its status message. */
export function usePaletteEntries(
  text: string,
  page: PalettePage | undefined,
): { readonly entries: readonly PaletteEntry[]; readonly remark: string } {
  const t = useTexts(paletteTexts)
  const typed = withoutMark(text.trim())
  const entryOf = useThingEntry()
  const here = useHereEntries()
  const pages = usePageEntries()
  const general = useGeneralEntries()
  const conversations = useConversationEntries()
  const found = useFound(page === undefined ? text.trim() : '')
  if (page !== undefined) {
    const entries = ranked(typed, page.entries, textsOf)
    return { entries: grouped(entries), remark: entries.length === 0 ? t.nothing : '' }
  }
  if (typed === '') {
    const recent = recentThings(browserStorage()).map((thing) => entryOf(thing, t.groups.recent))
    return { entries: grouped([...recent, ...here, ...pages, ...general]), remark: '' }
  }
  const things = found.things.map((thing) => entryOf(thing, t.groups.found))
  const said = ranked(typed, conversations, textsOf).slice(0, MOST_CONVERSATIONS)
  const entries = grouped([...ranked(typed, [...here, ...pages, ...general], textsOf), ...things, ...said])
  const none = entries.length === 0 ? t.nothing : ''
  return { entries, remark: { short: none, ready: none, loading: t.searching, failed: t.searchFailed }[found.state] }
}

/** `#7` is how ids are written; it also makes a one-digit id long enough for a search. */
function withoutMark(text: string): string {
  return text.replace(/^#/, '')
}

const textsOf = ({ label, alias }: PaletteEntry) => (alias === undefined ? [label] : [label, alias])

/** The commands of the mounted screen. */
function useHereEntries(): readonly PaletteEntry[] {
  const t = useTexts(paletteTexts)
  const commands = useStore(useCommandRegistry()).filter(({ id }) => !NOT_HERE.test(id))
  return commands.map(({ id, label, keys, run }) => ({ id, label, keys, run, group: t.groups.here }))
}

function usePageEntries(): readonly PaletteEntry[] {
  const t = useTexts(paletteTexts)
  const { nav } = useTexts(shellTexts)
  const go = useGo()
  const role = useUser()?.role
  const explain: PaletteEntry = {
    id: 'go.explain',
    label: t.whyThisChannel,
    group: t.groups.pages,
    alias: 'explain routing',
    run: () => go('/channels/explain'),
  }
  const importData: PaletteEntry = {
    id: 'go.import',
    label: t.importData,
    group: t.groups.pages,
    alias: 'import migrate one-api new-api',
    run: () => go('/import'),
  }
  const doctor: PaletteEntry = {
    id: 'go.doctor',
    label: t.doctor,
    group: t.groups.pages,
    alias: 'doctor health diagnose check',
    run: () => go('/doctor'),
  }
  const pages = useNavigation().map(({ id, to, keys }): PaletteEntry => ({
    id: `go.${id}`,
    label: nav[id],
    alias: id,
    keys,
    group: t.groups.pages,
    run: () => go(to),
  }))
  return [
    ...pages,
    ...(can(role, 'channels.manage') ? [explain] : []),
    ...(can(role, 'data.import') ? [importData] : []),
    ...(can(role, 'doctor.examine') ? [doctor] : []),
    { id: 'go.account', label: t.editAccount, group: t.groups.pages, alias: 'account', run: () => go('/users/edit') },
  ]
}

/** Things by name or id: those already seen at once, those that the gateway knows when typing pauses. */
function useFound(typed: string) {
  const { queries } = useRouteContext({ from: '__root__' })
  const cache = use(queries.client())
  const call = useCall()
  const role = useUser()?.role
  const answer = useSuggestions(typed, async (text, signal) => {
    const things = await findThings(call, role, withoutMark(text), signal)
    return things?.map(({ kind, id, name }) => ({
      id: `${kind} ${id}`,
      label: name,
      hint: kind,
      thing: { kind, id, name },
    }))
  })
  const fresh = answer.state === 'ready' ? answer.items.map(({ thing }) => thing) : []
  const seen = cachedThings(cache, withoutMark(typed)).filter(
    ({ kind, id }) => !fresh.some((one) => one.kind === kind && one.id === id),
  )
  const things: readonly Thing[] = [...fresh, ...seen]
  return { state: answer.state, things }
}
