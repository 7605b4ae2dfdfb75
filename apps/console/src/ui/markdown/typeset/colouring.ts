import { createLowlight } from 'lowlight'
import { languageOf } from './languages.ts'

export type CodeKind = 'comment' | 'keyword' | 'string' | 'number' | 'name' | 'added' | 'removed'

/** Number of characters of a piece of a program, and its kind; '' is plain text. */
export type CodeRun = readonly [length: number, kind: CodeKind | '']

/** In characters; longer programs stay plain. */
const LONGEST = 100_000

/** Scopes of highlight.js; others look like the scope that contains them. */
const SCOPES: Readonly<Record<CodeKind, string>> = {
  comment: 'comment quote doctag meta',
  keyword: 'keyword selector-tag name section built_in selector-pseudo',
  string: 'string regexp char symbol',
  number: 'number literal bullet link code',
  name: 'title attr attribute property selector-class selector-id type',
  added: 'addition',
  removed: 'deletion',
}
const KINDS = new Map<string, CodeKind>(
  (Object.keys(SCOPES) as CodeKind[]).flatMap((kind) => SCOPES[kind].split(' ').map((scope) => [scope, kind] as const)),
)

interface Piece {
  readonly type: string
  readonly value?: string
  readonly properties?: { readonly className?: unknown }
  readonly children?: readonly Piece[]
}

export interface Colouring {
  /** Pieces of the program, in order and without gaps; undefined when its language is not known or it is too long. */
  runsOf(language: string, text: string): Promise<readonly CodeRun[] | undefined>
}

export function createColouring(): Colouring {
  const lowlight = createLowlight()

  async function load(name: string): Promise<string | undefined> {
    const language = languageOf(name)
    if (language === undefined) return undefined
    if (!lowlight.registered(language.name)) {
      await Promise.all((language.with ?? []).map(load))
      lowlight.register(language.name, (await language.load()).default)
    }
    return language.name
  }

  return {
    async runsOf(name, text) {
      const language = text.length > LONGEST ? undefined : await load(name)
      return language === undefined ? undefined : runsIn(lowlight.highlight(language, text))
    },
  }
}

function runsIn(root: Piece): readonly CodeRun[] {
  const runs: [number, CodeKind | ''][] = []
  const take = (piece: Piece, around: CodeKind | '') => {
    if (piece.value !== undefined) {
      const last = runs.at(-1)
      if (last?.[1] === around) last[0] += piece.value.length
      else if (piece.value !== '') runs.push([piece.value.length, around])
    }
    const kind = kindOf(piece) ?? around
    for (const child of piece.children ?? []) take(child, kind)
  }
  take(root, '')
  return runs
}

/** Uses the first class, `hljs-<scope>`; sub-scopes follow as classes of their own. */
function kindOf({ properties }: Piece): CodeKind | undefined {
  const names = Array.isArray(properties?.className) ? properties.className : []
  return KINDS.get(String(names[0] ?? '').replace('hljs-', ''))
}
