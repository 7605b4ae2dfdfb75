import { can } from '@sluice/contract/capability'
import { testChannel } from '@sluice/contract/routes/channels'
import { useRouter } from '@tanstack/react-router'
import { formatLatency } from '~/lib/format/units.ts'
import { useCall } from '~/lib/http/call.ts'
import { useTexts } from '~/lib/i18n/i18n.ts'
import { useUser } from '~/lib/session/session.ts'
import { browserStorage } from '~/lib/storage/stored-record.ts'
import { useToasts } from '~/ui/toast/toasts.ts'
import { useTellFailure } from '~/ui/use-change.ts'
import { rememberThing, type Thing } from '../model/cached-things.ts'
import type { PaletteEntry } from '../model/fuzzy.ts'
import { paletteTexts } from '../texts/palette-texts.ts'

export function useThingEntry(): (thing: Thing, group: string) => PaletteEntry {
  const t = useTexts(paletteTexts)
  const actionsOf = useActions()
  return (thing, group) => ({
    id: `${group} ${thing.kind} ${thing.id}`,
    label: thing.name,
    hint: thing.kind === 'model' ? t.kinds.model : `${t.kinds[thing.kind]} #${thing.id}`,
    group,
    run: () => rememberThing(browserStorage(), thing),
    page: {
      title: thing.name,
      entries: actionsOf(thing).map(({ label, run }) => ({ id: label, label, run, group: thing.name })),
    },
  })
}

interface Action {
  readonly label: string
  readonly run: () => void
}

function useActions(): (thing: Thing) => readonly Action[] {
  const t = useTexts(paletteTexts)
  const go = useGo()
  const role = useUser()?.role
  const test = useChannelTest()
  const logs = (search: Readonly<Record<string, string | number>>): Action => ({
    label: t.showLogs,
    run: () => go('/logs', search),
  })
  return ({ kind, id, name }) => {
    const edit = (path: string): Action => ({ label: t.edit(t.kinds[kind]), run: () => go(`${path}/${id}`) })
    switch (kind) {
      case 'token':
        return [
          edit('/tokens/edit'),
          { label: t.useToken, run: () => go('/tokens', { use: Number(id) }) },
          logs({ token: name }),
        ]
      case 'channel':
        return [
          edit('/channels/edit'),
          { label: t.testChannel, run: () => void test(Number(id), name) },
          logs({ channel: Number(id) }),
        ]
      case 'user':
        return [
          edit('/users/edit'),
          ...(can(role, 'dashboard.anyUser')
            ? [{ label: t.showUsage, run: () => go('/dashboard', { user: Number(id) }) }]
            : []),
          logs({ username: name }),
        ]
      case 'model':
        return [
          logs({ model: name }),
          ...(can(role, 'channels.manage')
            ? [{ label: t.whyThisChannel, run: () => go('/channels/explain', { model: name }) }]
            : []),
        ]
    }
  }
}

function useChannelTest() {
  const t = useTexts(paletteTexts)
  const call = useCall()
  const toasts = useToasts()
  const tell = useTellFailure()
  return async (id: number, name: string) => {
    const reply = await call(testChannel, { params: { id } })
    if (reply.ok) toasts.show({ tone: 'good', title: t.channelWorks(name, formatLatency(reply.extra.time * 1_000)) })
    else tell(t.channelFails(name), reply)
  }
}

export function useGo(): (to: string, search?: Readonly<Record<string, string | number>>) => void {
  const router = useRouter()
  return (to, search = {}) => void router.navigate({ to, search })
}
