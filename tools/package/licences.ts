import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface LockedPackage {
  readonly version?: string
  readonly link?: boolean
  readonly resolved?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

interface Licensed {
  readonly name: string
  readonly version: string
  /** SPDX. */
  readonly licence: string
  readonly text: string
}

/** Both are bundled whole. */
const WORKSPACES = ['apps/gateway', 'apps/console']
/** Their output contains code of their own. */
const BUILDERS = ['node_modules/rolldown', 'node_modules/tailwindcss', 'node_modules/vite']
/** The text after this heading is about packages that the builder itself has bundled. */
const OF_OTHERS = '# Licenses of bundled dependencies'

/** Licences of everything that a bundle of gateway and console may contain, as one page. Throws when a package states none. */
export function licencesPage(root: string): string {
  const all = bundledPackages(root).map((path) => licenceOf(root, path))
  const byText = Map.groupBy(
    all.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    ({ text }) => text,
  )
  const sections = [...byText].map(([text, users]) => {
    const names = users.map(({ name, version, licence }) => `- ${name} ${version} (${licence})`)
    return `${names.join('\n')}\n\n${text.replaceAll(/^/gm, '    ').replaceAll(/[ \t]+$/gm, '')}\n`
  })
  return `## Packages inside this one\n\nThe program and the console contain code of these packages, under their own terms.\n\n${sections.join('\n')}`
}

/** Folders of the workspaces' direct and indirect dependencies, as far as they are installed. */
function bundledPackages(root: string): readonly string[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, LockedPackage>>
  }
  const found = new Set<string>()
  const visit = (path: string): void => {
    const entry = packages[path]
    if (entry?.link) return visit(entry.resolved ?? '')
    if (entry === undefined || found.has(path) || !existsSync(join(root, path))) return
    found.add(path)
    for (const name of Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })) {
      const place = ancestors(path).find((folder) => packages[`${folder}node_modules/${name}`] !== undefined)
      if (place !== undefined) visit(`${place}node_modules/${name}`)
    }
  }
  for (const path of WORKSPACES) visit(path)
  for (const path of BUILDERS) found.add(path)
  return [...found].filter((path) => path.includes('node_modules/'))
}

/** `a/b` gives `a/b/`, `a/` and the empty text. */
function ancestors(path: string): readonly string[] {
  const parts = path.split('/')
  return [...parts.map((_, i) => `${parts.slice(0, parts.length - i).join('/')}/`), '']
}

function licenceOf(root: string, path: string): Licensed {
  const folder = join(root, path)
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly name: string
    readonly version: string
    readonly license?: string
    readonly author?: string | { readonly name: string }
  }
  const { name, version, license: licence } = manifest
  if (typeof licence !== 'string') throw new Error(`${path} does not say under which licence it is.`)
  const file = readdirSync(folder).find((entry) => /^licen[cs]e(\.\w+)?$/i.test(entry))
  const author = typeof manifest.author === 'string' ? manifest.author : manifest.author?.name
  const text =
    file === undefined
      ? `Its manifest names the licence ${licence}${author === undefined ? '' : ` and the author ${author}`}; it has no other text.`
      : readFileSync(join(folder, file), 'utf8').split(OF_OTHERS)[0]
  return { name, version, licence, text: (text ?? '').replaceAll('\r', '').trim() }
}
