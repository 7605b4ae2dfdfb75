import { contentKind } from '~/ui/rich-content/content-kind.ts'

/** Longest line of the strip, in characters. */
const LONGEST = 140

export interface NoticeExcerpt {
  /** The first line without its markup; empty for a page from another host. */
  readonly line: string
  /** Whether the notice contains more than the line: further lines, links, pictures. */
  readonly hasMore: boolean
}

export function noticeExcerpt(text: string): NoticeExcerpt {
  if (contentKind(text) === 'page') return { line: '', hasMore: true }
  const lines = text
    .replace(/<!--[^]*?-->|<[^>]*>/g, ' ')
    .split('\n')
    .map(withoutMarks)
    .filter((line) => line !== '')
  const first = lines[0] ?? ''
  const line = first.length <= LONGEST ? first : `${first.slice(0, LONGEST).replace(/\s+\S*$/, '')}…`
  return { line, hasMore: line !== text.trim() }
}

function withoutMarks(line: string): string {
  return line
    .replace(/^\s*(#{1,6}|>|[-*+]|\d+\.)\s+/, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\*\*|__|`|~~/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}
