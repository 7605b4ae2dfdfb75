import { mkdir } from 'node:fs/promises'
import { writePackageFolder } from './package-folder.ts'

/** `node write-folder.ts <program> <folder>` writes the files of the package into a folder. See decisions 72 and 75. */
const [program = '', folder = ''] = process.argv.slice(2)

await mkdir(folder, { recursive: true })
await writePackageFolder(folder, program)
