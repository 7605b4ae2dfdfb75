import type { Store } from '../../../../lib/store/store.ts'
import { useStore } from '../../../../lib/store/use-store.ts'
import { Markdown } from '../../../../ui/markdown/markdown.tsx'
import type { LiveReply } from '../../engine/playground.ts'

/** The text of a message as markdown. Nothing in it is loaded from elsewhere, so that nobody learns that it is read. */
export function MessageBody({ text }: { text: string }) {
  return <Markdown text={text} />
}

interface LiveBodyProps {
  readonly live: Pick<Store<LiveReply>, 'get' | 'subscribe'>
  readonly part?: 'text' | 'reasoning'
}

/** A reply while it arrives. It follows the reply by itself: what stands around it is not drawn again. */
export function LiveBody({ live, part = 'text' }: LiveBodyProps) {
  return <MessageBody text={useStore(live)[part]} />
}
