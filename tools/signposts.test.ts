import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const HOW_TO = 'docs/how-to/*.md'
const PAGES = [
  HOW_TO,
  'docs/*.md',
  'docs/{operations,protocols}/*.md',
  'CONTRIBUTING.md',
  'README.md',
  'apps/*/README.md',
]
const LINKED_PAGES = ['*.md', 'docs/**/*.md', '{apps,bench,deploy,tests}/**/*.md']

/** `path/to/file.ts:name`. A name moves with its code; a line number is wrong after the next edit above it. */
const REFERENCE = /`([^\s`:]+\.(?:tsx?|mjs|json|ya?ml|md))(?::|#L)([^\s`]+)`/g
/** Only a line number, after a file that was just named. */
const FOLLOW_UP = /(?<=\.(?:tsx?|mjs|json|ya?ml|md)[^\s`]*`,?(?: and)? )`:\d[^`]*`/g
/** `[text](target)`, without links out of the repository. */
const LINK = /\]\((?!https?:|mailto:)([^)\s#]*)(?:#([^)\s]+))?\)/g
/** A literal path from the root, without patterns or placeholders. */
const PLAIN_PATH = /`((?:apps|packages|tools|tests|docs|deploy)\/[^\s`:<*…]+)`/g

const isForeign = (path: string): boolean => /(^|[/\\])(node_modules|dist)([/\\]|$)/.test(path)
const files = globSync(['{apps,packages,tools,bench,tests,docs,deploy}/**/*.{ts,tsx,mjs,json,yaml,yml,md}', '*.*'], {
  cwd: ROOT,
  exclude: isForeign,
}).map((path) => path.replaceAll('\\', '/'))

it('finds the name that each reference to a source gives', () => {
  const pages = readPages(PAGES)
  expect(pages.flatMap(({ text }) => [...text.matchAll(REFERENCE)]).length).toBeGreaterThan(50)
  expect(pages.flatMap(({ page, text }) => wrongReferences(text).map((wrong) => `${page}: ${wrong}`))).toEqual([])
})

it('finds every path that a how-to gives', () => {
  const pages = readPages([HOW_TO])
  expect(pages.flatMap(({ text }) => [...text.matchAll(PLAIN_PATH)]).length).toBeGreaterThan(50)
  expect(pages.flatMap(({ page, text }) => missingPaths(text).map((path) => `${page}: ${path}`))).toEqual([])
})

it('finds the page and the heading of every link', () => {
  const pages = readPages(LINKED_PAGES)
  expect(pages.flatMap(({ text }) => [...text.matchAll(LINK)]).length).toBeGreaterThan(300)
  expect(pages.flatMap(({ page, text }) => brokenLinks(page, text).map((link) => `${page}: ${link}`))).toEqual([])
})

it('notices a broken link', () => {
  const text =
    '## Here, `now`\n[a](#here-now) [b](#there) [c](receipts.md) [d](gone.md) [e](https://x.example/) [f](receipts.md#gone)'
  expect(brokenLinks('docs/operations.md', text)).toEqual(['#there', 'gone.md', 'receipts.md#gone'])
})

it('notices a wrong reference', () => {
  const page = [
    'Imitate `tools/screens.test.ts:textsIn`, `packages/providers/src/kinds/kind.ts:ProviderKind` and `kinds/xai.ts:xai`.',
    'Not `tools/no-such-file.ts:textsIn`, `tools/screens.test.ts:texts`, `texts/zh-cn.ts:title`,',
    '`tools/screens.test.ts:12`, `screens.test.ts#L12`, nor `tools/screens.test.ts:ROOT` and `:12`.',
    'Hosts such as `localhost:3000` are left alone, as is `tools/<name>.ts`; `tools/no-such-folder` is missing.',
  ].join('\n')
  expect(wrongReferences(page)).toEqual([
    '`tools/no-such-file.ts:textsIn`: no such file',
    '`tools/screens.test.ts:texts`: the file has no such name',
    expect.stringMatching(/^`texts\/zh-cn\.ts:title`: one of \d+ files, give more of its path$/),
    '`tools/screens.test.ts:12`: the number of a line, name what is there',
    '`screens.test.ts#L12`: the number of a line, name what is there',
    '`:12`: the number of a line, name what is there',
  ])
  expect(missingPaths(page)).toEqual(['tools/no-such-folder'])
})

function readPages(patterns: readonly string[]) {
  return globSync(patterns, { cwd: ROOT, exclude: isForeign }).map((page) => ({
    page,
    text: readFileSync(join(ROOT, page), 'utf8'),
  }))
}

function brokenLinks(page: string, text: string): readonly string[] {
  // Inline code can look like a link.
  return [...text.replaceAll(/`[^`\n]*`/g, '').matchAll(LINK)].flatMap(([, path = '', heading]) => {
    const file = join(ROOT, dirname(page), path)
    const isThere = path === '' || existsSync(file)
    const isWhole = isThere && (heading === undefined || headingsOf(path === '' ? text : file).has(heading))
    return isWhole ? [] : [heading === undefined ? path : `${path}#${heading}`]
  })
}

/** Heading ids as GitHub makes them, of a text or of the file of this name. */
function headingsOf(source: string): ReadonlySet<string> {
  const text = existsSync(source) ? readFileSync(source, 'utf8') : source
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading)
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )
}

function wrongReferences(text: string): readonly string[] {
  const references = [...text.matchAll(REFERENCE)].map(([found, path = '', name = '']) => [found, faultOf(path, name)])
  const followUps = [...text.matchAll(FOLLOW_UP)].map(([found]) => [found, NUMBERED])
  return [...references, ...followUps].flatMap(([found, fault]) => (fault === undefined ? [] : [`${found}: ${fault}`]))
}

const NUMBERED = 'the number of a line, name what is there'

function faultOf(path: string, name: string): string | undefined {
  if (/^\d/.test(name)) return NUMBERED
  const [file, ...others] = filesOf(path)
  if (file === undefined) return 'no such file'
  if (others.length > 0) return `one of ${others.length + 1} files, give more of its path`
  return wordsOf(file).has(name) ? undefined : 'the file has no such name'
}

/** The file of that path from the root; for the end of a path, every file that matches. */
function filesOf(path: string): readonly string[] {
  return files.includes(path) ? [path] : files.filter((file) => file.endsWith(`/${path}`))
}

/** Whole names: in `openai-chat`, `chat` is not a name. */
function wordsOf(file: string): ReadonlySet<string> {
  return new Set(readFileSync(join(ROOT, file), 'utf8').match(/[\w$]+(?:-[\w$]+)*/g))
}

function missingPaths(text: string): readonly string[] {
  const paths = [...text.matchAll(PLAIN_PATH)].map(([, path = '']) => path)
  return paths.filter((path) => !existsSync(join(ROOT, path)))
}
