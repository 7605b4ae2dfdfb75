import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** One file that the how-to tells to touch: its text before, empty for a new file, to its text after. */
export interface Edit {
  readonly path: string
  readonly change: (before: string) => string
}

const MIGRATIONS = 'packages/store/src/migrations'
const NEIGHBOUR = 'inference_profile_arn_map: '

/** What docs/how-to/add-a-channel-field.md tells to write by hand for a new text field, `trial_note`. */
export function newChannelField(root: string): readonly Edit[] {
  const numbers = readdirSync(join(root, MIGRATIONS)).map((name) => Number(/^\d+/.exec(name)?.[0] ?? 0))
  const file = `${String(Math.max(...numbers) + 1).padStart(4, '0')}-trial-note`
  return [
    insert(
      'packages/contract/src/fields/channel.ts',
      `  trial_note: { ...longText(1_000), property: 'trialNote', column: 'trial_note', section: 'advanced' },\n`,
    ),
    {
      path: `${MIGRATIONS}/${file}.ts`,
      change: () => `import type { Migration } from '../migration.ts'

export const trialNote: Migration = {
  name: '${file}',
  breaking: false,
  statements: (t) => [\`alter table channel add column trial_note \${t.text}\`],
}
`,
    },
    {
      path: `${MIGRATIONS}/list.ts`,
      change: (before) => `import { trialNote } from './${file}.ts'\n${before.replace(/\]\s*$/, ', trialNote]\n')}`,
    },
    insert(
      'apps/console/src/features/channels/texts/channel-texts.ts',
      `    trial_note: { label: 'Note', hint: 'For a trial.' },\n`,
    ),
    insert(
      'apps/console/src/features/channels/texts/zh-cn.ts',
      `    trial_note: { label: '备注', hint: '仅供试验。' },\n`,
    ),
    insert('tools/reference/configuration-file.ts', `  trial_note: 'A note.',\n`),
  ]
}

/** Before the line of a field that is there already. */
function insert(path: string, line: string): Edit {
  return {
    path,
    change: (before) => {
      const places = before.split('\n').filter((each) => each.trimStart().startsWith(NEIGHBOUR))
      const [place = ''] = places
      if (places.length !== 1) throw new Error(`${path} names ${NEIGHBOUR}at ${places.length} places instead of one`)
      return before.replace(place, () => line + place)
    },
  }
}

/** Writes the edits below `root`; returns the files that changed. */
export function applyEdits(root: string, edits: readonly Edit[]): readonly string[] {
  return edits.flatMap(({ path, change }) => {
    const file = join(root, path)
    const before = readText(file)
    const after = change(before)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, after)
    return before === after ? [] : [path]
  })
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** A copy of these files of the repository that finds its packages: our own in the copy, all others where they are installed. */
export function copyTree(root: string, files: readonly string[]): string {
  const copy = mkdtempSync(join(tmpdir(), 'sluice-new-field-'))
  for (const file of files) cpSync(join(root, file), join(copy, file))
  const modules = join(root, 'node_modules')
  mkdirSync(join(copy, 'node_modules', '@sluice'), { recursive: true })
  for (const name of readdirSync(modules)) {
    if (name !== '@sluice') symlinkSync(join(modules, name), join(copy, 'node_modules', name))
  }
  for (const name of readdirSync(join(modules, '@sluice'))) {
    symlinkSync(readlinkSync(join(modules, '@sluice', name)), join(copy, 'node_modules', '@sluice', name))
  }
  return copy
}
