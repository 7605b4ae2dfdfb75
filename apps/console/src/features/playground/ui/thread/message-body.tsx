import type { LiveReply } from '~/features/playground/engine/playground.ts'
import type { Store } from '~/lib/store/store.ts'
import { useStore } from '~/lib/store/use-store.ts'
import { Markdown } from '~/ui/markdown/markdown.tsx'

interface MessageBodyProps {
  readonly text: string
  readonly growing?: boolean
}

/** The text of a message as markdown. Nothing in it is loaded from elsewhere, so that no third party learns that it is read. */
export function MessageBody({ text, growing = false }: MessageBodyProps) {
  return <Markdown text={text} growing={growing} maths />
}

interface LiveBodyProps {
  readonly live: Pick<Store<LiveReply>, 'get' | 'subscribe'>
  readonly part?: 'text' | 'reasoning'
  /** False once the reply has arrived: its last block is then complete. */
  readonly growing: boolean
}

/** A reply while it arrives, and after. It subscribes to the reply itself: what is around it is not re-rendered. */
export function LiveBody({ live, part = 'text', growing }: LiveBodyProps) {
  return <MessageBody text={useStore(live)[part]} growing={growing} />
}
