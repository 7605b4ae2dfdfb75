import { useTexts } from '../../../../lib/i18n/i18n.ts'
import { IconButton } from '../../../../ui/button.tsx'
import { TrashIcon } from '../../../../ui/icons.tsx'
import { useToasts } from '../../../../ui/toast/toasts.ts'
import { threadTexts } from '../../texts/thread/thread-texts.ts'
import { CompareIcon, ComposeIcon } from '../playground-icons.tsx'
import { usePlayground, usePlaygroundState } from '../use-playground.ts'

/** What can be done with the whole conversation. */
export function Toolbar() {
  const t = useTexts(threadTexts)
  const playground = usePlayground()
  const toasts = useToasts()
  const { conversation, columns } = usePlaygroundState()
  const compares = columns.length === 2
  const clear = () => {
    playground.clear()
    toasts.show({
      tone: 'good',
      title: t.cleared,
      action: { label: t.undo, run: () => playground.open(conversation) },
    })
  }
  return (
    <>
      <div className="grow" />
      <IconButton label={t.compare} aria-pressed={compares} onClick={() => playground.compare(compares ? 1 : 2)}>
        <CompareIcon />
      </IconButton>
      <IconButton label={t.clear} onClick={clear}>
        <TrashIcon />
      </IconButton>
      <IconButton label={t.newConversation} onClick={() => playground.begin()}>
        <ComposeIcon />
      </IconButton>
    </>
  )
}
